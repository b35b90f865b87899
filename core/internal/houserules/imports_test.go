// Package houserules holds the rules of the code base as tests: which package
// may import which, who may print, what is documented.
package houserules

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const module = "querent.dev/querent/"

// goPackage is what `go list -json` tells of a package.
type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Deps       []string
}

// packages lists every package of the module.
func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p goPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	return all
}

// rank orders the layers: a package imports only packages of its own or a lower
// rank. The longest matching prefix counts.
var rank = map[string]int{
	"sdk/wire": 0, "sdk/reason": 0,
	"sdk":           1,
	"plugins":       2,
	"core":          2,
	"core/nodes":    3,
	"core/pipeline": 4,
	"core/eval":     4,
	"core/server":   5, "core/telemetry": 5,
	"cmd/host": 6,
}

func layer(path string) (string, int) {
	path = strings.TrimPrefix(path, module)
	for prefix := path; ; {
		if r, ok := rank[prefix]; ok {
			return prefix, r
		}
		cut := strings.LastIndexByte(prefix, '/')
		if cut < 0 {
			return "", -1
		}
		prefix = prefix[:cut]
	}
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range packages(t) {
		from, r := layer(p.ImportPath)
		if r < 0 {
			t.Errorf("%s is in no layer: add it to rank", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if !strings.HasPrefix(imported, module) {
				continue
			}
			to, toRank := layer(imported)
			if toRank > r || (from == "plugins" && to == "core") || (from == "core" && to == "plugins") {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
		}
	}
}

func TestLeavesImportNothingOfTheModule(t *testing.T) {
	allowed := map[string]bool{module + "sdk/reason": true}
	for _, p := range packages(t) {
		if p.ImportPath != module+"sdk/wire" && p.ImportPath != module+"sdk/reason" {
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) && !allowed[imported] {
				t.Errorf("the leaf %s imports %s", p.ImportPath, imported)
			}
		}
	}
}

func TestOnlyPluginHostAndProviderUseTheSDK(t *testing.T) {
	leaves := map[string]bool{module + "sdk/wire": true, module + "sdk/reason": true}
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if !strings.HasPrefix(path, "core/") || strings.HasPrefix(path, "core/pluginhost") || path == "core/provider" {
			continue
		}
		for _, imported := range p.Imports {
			if (imported == module+"sdk" || strings.HasPrefix(imported, module+"sdk/")) && !leaves[imported] {
				t.Errorf("%s imports %s; core sees providers through core/provider", p.ImportPath, imported)
			}
		}
	}
}

// vendors are the clients that one plugin alone may link.
var vendors = map[string]string{
	"github.com/sashabaranov/go-openai": "plugins/openai",
	"github.com/ollama/ollama":          "plugins/ollama",
}

func TestVendorClientsStayInTheirPlugins(t *testing.T) {
	for _, p := range packages(t) {
		for _, dep := range p.Deps {
			for vendor, owner := range vendors {
				if (dep == vendor || strings.HasPrefix(dep, vendor+"/")) && !strings.HasPrefix(p.ImportPath, module+owner) {
					t.Errorf("%s links %s, which belongs to %s", p.ImportPath, dep, owner)
				}
			}
		}
	}
}

// The SQLite driver works with the one version of its C library that it was made
// with: https://gitlab.com/cznic/sqlite/-/issues/177.
func TestSQLiteHasTheLibcItWasMadeWith(t *testing.T) {
	version := func(args ...string) string {
		out, err := exec.Command("go", append([]string{"list", "-m", "-f"}, args...)...).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	goMod, err := os.ReadFile(version("{{.GoMod}}", "modernc.org/sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "modernc.org/libc " + version("{{.Version}}", "modernc.org/libc"); !strings.Contains(string(goMod), want) {
		t.Errorf("modernc.org/sqlite was not made with %s", want)
	}
}
