package mirror

import (
	"database/sql"
	"net/url"

	driver "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // mirrors are written over database/sql
	_ "modernc.org/sqlite"             // and the files that they copy are read so

	"querent.dev/querent/core/schema"
)

// open connects with an account that may write.
func open(dialect schema.Dialect, dsn string) (*sql.DB, error) {
	if dialect == schema.Postgres {
		return sql.Open("pgx", dsn)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, err
	}
	c := driver.NewConfig()
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	c.Net, c.Addr, c.DBName = "tcp", u.Host, u.Path[min(1, len(u.Path)):]
	c.InterpolateParams = true
	if u.Port() == "" {
		c.Addr += ":3306"
	}
	if socket := u.Query().Get("socket"); socket != "" {
		c.Net, c.Addr = "unix", socket
	}
	connector, err := driver.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

func openSQLite(path string) (*sql.DB, error) {
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: "mode=ro&_pragma=query_only(1)"}).String())
}
