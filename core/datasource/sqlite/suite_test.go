package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/sqlite"
)

func TestConformance(t *testing.T) {
	datasourcetest.Run(t, func(t testing.TB, script string) datasourcetest.Database {
		path := filepath.Join(t.TempDir(), "test.db")
		exec := func(t testing.TB, script string) {
			t.Helper()
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(script); err != nil {
				t.Fatal(err)
			}
		}
		exec(t, script)
		return datasourcetest.Database{
			Open: func(t testing.TB, maxParallel int) datasource.Datasource {
				d, err := sqlite.Open(sqlite.Options{ID: "test", Path: path, MaxParallel: maxParallel})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { d.Close() })
				return d
			},
			Exec: exec, Schema: "main",
		}
	})
}

func TestAccountIsTheFilesMode(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root may write every file, whatever its mode")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t (a)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for mode, want := range map[os.FileMode]bool{0o600: true, 0o400: os.Getuid() == 0} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		d, err := sqlite.Open(sqlite.Options{ID: "test", Path: path})
		if err != nil {
			t.Fatal(err)
		}
		can, right, err := d.(datasource.AccountChecker).CanWrite(context.Background())
		if err != nil || can != want || can != (right != "") {
			t.Errorf("mode %o: can write %t by %q (%v), want %t", mode, can, right, err, want)
		}
		d.Close()
	}
}
