// Package dbtest gives tests real PostgreSQL and MariaDB servers. A test binary
// starts its own on first use, in a folder and on a loopback port of its own, and
// never touches servers that happen to run. They end with the test binary,
// however it ends. Tests that use the package carry the build tag databases.
//
// The servers keep nothing safe from a crash and must hold no real data.
package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql" // it registers the driver, too
	_ "github.com/jackc/pgx/v5/stdlib"

	"querent.dev/querent/core/schema"
)

// The account of the tests, which may do anything. Its password has what
// connection strings must escape.
const (
	User     = "querent"
	Password = "p@ss/w:rd?#%"
)

// ReaderPassword is the password of the accounts that Reader makes.
const ReaderPassword = "only reads"

// scriptTimeout bounds one script of a test.
const scriptTimeout = 2 * time.Minute

// Server is a running server. Its methods may be called concurrently.
type Server struct {
	Dialect schema.Dialect // schema.Postgres or schema.MySQL
	Host    string         // a loopback address
	Port    int
	// CAFile is the certificate that signed the server's own, which is for Host
	// alone. The server takes connections with TLS and without.
	CAFile string

	process *process
	made    atomic.Int64
}

// shared are the servers that a test binary starts once.
var shared = map[schema.Dialect]func() (*Server, error){
	schema.Postgres: sync.OnceValues(startPostgres),
	schema.MySQL:    sync.OnceValues(startMariaDB),
}

// Postgres is the PostgreSQL server that all tests of the binary share.
func Postgres(t testing.TB) *Server { return sharedServer(t, schema.Postgres) }

// MariaDB is the MariaDB server that all tests of the binary share.
func MariaDB(t testing.TB) *Server { return sharedServer(t, schema.MySQL) }

func sharedServer(t testing.TB, d schema.Dialect) *Server {
	t.Helper()
	s, err := shared[d]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Start starts a server for one test, which may stop it. It ends with the test.
func Start(t testing.TB, d schema.Dialect) *Server {
	t.Helper()
	start := startPostgres
	if d == schema.MySQL {
		start = startMariaDB
	}
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Stop ends the server at once, as a power cut would. It may be called twice.
func (s *Server) Stop() { s.process.stop() }

// Database is a database of a server, empty but for what its test has put in.
type Database struct {
	Server *Server
	Name   string
	DSN    string  // a URL with the account of the tests
	DB     *sql.DB // the same account; it runs scripts of several statements
}

// Options say how the text of a new database compares.
type Options struct {
	// Collation is an ICU locale on PostgreSQL, such as en-US, and a collation with
	// its character set's name on MariaDB, such as utf8mb4_unicode_ci. Empty means
	// C.UTF-8 and utf8mb4_general_ci.
	Collation string
}

// Database makes a database and runs the scripts in it. It is dropped when the
// test ends.
func (s *Server) Database(t testing.TB, scripts ...string) *Database {
	t.Helper()
	return s.DatabaseWith(t, Options{}, scripts...)
}

// DatabaseWith is Database with options.
func (s *Server) DatabaseWith(t testing.TB, o Options, scripts ...string) *Database {
	t.Helper()
	d := &Database{Server: s, Name: fmt.Sprintf("test%d", s.made.Add(1))}
	d.DSN = s.DSN(User, Password, d.Name)
	admin := s.open(t, s.home())
	run(t, admin, s.create(d.Name, o))
	d.DB = s.open(t, d.Name)
	t.Cleanup(func() {
		d.DB.Close()
		if s.process.running() {
			run(t, admin, s.drop(d.Name))
		}
		admin.Close()
	})
	for _, script := range scripts {
		d.Exec(t, script)
	}
	return d
}

// Exec runs a script of any number of statements.
func (d *Database) Exec(t testing.TB, script string) {
	t.Helper()
	run(t, d.DB, script)
}

// Reader makes an account that may read the database as it is now, and nothing
// else, and is its DSN.
func (d *Database) Reader(t testing.TB) string {
	t.Helper()
	name := d.Name + "_reader"
	for _, statement := range d.Server.grantReader(d.Name, name) {
		d.Exec(t, statement)
	}
	t.Cleanup(func() {
		if d.Server.process.running() {
			for _, statement := range d.Server.revokeReader(name) {
				d.Exec(t, statement)
			}
		}
	})
	return d.Server.DSN(name, ReaderPassword, d.Name)
}

// DSN is the URL of a database for an account.
func (s *Server) DSN(user, password, database string) string {
	u := url.URL{
		Scheme: string(s.Dialect), User: url.UserPassword(user, password),
		Host: fmt.Sprintf("%s:%d", s.Host, s.Port), Path: "/" + database,
	}
	return u.String()
}

// open is a pool of the account of the tests.
func (s *Server) open(t testing.TB, database string) *sql.DB {
	t.Helper()
	db, err := s.pool(database)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func (s *Server) pool(database string) (*sql.DB, error) {
	if s.Dialect == schema.Postgres {
		return sql.Open("pgx", s.DSN(User, Password, database))
	}
	c := mysql.NewConfig()
	c.User, c.Passwd, c.DBName = User, Password, database
	c.Net, c.Addr = "tcp", fmt.Sprintf("%s:%d", s.Host, s.Port)
	c.MultiStatements = true
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// home is the database that is always there.
func (s *Server) home() string {
	if s.Dialect == schema.Postgres {
		return "postgres"
	}
	return "mysql"
}

func (s *Server) create(name string, o Options) string {
	switch {
	case s.Dialect == schema.Postgres && o.Collation != "":
		return fmt.Sprintf("CREATE DATABASE %s TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '%s'", name, o.Collation)
	case s.Dialect == schema.MySQL && o.Collation != "":
		set, _, _ := strings.Cut(o.Collation, "_")
		return fmt.Sprintf("CREATE DATABASE %s CHARACTER SET %s COLLATE %s", name, set, o.Collation)
	}
	return "CREATE DATABASE " + name
}

func (s *Server) drop(name string) string {
	if s.Dialect == schema.Postgres {
		return "DROP DATABASE " + name + " WITH (FORCE)"
	}
	return "DROP DATABASE " + name
}

func run(t testing.TB, db *sql.DB, script string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
	defer cancel()
	if _, err := db.ExecContext(ctx, script); err != nil {
		t.Fatalf("%v\nin the script\n%s", err, script)
	}
}

// grantReader is the statements that make the account name.
func (s *Server) grantReader(database, name string) []string {
	if s.Dialect == schema.Postgres {
		return []string{
			fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", name, ReaderPassword),
			fmt.Sprintf(`DO $$ DECLARE s text; BEGIN
				FOR s IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
					EXECUTE format('GRANT USAGE ON SCHEMA %%I TO %[1]s', s);
					EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %%I TO %[1]s', s);
				END LOOP; END $$`, name),
		}
	}
	return []string{
		fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'", name, ReaderPassword),
		fmt.Sprintf("GRANT SELECT, SHOW VIEW ON %s.* TO '%s'@'%%'", database, name),
	}
}

func (s *Server) revokeReader(name string) []string {
	if s.Dialect == schema.Postgres {
		return []string{"DROP OWNED BY " + name, "DROP ROLE " + name}
	}
	return []string{fmt.Sprintf("DROP USER '%s'@'%%'", name)}
}
