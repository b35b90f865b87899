package config_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"querent.dev/querent/core/config"
)

// TestProblems loads each story of testdata/problems, the file querent.yaml or
// the folder conf, and compares what is wrong with it with the file want.
func TestProblems(t *testing.T) {
	stories, err := filepath.Glob("testdata/problems/*.txtar")
	if err != nil || len(stories) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, story := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(story), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(story)
			if err != nil {
				t.Fatal(err)
			}
			got := problemsOf(t, archive)
			if rewriting() {
				setFile(archive, "want", got)
				if err := os.WriteFile(story, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := file(archive, "want"); got != want {
				t.Errorf("problems:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// problemsOf is what Load says, with the folder of the test left out.
func problemsOf(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "querent.yaml")
	if _, err := os.Stat(name); err != nil {
		name = filepath.Join(dir, "conf")
	}
	c, _, err := config.Load(name)
	var problems config.Problems
	if !errors.As(err, &problems) || c != nil {
		t.Fatalf("Load = %v, %v; want Problems alone", c, err)
	}
	return strings.ReplaceAll(problems.Error(), dir+"/", "") + "\n"
}

func rewriting() bool { return flag.Lookup("update").Value.String() == "true" }

func file(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setFile(a *txtar.Archive, name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(data)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
}
