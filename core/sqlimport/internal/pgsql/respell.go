package pgsql

import (
	"strings"

	"github.com/sqlc-dev/oliphant/ast"
	"github.com/sqlc-dev/oliphant/parser"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Respell writes the tables and columns of a query as names has them, by their
// names in lower case.
func Respell(sql string, names map[string]string) (string, bool) {
	parsed, err := parser.ParseToTree(sql)
	if err != nil || len(parsed.Stmts) != 1 {
		return "", false
	}
	respell(parsed.ProtoReflect(), names)
	binary, err := proto.Marshal(parsed)
	if err != nil {
		return "", false
	}
	out, err := parser.DeparseFromProtobuf(binary)
	return out, err == nil
}

// respell goes through a tree. Names stand in the tables of from and in the parts
// of column references.
func respell(m protoreflect.Message, names map[string]string) {
	switch n := m.Interface().(type) {
	case *ast.RangeVar:
		n.Relname = spelled(n.Relname, names)
	case *ast.ColumnRef:
		for _, f := range n.Fields {
			if s := f.GetString_(); s != nil {
				s.Sval = spelled(s.Sval, names)
			}
		}
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				respell(v.List().Get(i).Message(), names)
			}
		default:
			respell(v.Message(), names)
		}
		return true
	})
}

func spelled(name string, names map[string]string) string {
	if other, ok := names[strings.ToLower(name)]; ok {
		return other
	}
	return name
}
