package sqlite

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"fmt"

	"modernc.org/sqlite"
)

func init() { sqlite.MustRegisterDeterministicScalarFunction("querent_mask_hash", 2, maskHash) }

// maskHash digests the key of a mask and a text behind it.
func maskHash(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	key, ok := args[0].(string)
	if !ok || key == "" {
		return nil, fmt.Errorf("a mask is called without its key")
	}
	if args[1] == nil {
		return nil, nil
	}
	text, ok := args[1].(string)
	if !ok {
		text = fmt.Sprint(args[1]) // a text column of SQLite may hold a number
	}
	sum := sha256.Sum256([]byte(key + text))
	return hex.EncodeToString(sum[:])[:32], nil
}
