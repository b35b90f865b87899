package pack

import (
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// lines finds the lines of a document's parts. The zero lines finds none.
type lines struct{ file *ast.File }

func linesOf(content []byte) lines {
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		return lines{} // what is wrong with it, decoding says
	}
	return lines{file}
}

// of is the line of the value that the steps lead to, strings for keys and
// integers for positions, or 0 where there is none.
func (l lines) of(steps ...any) int {
	if l.file == nil {
		return 0
	}
	at := (&yaml.PathBuilder{}).Root()
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			at = at.Child(step)
		case int:
			at = at.Index(uint(step))
		}
	}
	node, err := at.Build().FilterFile(l.file)
	if err != nil || node == nil || node.GetToken() == nil {
		return 0
	}
	return node.GetToken().Position.Line
}
