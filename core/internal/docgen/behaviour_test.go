package docgen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/reason"
)

const behaviourPage = "docs/behaviour.md"

// promise is a line of a table: a behaviour and the tests that prove it.
type promise struct {
	line   int
	what   string
	proofs []string
}

// named is a test as the page names it: package.Test, or package.Test/case.
var named = regexp.MustCompile("`([^`]+)`")

func promises(t *testing.T) []promise {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, behaviourPage))
	if err != nil {
		t.Fatal(err)
	}
	var out []promise
	for i, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasSuffix(line, "| proved by |") {
			continue
		}
		if len(cells) != 3 {
			t.Errorf("%s:%d has %d cells, want 3", behaviourPage, i+1, len(cells))
			continue
		}
		p := promise{line: i + 1, what: strings.TrimSpace(cells[0])}
		for _, m := range named.FindAllStringSubmatch(cells[2], -1) {
			p.proofs = append(p.proofs, m[1])
		}
		out = append(out, p)
	}
	return out
}

func TestEveryPromiseHasItsTest(t *testing.T) {
	packages := map[string]tests{}
	for _, p := range promises(t) {
		if len(p.proofs) == 0 {
			t.Errorf("%s:%d names no test", behaviourPage, p.line)
		}
		for _, proof := range p.proofs {
			folder, name, ok := strings.Cut(proof, ".")
			if !ok {
				t.Errorf("%s:%d: %q names no package", behaviourPage, p.line, proof)
				continue
			}
			if _, read := packages[folder]; !read {
				packages[folder] = testsOf(t, folder)
			}
			if !packages[folder].has(name) {
				t.Errorf("%s:%d: there is no test %s in %s", behaviourPage, p.line, name, folder)
			}
		}
	}
}

// TestEveryStepHasAPromise demands a line for each step of both graphs.
func TestEveryStepHasAPromise(t *testing.T) {
	drawing, err := pipeline.Mermaid()
	if err != nil {
		t.Fatal(err)
	}
	steps := []string{
		pipeline.StepVerifiedMatcher, pipeline.StepDatasourceResolver, pipeline.StepDecomposer, pipeline.StepGlobalPlanner, pipeline.StepRouter,
		pipeline.StepSchemaRetriever, pipeline.StepASTPlanner, pipeline.StepLogicalValidator, pipeline.StepGenerator, pipeline.StepPhysicalValidator,
		pipeline.StepExecutor, pipeline.StepRetryHandler, pipeline.StepRefiner, pipeline.StepEngineAggregator, pipeline.StepAnswerSynthesizer,
	}
	lines := promises(t)
	for _, step := range steps {
		if !strings.Contains(drawing, step) {
			t.Errorf("the graphs have no step %s", step)
		}
		if !slices.ContainsFunc(lines, func(p promise) bool { return p.what == step }) {
			t.Errorf("%s says nothing of %s", behaviourPage, step)
		}
	}
}

// tests are the tests of a package: its functions, and the names of their cases.
type tests struct{ functions, cases map[string]bool }

func testsOf(t *testing.T, folder string) tests {
	t.Helper()
	out := tests{map[string]bool{}, map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		out.read(tree)
	}
	scripts, err := filepath.Glob(filepath.Join(root, folder, "testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		out.cases[strings.TrimSuffix(filepath.Base(script), ".txtar")] = true
	}
	return out
}

func (ts tests) read(tree *ast.File) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				ts.functions[n.Name.Name] = true
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				ts.cases[text] = true
			}
		}
		return true
	})
}

// has tells whether the package has the test, and a case of that name: a text of its
// tests, a script, or a code or warning of the tables that its tests walk through.
func (ts tests) has(name string) bool {
	function, sub, one := strings.Cut(name, "/")
	known := func(r reason.Row) bool { return string(r.Code) == sub }
	return ts.functions[function] &&
		(!one || ts.cases[sub] || slices.ContainsFunc(reason.Rows(), known) || slices.Contains(reason.Warnings(), reason.Warning(sub)))
}
