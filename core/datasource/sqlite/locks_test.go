package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
)

// writeEnv names the file to which the test's binary writes, run as another
// process.
const writeEnv = "QUERENT_TEST_WRITE"

func TestMain(m *testing.M) {
	if path := os.Getenv(writeEnv); path != "" {
		if err := writeTo(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func writeTo(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.Exec("DELETE FROM t")
	return errors.Join(err, db.Close())
}

func writeElsewhere(t *testing.T, path string) error {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), writeEnv+"="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}

// A reader's lock keeps writers of other processes out. Had the adapter opened
// and closed the file beside SQLite, the lock would be gone, and the reader
// would see pages of two versions.
func TestReadersStayLocked(t *testing.T) {
	path := t.TempDir() + "/t.db"
	script := "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)"
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d := openFile(t, Options{Path: path})
	r, err := d.run(context.Background(), one, datasource.Limits{})
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	openFile(t, Options{Path: path})
	if _, _, err := ask(t, d, one, datasource.Limits{}); err != nil {
		t.Fatal(err)
	}
	if err := writeElsewhere(t, path); err == nil {
		t.Error("another process wrote while a row was being read")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := writeElsewhere(t, path); err != nil {
		t.Errorf("nobody reads, and still: %v", err)
	}
}
