package config

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxDepth bounds the nesting of a file; the deepest setting stands at 8.
const maxDepth = 40

// path is a way into the configuration: keys and indexes from the top.
type path []string

func (p path) with(step string) path { return append(p[:len(p):len(p)], step) }

func (p path) index() string { return strings.Join(p, "\x00") }

func (p path) String() string { return strings.Join(p, ".") }

// source is a configuration as it was written: its values, and where each
// stands. Values are map[string]any, []any, string, bool, int64, uint64 and
// float64; a key without a value is left out, as if it were not written.
type source struct {
	values map[string]any
	places map[string]Place // by path.index
}

// at is the place of p, or of the nearest thing around it that has one.
func (s *source) at(p path) Place {
	for n := len(p); n >= 0; n-- {
		if place, ok := s.places[p[:n].index()]; ok {
			place.Key = p.String()
			return place
		}
	}
	return Place{Key: p.String()}
}

// value is what stands at p, or nil.
func (s *source) value(p path) any { return valueAt(s.values, p) }

// valueAt follows p into a tree of maps and lists.
func valueAt(v any, p path) any {
	for _, step := range p {
		switch t := v.(type) {
		case map[string]any:
			v = t[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(t) {
				return nil
			}
			v = t[i]
		default:
			return nil
		}
	}
	return v
}

// readSource reads one file's content. A problem of the YAML itself ends the
// reading; what stands in the file is not judged here.
func readSource(file string, content []byte) (*source, Problems) {
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // editors on Windows write one
	parsed, err := parser.ParseBytes(content, 0)
	if err != nil {
		return nil, Problems{yamlProblem(file, err)}
	}
	r := reader{file: file, out: &source{values: map[string]any{}, places: map[string]Place{"": {File: file}}}}
	for i, doc := range parsed.Docs {
		if doc.Body == nil {
			continue
		}
		if i > 0 {
			r.fail(doc.Body, nil, "a file holds one document; remove the line ---")
			break
		}
		top, ok := r.value(doc.Body, nil).(map[string]any)
		if !ok {
			r.fail(doc.Body, nil, "expected sections such as providers: and datasources:")
			break
		}
		r.out.values = top
	}
	return r.out, r.problems
}

func yamlProblem(file string, err error) Problem {
	p := Problem{Place: Place{File: file}, Message: err.Error()}
	var located yaml.Error
	if errors.As(err, &located) {
		p.Message = located.GetMessage()
		if t := located.GetToken(); t != nil && t.Position != nil {
			p.Place.Line, p.Place.Column = t.Position.Line, t.Position.Column
		}
	}
	return p
}

type reader struct {
	file     string
	out      *source
	problems Problems
}

func (r *reader) place(t *token.Token, p path) Place {
	place := Place{File: r.file, Key: p.String()}
	if t != nil && t.Position != nil {
		place.Line, place.Column = t.Position.Line, t.Position.Column
	}
	return place
}

func (r *reader) fail(n ast.Node, p path, format string, args ...any) {
	start := n.GetToken()
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		start = m.Values[0].Key.GetToken()
	}
	r.problems = append(r.problems, Problem{r.place(start, p), fmt.Sprintf(format, args...)})
}

func (r *reader) value(n ast.Node, p path) any {
	if len(p) > maxDepth {
		r.fail(n, p[:maxDepth], "nested more than %d deep", maxDepth)
		return nil
	}
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		r.fail(n, p, "anchors, aliases and tags are not read; write the value out")
		return nil
	case *ast.MappingNode:
		return r.mapping(n.Values, p)
	case *ast.MappingValueNode:
		return r.mapping([]*ast.MappingValueNode{n}, p)
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for i, e := range n.Values {
			step := p.with(strconv.Itoa(i))
			r.out.places[step.index()] = r.place(e.GetToken(), step)
			list = append(list, r.value(e, step))
		}
		return list
	case *ast.LiteralNode:
		return n.Value.Value
	case ast.ScalarNode:
		v := n.GetValue()
		if big, ok := v.(uint64); ok && big > math.MaxInt64 {
			r.fail(n, p, "%d is too large", big)
		}
		return v
	}
	r.fail(n, p, "this kind of YAML is not read; write the value out")
	return nil
}

func (r *reader) mapping(pairs []*ast.MappingValueNode, p path) any {
	m := make(map[string]any, len(pairs))
	for _, pair := range pairs {
		if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
			r.fail(pair.Key, p, "merge keys (<<) are not read; write the values out")
			continue
		}
		key := keyText(pair.Key)
		step := p.with(key)
		r.out.places[step.index()] = r.place(pair.Key.GetToken(), step)
		if v := r.value(pair.Value, step); v != nil {
			m[key] = v
		}
	}
	return m
}

// keyText is a key as it was written, so that a key such as 1 or true keeps its
// spelling.
func keyText(key ast.MapKeyNode) string {
	if s, ok := key.(*ast.StringNode); ok {
		return s.Value
	}
	return key.GetToken().Value
}
