package result

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"

	"querent.dev/querent/sdk/wire"
)

// HashOf is the Hash that a result of these columns and rows has.
func HashOf(columns []wire.Column, rows [][]wire.Value) (string, error) {
	h, err := newDigest(columns)
	if err != nil {
		return "", err
	}
	var row, frame []byte
	for _, values := range rows {
		row, frame = encodeRow(row, frame, values)
		h.Write(frame)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// newDigest begins the hash of a result with its columns.
func newDigest(columns []wire.Column) (hash.Hash, error) {
	header, err := json.Marshal(columns)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	h.Write(header)
	return h, nil
}

// encodeRow is a row in its canonical form, and with its length in front; both
// reuse the memory of what is passed.
func encodeRow(row, frame []byte, values []wire.Value) (encoded, framed []byte) {
	row = row[:0]
	for _, v := range values {
		row = v.AppendBinary(row)
	}
	frame = binary.AppendUvarint(frame[:0], uint64(len(row)))
	return row, append(frame, row...)
}
