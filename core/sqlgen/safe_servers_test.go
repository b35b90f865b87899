package sqlgen_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	marino "github.com/sqlc-dev/marino/ast"
	marinoparser "github.com/sqlc-dev/marino/parser"
	"github.com/sqlc-dev/oliphant"
	"google.golang.org/protobuf/reflect/protoreflect"

	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

var adversarial = flag.Int("adversarial", drill.Size(1500, 100_000), "how many hostile plans to render for PostgreSQL and MariaDB")

// serverText is a text that the renderers of servers write by themselves: names
// of formats, units and zones, separators, and the patterns of numbers and days.
var serverText = regexp.MustCompile(`^([-A-Za-z0-9: ,.%!*]{0,24}|\^.*\[0-9\].*|\x{fdd0}|\(\?<=\[0-9.: \]\).*|\[0-9\]\{2\}:.*)$`)

// frameRows are the rows that a window counts, which MariaDB takes as digits
// alone.
var frameRows = regexp.MustCompile(`\b31337( PRECEDING| FOLLOWING|\) OVER)`)

// hostileParts are what names are made of: quotes, comments, placeholders, words
// of SQL, and what is not seen.
var hostileParts = []string{
	`"`, "`", "'", "''", `\`, "--", "/*", "*/", "/*!50000", "#", ";", "?", "$1", "$$", "$tag$", ":x", "@x", "%s", "{}", "select", "from", "order",
	"union", "0x", "\u202e", "\u200b", "\ufeff", "\u2028", "\x00", "\xff", "\t", "\n", " ", "가", "é", "ſ", "K", "t1", "c1", "b1", "x1", "n", ".", "(", ")", "E'", "U&'", "B'",
}

func hostileName(random *rand.Rand) string {
	if random.IntN(200) == 0 {
		return strings.Repeat(hostileParts[random.IntN(len(hostileParts))], 10_000) // a name of 10 KB and more
	}
	var name strings.Builder
	for range 1 + random.IntN(4) {
		name.WriteString(hostileParts[random.IntN(len(hostileParts))])
	}
	return name.String()
}

// TestHostilePlansForServers renders random plans over catalogs of hostile names
// for PostgreSQL and MariaDB, parses them with full parsers of both, and demands
// what is always true. A drill tries 100,000.
func TestHostilePlansForServers(t *testing.T) {
	random, p := rand.New(rand.NewPCG(21, 22)), open(t)
	rendered := map[schema.Dialect]int{}
	for i := range *adversarial {
		var names []string
		for range 6 {
			names = append(names, hostileName(random))
		}
		const secret = "constant text of a plan"
		g := &generator{choices: randomChoices(random), names: names, text: secret + names[0]}
		g.cat = g.catalog()
		secured, err := p.Secure(g.cat, g.query(), reader)
		if err != nil {
			t.Fatalf("securing: %v", err)
		}
		for _, d := range []schema.Dialect{schema.Postgres, schema.MySQL} {
			s, err := sqlgen.Render(secured, d, sqlgen.Options{})
			if err != nil {
				long := slices.ContainsFunc(names, func(name string) bool { return len(name) > 60 })
				if !errors.Is(err, &reason.Error{Code: reason.PlanInvalid}) && plainNames(names) && !long {
					t.Fatalf("%s: %v", d, err)
				}
				continue
			}
			rendered[d]++
			if text := frameRows.ReplaceAllString(s.SQL(), ""); strings.Contains(text, secret) || strings.Contains(text, "3133") {
				t.Errorf("a constant is in the text:\n%s", s.SQL())
			}
			if d == schema.Postgres {
				assertSafePostgres(t, s, secured)
			} else {
				assertSafeMariaDB(t, s, secured)
			}
		}
		if t.Failed() {
			t.Fatalf("plan %d", i)
		}
	}
	for d, n := range rendered {
		if n < *adversarial/4 {
			t.Errorf("only %d of %d plans were rendered for %s", n, *adversarial, d)
		}
	}
	t.Logf("rendered: %v", rendered)
}

// surroundings are what a statement may name.
type surroundings struct {
	t      *testing.T
	sql    string
	tables []string
	names  map[string]bool
}

func surroundingsOf(t *testing.T, s sqlgen.Statement, secured policy.Secured, fold func(string) string) surroundings {
	e := surroundings{t: t, sql: s.SQL(), names: map[string]bool{}}
	for _, tab := range secured.Tables() {
		e.tables = append(e.tables, fold(tab.Schema)+"\x00"+fold(tab.Name))
	}
	for _, c := range s.Reads() {
		e.names[fold(c.Name)] = true
	}
	return e
}

func (e surroundings) wrong(format string, args ...any) {
	e.t.Helper()
	e.t.Errorf(format+"\n%s", append(args, e.sql)...)
}

// table demands a qualified table that the policy has passed, or a block.
func (e surroundings) table(schemaName, name string) {
	e.t.Helper()
	if schemaName == "" && regexp.MustCompile(`^b[0-9]+$`).MatchString(name) {
		return
	}
	if !slices.Contains(e.tables, schemaName+"\x00"+name) {
		e.wrong("the table %q.%q was not passed by the policy", schemaName, name)
	}
}

// column demands a name of what is read behind an alias, or one of the renderer.
func (e surroundings) column(alias, name string) {
	e.t.Helper()
	switch {
	case alias == "" && hostName.MatchString(name):
	case hostName.MatchString(alias) && (e.names[name] || regexp.MustCompile(`^([cekxw][0-9]+|n)$`).MatchString(name)):
	default:
		e.wrong("the column %q.%q is none of what is read", alias, name)
	}
}

func (e surroundings) constant(text string) {
	e.t.Helper()
	if !serverText.MatchString(text) {
		e.wrong("a text that the renderer does not write: %q", text)
	}
}

func (e surroundings) function(name string) {
	e.t.Helper()
	if !regexp.MustCompile(`^[a-zA-Z_0-9]+$`).MatchString(name) {
		e.wrong("a function named %q", name)
	}
}

func assertSafePostgres(t *testing.T, s sqlgen.Statement, secured policy.Secured) {
	t.Helper()
	tree, err := oliphant.Parse(s.SQL())
	if err != nil || len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil {
		t.Fatalf("no single select: %v\n%s", err, s.SQL())
	}
	e := surroundingsOf(t, s, secured, func(s string) string { return s })
	params := map[int64]bool{}
	walkMessages(tree.ProtoReflect(), func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *oliphant.RangeVar:
			e.table(n.Schemaname, n.Relname)
		case *oliphant.ColumnRef:
			parts := make([]string, len(n.Fields))
			for i, f := range n.Fields {
				parts[i] = f.GetString_().GetSval()
			}
			if len(parts) == 1 {
				parts = append([]string{""}, parts...)
			}
			e.column(parts[0], parts[1])
		case *oliphant.A_Const:
			if text := n.GetSval(); text != nil {
				e.constant(text.Sval)
			}
		case *oliphant.FuncCall:
			e.function(n.Funcname[len(n.Funcname)-1].GetString_().GetSval())
		case *oliphant.ParamRef:
			params[int64(n.Number)] = true
		case *oliphant.CollateClause:
			if n.Collname[0].GetString_().GetSval() != "C" {
				e.wrong("a collation that the renderer does not name")
			}
		case *oliphant.SelectStmt:
			if n.IntoClause != nil || len(n.LockingClause) > 0 {
				e.wrong("the select writes or locks")
			}
		case *oliphant.InsertStmt, *oliphant.UpdateStmt, *oliphant.DeleteStmt, *oliphant.CopyStmt, *oliphant.DropStmt:
			e.wrong("there is a %T", n)
		}
	})
	if len(params) != len(s.Args()) {
		t.Errorf("%d placeholders for %d arguments:\n%s", len(params), len(s.Args()), s.SQL())
	}
}

func walkMessages(m protoreflect.Message, visit func(protoreflect.Message)) {
	visit(m)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				walkMessages(v.List().Get(i).Message(), visit)
			}
		default:
			walkMessages(v.Message(), visit)
		}
		return true
	})
}

// percentile is a function of MariaDB that the parser, one of MySQL, does not know;
// it is read as a window function of the same arguments.
var percentile = regexp.MustCompile(`PERCENTILE_CONT\(CAST\((0\.5|\?) AS DOUBLE\(65,30\)\)\) WITHIN GROUP \(ORDER BY `)

func assertSafeMariaDB(t *testing.T, s sqlgen.Statement, secured policy.Secured) {
	t.Helper()
	text := percentile.ReplaceAllString(s.SQL(), "FIRST_VALUE($1 + ")
	text = strings.ReplaceAll(text, "utf8mb4_nopad_bin", "utf8mb4_bin") // of which MySQL has the second alone
	stmts, _, err := marinoparser.New().ParseSQL(text)
	if err != nil || len(stmts) != 1 {
		t.Fatalf("%d statements, %v\n%s", len(stmts), err, s.SQL())
	}
	if _, ok := stmts[0].(marino.ResultSetNode); !ok {
		t.Fatalf("the statement is a %T\n%s", stmts[0], s.SQL())
	}
	v := &mariaVisitor{surroundings: surroundingsOf(t, s, secured, strings.ToLower)}
	stmts[0].Accept(v)
	if v.params != len(s.Args()) {
		t.Errorf("%d placeholders for %d arguments:\n%s", v.params, len(s.Args()), s.SQL())
	}
}

type mariaVisitor struct {
	surroundings
	params int
}

func (v *mariaVisitor) Leave(n marino.Node) (marino.Node, bool) { return n, true }

func (v *mariaVisitor) Enter(n marino.Node) (marino.Node, bool) {
	switch n := n.(type) {
	case *marino.TableName:
		v.table(n.Schema.L, n.Name.L)
	case *marino.ColumnName:
		v.column(n.Table.L, n.Name.L)
	case *marino.FuncCallExpr:
		// This is how the parser names DATE '…' and TIMESTAMP '…'.
		v.function(strings.TrimPrefix(n.FnName.L, "'tidb`.("))
	case *marino.AggregateFuncExpr:
		v.function(n.F)
	case *marino.WindowFuncExpr:
		v.function(n.Name)
	case marino.ParamMarkerExpr:
		v.params++
	case marino.ValueExpr:
		if text, ok := n.GetValue().(string); ok {
			v.constant(text)
		}
	case *marino.SelectStmt:
		if n.SelectIntoOpt != nil || n.LockInfo != nil {
			v.wrong("the select writes or locks")
		}
	case *marino.VariableExpr:
		v.wrong("there is a variable")
	}
	return n, false
}

// TestNamesOfServersKeepTheirText quotes every hostile name so that the parser of
// the dialect reads it back unchanged.
func TestNamesOfServersKeepTheirText(t *testing.T) {
	random, p := rand.New(rand.NewPCG(23, 24)), open(t)
	for range 300 {
		name := hostileName(random)
		if strings.Contains(name, "\x00") || !utf8.ValidString(name) {
			continue
		}
		tab := tableOf("t", "id int!", "x int")
		tab.Name, tab.Columns[1].Name = name, name
		cat := schema.Build("names", schema.Postgres, []*schema.Table{tab})
		secured, err := p.Secure(cat, selectOf(tab), reader)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []schema.Dialect{schema.Postgres, schema.MySQL} {
			s, err := sqlgen.Render(secured, d, sqlgen.Options{})
			if err != nil {
				if len(name) < 60 {
					t.Fatal(err)
				}
				continue
			}
			if d == schema.Postgres {
				assertSafePostgres(t, s, secured)
			} else {
				assertSafeMariaDB(t, s, secured)
			}
		}
	}
}

// selectOf reads every column of a table.
func selectOf(tab *schema.Table) *plan.Query {
	src := &plan.Source{Table: tab, Alias: "t"}
	b := &plan.Block{Op: plan.OpSelect, Sources: []*plan.Source{src}}
	for _, c := range tab.Columns {
		b.Select = append(b.Select, plan.Item{Label: c.Name, Expr: &plan.Column{Source: src, Column: c}})
	}
	return &plan.Query{Blocks: []*plan.Block{b}}
}
