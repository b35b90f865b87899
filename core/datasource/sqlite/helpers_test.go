package sqlite

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// makeFile makes a database file of a script.
func makeFile(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test ?#%41 ü.db")
	fill(t, path, script)
	return path
}

// fill runs a script on a file that may be written.
func fill(t testing.TB, path, script string) {
	t.Helper()
	// The driver takes a plain name up to its first question mark.
	link := filepath.Join(t.TempDir(), "plain")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", link)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

func openFile(t testing.TB, o Options) *database {
	t.Helper()
	o.ID = "test"
	d, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.(*database)
}

// ask runs a query and reads it to its end.
func ask(t testing.TB, d *database, q query, l datasource.Limits) ([][]wire.Value, *rows, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := d.run(ctx, q, l)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var out [][]wire.Value
	for r.Next() {
		out = append(out, append([]wire.Value(nil), r.Row()...))
	}
	return out, r, r.Err()
}

// columns makes n untyped headers.
func columns(n int) []wire.Column {
	out := make([]wire.Column, n)
	for i := range out {
		out[i].Type.Kind = wire.KindText
	}
	return out
}

func introspect(t testing.TB, d *database) *schema.Catalog {
	t.Helper()
	c, err := d.Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantCode(t testing.TB, err error, code reason.Code) *reason.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	e := reason.From(err)
	if e.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
	return e
}
