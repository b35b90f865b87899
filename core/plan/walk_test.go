package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// exprTypes is one value of every type of expression, with nothing in it.
// TestExprTypesAreComplete compares the list with the package's source.
var exprTypes = []Expr{
	&Column{}, &Output{}, &Literal{}, &Call{}, &Binary{}, &Not{}, &Neg{}, &IsNull{}, &InList{}, &InBlock{},
	&Exists{}, &Scalar{}, &Between{}, &Like{}, &Case{}, &Cast{}, &During{},
	&Window{Call: &Call{}}, &Lookup{},
}

func TestExprTypesAreComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range exprTypes {
		listed[reflect.TypeOf(e).Elem().Name()] = true
	}
	found := 0
	for name, recv := range typeMethods(t) {
		found++
		if _, pointer := recv.(*ast.StarExpr); !pointer {
			t.Errorf("%s has its Type method on the value: walkers look for pointers", name)
		}
		if !listed[name] {
			t.Errorf("%s has a Type method but is not walked", name)
		}
	}
	if found != len(exprTypes) {
		t.Errorf("%d types with a Type method, %d listed", found, len(exprTypes))
	}
}

// typeMethods finds the receivers of the methods named Type in the package's
// source, by the name of their type.
func typeMethods(t *testing.T) map[string]ast.Expr {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]ast.Expr{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "Type" && fn.Recv != nil {
				recv := fn.Recv.List[0].Type
				out[strings.TrimPrefix(types.ExprString(recv), "*")] = recv
			}
		}
	}
	return out
}

// TestWalkVisitsEveryField puts a marker wherever a type can hold an expression
// and demands that the walker finds each.
func TestWalkVisitsEveryField(t *testing.T) {
	for _, e := range exprTypes {
		typ := reflect.TypeOf(e).Elem()
		v := reflect.New(typ)
		v.Elem().Set(reflect.ValueOf(e).Elem())
		markers := place(v.Elem(), typ.Name())
		walk := func(visit func(Expr) bool) error { return Walk(v.Interface().(Expr), visit) }
		checkMarkers(t, markers, walk)
	}
}

func TestBlockWalkVisitsEveryField(t *testing.T) {
	v := &Block{}
	markers := place(reflect.ValueOf(v).Elem(), "Block")
	if len(markers) < 9 {
		t.Fatalf("only %d places for expressions found in a block", len(markers))
	}
	checkMarkers(t, markers, v.Walk)
}

func checkMarkers(t *testing.T, markers map[Expr]string, walk func(func(Expr) bool) error) {
	t.Helper()
	if err := walk(func(e Expr) bool { delete(markers, e); return true }); err != nil {
		t.Fatal(err)
	}
	for _, where := range markers {
		t.Errorf("%s is not walked", where)
	}
}

// place puts a marker of its own into every field of v that can hold an
// expression, in new elements of lists and in structs too, and says where each
// is. It does not follow pointers: what they lead to is walked as a block of
// its own.
func place(v reflect.Value, where string) map[Expr]string {
	out := map[Expr]string{}
	switch {
	case v.Type() == reflect.TypeFor[Expr]():
		marker := &Column{Source: &Source{}}
		v.Set(reflect.ValueOf(marker))
		out[marker] = where
	case v.Type() == reflect.TypeFor[[]*Source]():
		s := &Source{}
		out = place(reflect.ValueOf(s).Elem(), where)
		v.Set(reflect.ValueOf([]*Source{s}))
	case v.Type() == reflect.TypeFor[map[*schema.Column]Expr]():
		marker := &Column{Source: &Source{}}
		v.Set(reflect.ValueOf(map[*schema.Column]Expr{{}: marker}))
		out[marker] = where
	case v.Type() == reflect.TypeFor[*Call]():
		c := &Call{}
		out = place(reflect.ValueOf(c).Elem(), where)
		v.Set(reflect.ValueOf(c))
	case v.Kind() == reflect.Slice && v.CanSet():
		elem := reflect.New(v.Type().Elem()).Elem()
		out = place(elem, where+"[0]")
		v.Set(reflect.Append(v, elem))
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[wire.Value]():
		for i := range v.NumField() {
			maps.Copy(out, place(v.Field(i), where+"."+v.Type().Field(i).Name))
		}
	}
	return out
}

type foreign struct{}

func (foreign) Type() wire.Type { return wire.Type{} }

func TestWalkRefusesForeignTypes(t *testing.T) {
	hidden := &Not{X: &Case{Else: foreign{}}}
	if err := Walk(hidden, func(Expr) bool { return true }); err == nil {
		t.Error("an expression of another package was walked")
	}
	if err := (&Block{Per: []Expr{foreign{}}}).Walk(func(Expr) bool { return true }); err == nil {
		t.Error("a block with an expression of another package was walked")
	}
}

func TestWalkStopsWhereToldTo(t *testing.T) {
	inner := &Column{Source: &Source{Table: &schema.Table{}}}
	outer := &Not{X: inner}
	if err := Walk(outer, func(e Expr) bool {
		if e == inner {
			t.Error("went into an expression that was to be left alone")
		}
		return false
	}); err != nil {
		t.Fatal(err)
	}
}

func TestReadsNamesTheBlock(t *testing.T) {
	b := &Block{}
	for _, e := range []Expr{&InBlock{Block: b}, &Exists{Source: &Source{Block: b}}, &Scalar{Block: b}, &Lookup{Source: &Source{Block: b}}} {
		if Reads(e) != b {
			t.Errorf("%T: the block it reads is not named", e)
		}
	}
	// Every type with a way to a block must be known to Reads.
	for _, e := range exprTypes {
		typ := reflect.TypeOf(e).Elem()
		for i := range typ.NumField() {
			direct := typ.Field(i).Type == reflect.TypeFor[*Block]()
			source := typ.Field(i).Type == reflect.TypeFor[*Source]() && (typ.Name() == "Exists" || typ.Name() == "Lookup")
			if !direct && !source {
				continue
			}
			switch e.(type) {
			case *InBlock, *Exists, *Scalar, *Lookup:
			default:
				t.Errorf("%s.%s leads to a block that Reads does not name", typ.Name(), typ.Field(i).Name)
			}
		}
	}
}
