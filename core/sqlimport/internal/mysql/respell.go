package mysql

import (
	"strings"

	"github.com/sqlc-dev/marino/ast"
	"github.com/sqlc-dev/marino/format"
	mode "github.com/sqlc-dev/marino/mysql"
	"github.com/sqlc-dev/marino/parser"
)

// Respell writes the tables of a query as names has them, by their names in lower
// case, and each alias as it is written first: MariaDB tells their case apart on
// most systems.
func Respell(sql string, names map[string]string) (string, bool) {
	p := parser.New()
	p.SetSQLMode(mode.ModeIgnoreSpace)
	stmts, _, err := p.ParseSQL(sql)
	if err != nil || len(stmts) != 1 {
		return "", false
	}
	first := &speller{names: map[string]string{}}
	for name, spelling := range names {
		first.names[name] = spelling
	}
	first.collecting = true
	stmts[0].Accept(first)
	first.collecting = false
	stmts[0].Accept(first)
	var b strings.Builder
	err = stmts[0].Restore(format.NewRestoreCtx(format.DefaultRestoreFlags|format.RestoreStringWithoutCharset, &b))
	return b.String(), err == nil
}

// speller spells names anew on its second way through a tree; on its first it
// collects aliases.
type speller struct {
	names      map[string]string
	collecting bool
}

func (s *speller) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.TableSource:
		if s.collecting && n.AsName.O != "" {
			s.names[n.AsName.L] = n.AsName.O
		}
		n.AsName.O = s.spelled(n.AsName.O)
	case *ast.CommonTableExpression:
		if s.collecting {
			s.names[n.Name.L] = n.Name.O
		}
	case *ast.TableName:
		n.Name.O = s.spelled(n.Name.O)
	case *ast.ColumnName:
		n.Table.O = s.spelled(n.Table.O)
	case *ast.SelectStmt:
		if n.Fields != nil {
			for _, f := range n.Fields.Fields {
				if f.WildCard != nil {
					f.WildCard.Table.O = s.spelled(f.WildCard.Table.O)
				}
			}
		}
	}
	return n, false
}

func (s *speller) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (s *speller) spelled(name string) string {
	if other, ok := s.names[strings.ToLower(name)]; ok && !s.collecting && name != "" {
		return other
	}
	return name
}
