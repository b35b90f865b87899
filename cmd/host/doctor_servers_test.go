//go:build databases

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/schema"
)

// The first configuration of a server holds no password, its structure is shown,
// and doctor tells an account that may only read from one that could write.
func TestServersAreExamined(t *testing.T) {
	for _, dialect := range []schema.Dialect{schema.Postgres, schema.MySQL} {
		t.Run(string(dialect), func(t *testing.T) {
			db := dbtest.Start(t, dialect).Database(t, shop)
			i := install(t, "", "")
			file := filepath.Join(i.dir, defaultConfig)
			name := dsnVariable(datasourceName(db.Name))
			reader := db.Reader(t)
			out, err := exec.Command(filepath.Join(i.dir, "querent"), "init", "--db", reader, i.dir).CombinedOutput()
			if text := string(out); err != nil || !strings.Contains(text, "Set the variable "+name) {
				t.Fatalf("init: %v\n%s", err, text)
			}
			if text := readFile(t, file); strings.Contains(text, dbtest.ReaderPassword) || !strings.Contains(text, "${env:"+name+"}") {
				t.Errorf("the configuration:\n%s", text)
			}
			account := "datasource " + string(datasourceName(db.Name)) + ": account"
			for dsn, want := range map[string]checkStatus{reader: checkOK, db.DSN: checkWarn} {
				t.Setenv(name, dsn)
				checks, exit := i.examine(t, file)
				if got := checks[account]; exit != 0 || got.Status != want {
					t.Errorf("exit %d: %v, want %s; %v", exit, got, want, checks)
				}
			}
			out, err = exec.Command(filepath.Join(i.dir, "querent"), "schema", "show", "--config", file, "--as", "cli").CombinedOutput()
			if text := string(out); err != nil || !strings.Contains(text, "-> customers.id") || !strings.Contains(text, "decimal(10,2)") {
				t.Errorf("schema show: %v\n%s", err, text)
			}
		})
	}
}
