package houserules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// eachFile parses every hand-written source file of the module.
func eachFile(t *testing.T, check func(p goPackage, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			if strings.HasSuffix(name, ".pb.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			check(p, fset, f)
		}
	}
}

func TestNothingPrintsInPluginsAndLibraries(t *testing.T) {
	eachFile(t, func(p goPackage, fset *token.FileSet, f *ast.File) {
		if strings.HasPrefix(p.ImportPath, module+"cmd/") || strings.Contains(p.ImportPath, "/internal/testplugin") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch fun := call.Fun.(type) {
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == "fmt" && strings.HasPrefix(fun.Sel.Name, "Print") {
					t.Errorf("%s: fmt.%s writes to standard output", fset.Position(call.Pos()), fun.Sel.Name)
				}
			case *ast.Ident:
				if fun.Name == "println" || fun.Name == "print" {
					t.Errorf("%s: %s", fset.Position(call.Pos()), fun.Name)
				}
			}
			return true
		})
	})
}

func TestExportedNamesAreDocumented(t *testing.T) {
	eachFile(t, func(p goPackage, fset *token.FileSet, f *ast.File) {
		if f.Name.Name == "main" {
			return
		}
		var before *ast.FuncDecl
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && !onUnexportedType(d) && !continues(fset, before, d) {
					t.Errorf("%s: %s has no doc comment", fset.Position(d.Pos()), d.Name.Name)
				}
				before = d
			case *ast.GenDecl:
				undocumented(t, fset, d)
			}
		}
	})
}

// continues reports whether d is the next line of a block of one-line methods
// that share a name and the comment above the first.
func continues(fset *token.FileSet, before, d *ast.FuncDecl) bool {
	return before != nil && before.Name.Name == d.Name.Name &&
		fset.Position(before.End()).Line+1 == fset.Position(d.Pos()).Line
}

func onUnexportedType(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return false
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return !x.IsExported()
		default:
			return false
		}
	}
}

func undocumented(t *testing.T, fset *token.FileSet, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: type %s has no doc comment", fset.Position(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: %s has no doc comment", fset.Position(s.Pos()), name.Name)
				}
			}
		}
	}
}

func TestNoContextInStructs(t *testing.T) {
	eachFile(t, func(p goPackage, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				if sel, ok := field.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "Context" {
					if x, ok := sel.X.(*ast.Ident); ok && x.Name == "context" {
						t.Errorf("%s: a context is stored in a struct", fset.Position(field.Pos()))
					}
				}
			}
			return true
		})
	})
}

// longestFile is where a file stops being readable at a sitting.
const longestFile = 600 // lines

func TestFilesAreShort(t *testing.T) {
	eachFile(t, func(p goPackage, fset *token.FileSet, f *ast.File) {
		if lines := fset.File(f.Pos()).LineCount(); lines > longestFile {
			t.Errorf("%s has %d lines; split it", fset.Position(f.Pos()).Filename, lines)
		}
	})
}

// The group test-ollama of the Makefile runs tests by their names.
func TestTestsOfTheTagOllamaAreNamedForTheirGroup(t *testing.T) {
	found := 0
	for _, p := range packages(t) {
		files, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Comments) == 0 || f.Comments[0].List[0].Text != "//go:build ollama" {
				continue
			}
			for _, decl := range f.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(d.Name.Name, "Test") {
					if found++; !strings.HasPrefix(d.Name.Name, "TestReal") {
						t.Errorf("%s: the name of %s does not begin with TestReal, so nothing runs it", name, d.Name.Name)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("there is no test of the tag ollama")
	}
}
