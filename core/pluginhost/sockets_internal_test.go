package pluginhost

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestStaleFoldersAreRemovedAndNothingElse makes what a killed host leaves behind
// beside folders that only look like it.
func TestStaleFoldersAreRemovedAndNothingElse(t *testing.T) {
	base, err := os.MkdirTemp("", "q")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	folder := func(name string, files ...string) string {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Join(path, "plugin-dir1"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(path, f), []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	stale := folder(socketDirPrefix + "1")
	listener, err := net.Listen("unix", filepath.Join(stale, "plugin-dir1", "plugin1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	kept := []string{folder("querent-project", "querent.yaml"), folder(socketDirPrefix+"2", "notes.txt"), folder("querent-demo")}
	young := folder(socketDirPrefix + "3")
	old := time.Now().Add(-2 * staleAge)
	for _, path := range append(kept, stale) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}

	removeStale(base)

	if _, err := os.Stat(stale); err == nil {
		t.Errorf("%s is still there", stale)
	}
	for _, path := range append(kept, young) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s was removed", path)
		}
	}
}
