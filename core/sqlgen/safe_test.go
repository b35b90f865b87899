package sqlgen_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/sqlgen"
)

// hostName is a name that the renderer makes.
var hostName = regexp.MustCompile(`^([tbcekx][0-9]+|n)$`)

// hostText is a text that the renderer writes by itself: formats and modifiers
// of dates, separators, patterns of digits, truth values.
var hostText = regexp.MustCompile(`^(| |[-.]|\+|%[-%A-Za-z: .*0]+|unixepoch|start of (month|year)|weekday [04]|[- +]?[0-9]? ?days|[-+]?6 days| (days|months|years|hours|minutes|seconds)| months|\+1 month|-1 day|%04d-%02d-%02d|Sunday [A-Za-z ]+|January [A-Za-z ]+|floor|[0-9]|true|false|t|f|\*\[\^0-9\]\*|(\[0-9\]|-|\*)+)$`)

// assertSafe parses a statement with an independent parser and demands what is
// always true of one: a single SELECT, only tables that the policy has passed,
// only names of the catalog (quoted) or of the renderer (bare), only texts of
// the renderer, and as many placeholders as arguments.
func assertSafe(t *testing.T, s sqlgen.Statement, secured policy.Secured) {
	t.Helper()
	stmts, err := parser.ParseString(s.SQL())
	if err != nil || len(stmts) != 1 {
		t.Fatalf("%d statements, %v:\n%s", len(stmts), err, s.SQL())
	}
	if _, ok := stmts[0].(*ast.SelectStmt); !ok {
		t.Fatalf("the statement is a %T:\n%s", stmts[0], s.SQL())
	}
	c := &checker{t: t, sql: s.SQL(), known: map[string]bool{}, functions: map[*ast.Ident]bool{}}
	for _, tab := range secured.Tables() {
		c.tables = append(c.tables, tab.Schema+"\x00"+tab.Name)
		c.known[tab.Schema], c.known[tab.Name] = true, true
	}
	for _, col := range s.Reads() {
		c.known[col.Name] = true
	}
	ast.Walk(stmts[0], c.node)
	if c.params != len(s.Args()) {
		t.Errorf("%d placeholders for %d arguments:\n%s", c.params, len(s.Args()), s.SQL())
	}
}

type checker struct {
	t         *testing.T
	sql       string
	tables    []string
	known     map[string]bool
	functions map[*ast.Ident]bool
	params    int
}

func (c *checker) node(n ast.Node) bool {
	c.t.Helper()
	switch n := n.(type) {
	case *ast.BindParam:
		c.params++
	case *ast.FuncCall:
		c.functions[n.Name] = true
		if n.Name.Quote != ast.QuoteNone || !regexp.MustCompile(`^[a-z_0-9]+$`).MatchString(n.Name.Name) {
			c.t.Errorf("a function named %q:\n%s", n.Name.Raw, c.sql)
		}
	case *ast.TableRef:
		c.table(n)
	case *ast.Ident:
		c.name(n)
	case *ast.Literal:
		if strings.HasPrefix(n.Raw, "'") && !hostText.MatchString(n.Value) {
			c.t.Errorf("a text that the renderer does not write: %s\n%s", n.Raw, c.sql)
		}
	}
	return true
}

func (c *checker) table(n *ast.TableRef) {
	c.t.Helper()
	switch {
	case n.Name == nil:
	case n.Name.Schema != nil:
		if !slices.Contains(c.tables, n.Name.Schema.Name+"\x00"+n.Name.Name.Name) {
			c.t.Errorf("the table %s.%s was not passed by the policy:\n%s", n.Name.Schema.Raw, n.Name.Name.Raw, c.sql)
		}
	case !strings.HasPrefix(n.Name.Name.Raw, "b"):
		c.t.Errorf("a table without its schema: %s\n%s", n.Name.Name.Raw, c.sql)
	}
}

func (c *checker) name(n *ast.Ident) {
	c.t.Helper()
	switch {
	case c.functions[n]:
	case n.Quote == ast.QuoteNone:
		if !hostName.MatchString(n.Name) && !slices.Contains([]string{"GLOB", "LIKE", "BINARY", "INTEGER", "REAL", "TEXT", "NUMERIC"}, n.Name) {
			c.t.Errorf("a bare name that the renderer does not make: %s\n%s", n.Raw, c.sql)
		}
	case !c.known[n.Name]:
		c.t.Errorf("a name that is none of what is read: %s\n%s", n.Raw, c.sql)
	}
}
