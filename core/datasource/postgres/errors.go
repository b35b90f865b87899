package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource/internal/remote"
)

// kinds are the codes of the server (appendix A of its manual), by whole code or
// by class.
var kinds = map[string]remote.Failure{
	"28":    remote.AuthFailed,    // invalid authorization
	"3D000": remote.AuthFailed,    // no such database: the DSN is wrong
	"42501": remote.NotPermitted,  // insufficient privilege
	"42P01": remote.SchemaChanged, // undefined table
	"42703": remote.SchemaChanged, // undefined column
	"3F000": remote.SchemaChanged, // undefined schema
	"42704": remote.SchemaChanged, // undefined object, such as a type
	"0A000": remote.Failed,
	"57014": remote.TimedOut, // cancelled; who cancels is not the host
	"55P03": remote.TimedOut, // lock not available
	"25P03": remote.TimedOut, // idle in transaction for too long
	"22003": remote.OutOfRange,
	"08":    remote.Unreachable, // connection exception
	"53":    remote.Unreachable, // insufficient resources, too many connections among them
	"57":    remote.Unreachable, // operator intervention: shutdown, crash
	"58":    remote.Unreachable, // system error
	"XX":    remote.Unreachable, // internal error, damaged data
}

// kindOf tells the kinds of the server's own errors.
func kindOf(err error) (remote.Failure, bool) {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		for _, key := range []string{e.Code, e.Code[:min(2, len(e.Code))]} {
			if kind, ok := kinds[key]; ok {
				return kind, true
			}
		}
		return remote.Failed, true
	}
	var failed *pgconn.ConnectError
	if errors.As(err, &failed) || strings.Contains(err.Error(), "conn closed") {
		return remote.Unreachable, true
	}
	return remote.Failed, false
}
