package docgen

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// linkedModules are the modules whose code is in the host or a plugin, with the
// folders that hold them.
func linkedModules(t *testing.T) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/host", "./plugins/...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			found[p.Module.Path+" "+p.Module.Version] = p.Module.Dir
		}
	}
	return found
}

// licences reads the licence and notice files of a module.
func licences(t *testing.T, name, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !(strings.HasPrefix(upper, "LICEN") || strings.HasPrefix(upper, "NOTICE") || strings.HasPrefix(upper, "COPYING")) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s:\n\n%s\n\n", e.Name(), strings.TrimSpace(string(text)))
	}
	if b.Len() == 0 {
		t.Errorf("%s has no licence file", name)
	}
	return b.String()
}

func TestThirdPartyNotices(t *testing.T) {
	modules := linkedModules(t)
	names := make([]string, 0, len(modules))
	for name := range modules {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString("Querent's binaries contain code of the modules below, under the licences given.\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s", strings.Repeat("=", 80), name, licences(t, name, modules[name]))
	}
	words, err := os.ReadFile(filepath.Join(root, "core/answer/ground/words/COPYRIGHT"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n%s\nThe list of common English words (SCOWL)\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(string(words)))
	check(t, "docs/third-party-notices.txt", b.String())
}
