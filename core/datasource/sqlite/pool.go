package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxSQL is the longest text that SQLite is given, in bytes. Rendered plans
// have a few kB; the limit bounds the parser.
const maxSQL = 64 << 10

// limits are set on every connection. They bound what one statement can cost
// where neither a deadline nor the authorizer reaches: a single call of a
// built-in function cannot be interrupted, but it cannot make more than 16 MB.
var limits = map[int]int{
	sqlite3.SQLITE_LIMIT_LENGTH:              16 << 20,
	sqlite3.SQLITE_LIMIT_SQL_LENGTH:          maxSQL,
	sqlite3.SQLITE_LIMIT_ATTACHED:            0,
	sqlite3.SQLITE_LIMIT_EXPR_DEPTH:          200,
	sqlite3.SQLITE_LIMIT_COMPOUND_SELECT:     50,
	sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
}

// settings are the read-only switches. Double quotes never make a string,
// the schema cannot be tampered with, and nothing in it runs unsafe functions.
// SQLite waits for no lock: patiently does.
const settings = "?mode=ro&_dqs=0&_defensive=1&_pragma=query_only(1)&_pragma=trusted_schema(0)"

// idleTime is how long an unused connection keeps its cache.
const idleTime = 5 * time.Minute

// pool is the connections to one file, which it knows by identity, not by name.
type pool struct {
	db   *sql.DB
	path string
	file os.FileInfo
	size int
}

// inspect checks that path is a file that may be a database, with errors that
// say what is there instead. It must not open the file: closing it again would
// release the locks that SQLite holds on it anywhere in this process.
func inspect(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unreachable(path, "there is no such file; correct the path, it is never created")
	case err != nil:
		return nil, unreachable(path, "%w", err)
	case info.IsDir():
		return nil, unreachable(path, "it is a folder; name the database file in it")
	case !info.Mode().IsRegular():
		return nil, unreachable(path, "it is no regular file")
	case info.Size() == 0:
		return nil, unreachable(path, "the file is empty; name a database that holds tables")
	}
	return info, nil
}

func newPool(o Options, file os.FileInfo) (*pool, error) {
	c, err := sqlite.NewConnector(dsn(o.Path))
	if err != nil {
		return nil, unreachable(o.Path, "%w", err)
	}
	db := sql.OpenDB(closedConnector{c})
	db.SetMaxOpenConns(o.MaxParallel)
	db.SetMaxIdleConns(o.MaxParallel)
	db.SetConnMaxIdleTime(idleTime)
	return &pool{db: db, path: o.Path, file: file, size: o.MaxParallel}, nil
}

// dsn escapes what a path may hold and a file URI may not.
func dsn(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path) + settings
}

// closedConnector hands out connections that refuse every statement until a
// session grants some.
type closedConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c closedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(authorize(conn, denyAll), limit(conn)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// limit sets the limits on a driver connection that nobody uses yet.
func limit(driverConn any) error {
	handle, err := handleOf(driverConn)
	if err != nil {
		return err
	}
	tls := libc.NewTLS()
	defer tls.Close()
	for id, value := range limits {
		sqlite3.Xsqlite3_limit(tls, handle, int32(id), int32(value))
	}
	return nil
}

// session is a connection that is checked out for one piece of work, with that
// work's grants.
type session struct{ conn *sql.Conn }

// session checks a connection out. When all are busy it waits until ctx ends.
func (p *pool) session(ctx context.Context) (*session, error) {
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn}, nil
}

// grant permits what g holds, with what its views do.
func (s *session) grant(ctx context.Context, g *grants) error {
	return s.learn(ctx, g, g.ofViews())
}

// grantDefaults permits, too, the functions that the defaults of columns call,
// which few tables have: SQLite asks for them only when such a column is read.
func (s *session) grantDefaults(ctx context.Context, g *grants) error {
	g.refused = ""
	return s.learn(ctx, g, g.ofTables())
}

func (s *session) learn(ctx context.Context, g *grants, selections []string) error {
	return s.conn.Raw(func(c any) error {
		if err := g.learn(ctx, c, selections); err != nil {
			return err
		}
		return authorize(c, g.decide)
	})
}

// arm makes the end of ctx stop what runs on the connection, in the database.
// The returned function must be called before the session is closed.
func (s *session) arm(ctx context.Context) (disarm func(), err error) {
	err = s.conn.Raw(func(c any) error {
		disarm, err = interruptWhenDone(ctx, c)
		return err
	})
	return disarm, err
}

// close takes the grants back and returns the connection to the pool.
func (s *session) close() error {
	err := s.conn.Raw(func(c any) error { return authorize(c, denyAll) })
	if errors.Is(err, driver.ErrBadConn) {
		err = nil // the pool has thrown the connection away
	}
	return errors.Join(err, s.conn.Close())
}
