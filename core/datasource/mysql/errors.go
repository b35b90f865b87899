package mysql

import (
	"database/sql/driver"
	"errors"

	mysql "github.com/go-sql-driver/mysql"

	"querent.dev/querent/core/datasource/internal/remote"
)

// unknownThread is the server's code for a connection that is gone.
const unknownThread = 1094

// kinds are the codes of the server.
var kinds = map[uint16]remote.Failure{
	1044: remote.AuthFailed, 1045: remote.AuthFailed, 1049: remote.AuthFailed, // no such database: the DSN is wrong
	1130: remote.AuthFailed, 1698: remote.AuthFailed, 1862: remote.AuthFailed, 4151: remote.AuthFailed,
	1142: remote.NotPermitted, 1143: remote.NotPermitted, 1370: remote.NotPermitted, 1227: remote.NotPermitted,
	1051: remote.SchemaChanged, 1054: remote.SchemaChanged, 1146: remote.SchemaChanged, 1356: remote.SchemaChanged,
	1205: remote.TimedOut, 1317: remote.TimedOut, 1969: remote.TimedOut, 3024: remote.TimedOut,
	1264: remote.OutOfRange, 1690: remote.OutOfRange,
	1040: remote.Unreachable, 1053: remote.Unreachable, 1080: remote.Unreachable, 1203: remote.Unreachable,
	1226: remote.Unreachable, 1927: remote.Unreachable,
}

// kindOf tells the kinds of the server's and the driver's own errors.
func kindOf(err error) (remote.Failure, bool) {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return kinds[e.Number], true
	}
	if broken(err) {
		return remote.Unreachable, true
	}
	return remote.Failed, false
}

// broken reports whether err is of a connection that is of no use any more.
func broken(err error) bool {
	return errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrMalformPkt)
}
