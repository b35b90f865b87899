// Package mirror copies the SQLite databases of a suite into PostgreSQL and
// MariaDB, so that a plan can be run on all three.
package mirror

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport"
)

// suiteID is the id of every mirrored database: plans do not hold it.
const suiteID schema.DatasourceID = "suite"

// Server makes mirrors on one server. Its account must be allowed to make
// databases.
type Server struct {
	dialect schema.Dialect
	dsn     *url.URL
	keep    bool

	mu   sync.Mutex
	made []string // databases to drop
}

var _ eval.Databases = (*Server)(nil)

// New mirrors into the server of a DSN in URL form. Mirrors that are kept are found
// again by a later run, unless their file has changed since.
func New(dialect schema.Dialect, dsn string, keep bool) (*Server, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("the DSN of %s must be a URL: %s://USER:PASSWORD@HOST:PORT/DATABASE", dialect, dialect)
	}
	return &Server{dialect: dialect, dsn: u, keep: keep}, nil
}

// Dialect implements eval.Databases.
func (s *Server) Dialect() schema.Dialect { return s.dialect }

// Open implements eval.Databases: it makes the mirror of a file unless there is
// one.
func (s *Server) Open(ctx context.Context, path string) (*eval.Database, error) {
	name, err := mirrorName(path)
	if err != nil {
		return nil, err
	}
	if err := s.ensure(ctx, name, path); err != nil {
		return nil, fmt.Errorf("mirroring %s: %w", filepath.Base(path), err)
	}
	dsn := s.dsnOf(name)
	o := postgres.Options{ID: suiteID, DSN: dsn, MaxParallel: 2}
	var source datasource.Datasource
	if s.dialect == schema.MySQL {
		source, err = mysql.Open(o)
	} else {
		source, err = postgres.Open(o)
	}
	if err != nil {
		return nil, err
	}
	return &eval.Database{Source: source, Gold: func(ctx context.Context, query string) (*eval.Gold, error) {
		db, err := open(s.dialect, dsn)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		gold, err := eval.RunServerGold(ctx, db, s.dialect, query)
		if err == nil || ctx.Err() != nil {
			return gold, err
		}
		// The gold may spell names in another case than the file does.
		names, reading := s.names(ctx, source)
		if again, ok := sqlimport.Respell(query, s.dialect, names); ok && reading == nil {
			return eval.RunServerGold(ctx, db, s.dialect, again)
		}
		return nil, err
	}}, nil
}

// names are the names of a mirror as they are spelled, by their lower case.
func (s *Server) names(ctx context.Context, source datasource.Datasource) (map[string]string, error) {
	cat, err := source.Introspect(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, t := range cat.Tables {
		out[strings.ToLower(t.Name)] = t.Name
		if s.dialect != schema.Postgres {
			continue
		}
		for _, c := range t.Columns {
			out[strings.ToLower(c.Name)] = c.Name
		}
	}
	return out, nil
}

// Close drops the mirrors that were made, unless they are kept.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keep {
		return nil
	}
	admin, err := open(s.dialect, s.dsn.String())
	if err != nil {
		return err
	}
	defer admin.Close()
	for _, name := range s.made {
		if _, err := admin.ExecContext(ctx, "DROP DATABASE "+s.quote(name)); err != nil {
			return fmt.Errorf("dropping the mirror %s: %w", name, err)
		}
	}
	s.made = nil
	return nil
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// mirrorName is the database that mirrors a file as it is now.
func mirrorName(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d\n%d", abs, info.Size(), info.ModTime().UnixNano(), layout))
	base := notInNames.ReplaceAllString(strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))), "_")
	return "mirror_" + base[:min(len(base), 30)] + "_" + hex.EncodeToString(sum[:4]), nil
}

// layout is the version of how mirrors are laid out.
const layout = 5

func (s *Server) dsnOf(name string) string {
	u := *s.dsn
	u.Path = "/" + name
	return u.String()
}

func (s *Server) quote(name string) string {
	if s.dialect == schema.MySQL {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// ensure makes a mirror that is not there. One that breaks off is dropped.
func (s *Server) ensure(ctx context.Context, name, path string) error {
	admin, err := open(s.dialect, s.dsn.String())
	if err != nil {
		return err
	}
	defer admin.Close()
	there, err := s.exists(ctx, admin, name)
	if err != nil || there {
		return err
	}
	// The server's own character set may lack letters that the files have.
	create := "CREATE DATABASE " + s.quote(name)
	switch s.dialect {
	case schema.MySQL:
		create += " CHARACTER SET utf8mb4"
	case schema.Postgres:
		create += " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
	}
	if _, err := admin.ExecContext(ctx, create); err != nil {
		return err
	}
	if err := s.copyAll(ctx, name, path); err != nil {
		_, dropping := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+s.quote(name))
		if dropping != nil {
			return fmt.Errorf("%w (and the broken mirror is not dropped: %w)", err, dropping)
		}
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = append(s.made, name)
	return nil
}

func (s *Server) exists(ctx context.Context, admin *sql.DB, name string) (bool, error) {
	query := "SELECT count(*) FROM pg_database WHERE datname = $1"
	if s.dialect == schema.MySQL {
		query = "SELECT count(*) FROM information_schema.schemata WHERE schema_name = ?"
	}
	n := 0
	err := admin.QueryRowContext(ctx, query, name).Scan(&n)
	return n > 0, err
}

func (s *Server) copyAll(ctx context.Context, name, path string) error {
	source, err := sqlite.Open(sqlite.Options{ID: suiteID, Path: path})
	if err != nil {
		return err
	}
	defer source.Close()
	cat, err := source.Introspect(ctx)
	if err != nil {
		return err
	}
	from, err := openSQLite(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := open(s.dialect, s.dsnOf(name))
	if err != nil {
		return err
	}
	defer to.Close()
	c := &copier{server: s, from: from, to: to}
	for _, t := range cat.Tables {
		if err := c.table(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return nil
}
