package plan

import (
	"encoding/json"
)

// SchemaOptions choose the JSON Schema of the wire plan.
type SchemaOptions struct {
	// Strict requires every key, as some servers demand; "", [] and 0 stand for
	// nothing then.
	Strict bool
	// Bounds adds lengths, for servers that enforce them.
	Bounds bool
	// Reasoning asks for a short text before the plan.
	Reasoning bool
	// Tables are the plan names of the tables that may be read, as a wire.TableView
	// has them. Beside Bounds they become a pattern of from and joins, which takes
	// them and the blocks b1 to b9 and nothing else; blocks then have such names. The
	// pattern is left out for more than 2,000 tables, for names that are together too
	// long for a server, and where JSON must escape a character of one.
	Tables []string
}

// The lengths asked of models, in characters and entries. Every clause of the
// measured plans is far shorter; the parser takes more than is asked for.
const (
	askedExpr      = 400
	askedWhere     = 1000
	askedReasoning = 200
	askedName      = 40
	askedItems     = 30
	askedBlocks    = 8
)

// WireSchema is the JSON Schema of what a model is to return: two flat objects,
// without $ref and anyOf, which several model servers mis-handle. Required keys
// come first and in the order in which they are to be written, since servers
// that constrain the output write them so.
func WireSchema(o SchemaOptions) json.RawMessage {
	b := schemaBuilder{SchemaOptions: o}
	if o.Bounds {
		b.sources = sourcePattern(o.Tables)
	}
	block := b.object([]property{
		{"name", b.block(), true},
		{"op", object{{"type", "string"}, {"enum", []BlockOp{OpSelect, OpUnion, OpUnionAll, OpIntersect, OpExcept}}}, true},
		{"of", b.list(b.block(), askedItems), true},
	}, b.clauses(), []property{{"recursive", object{{"type", "boolean"}}, false}})
	first := []property{{"with", b.list(block, askedBlocks), true}}
	if o.Reasoning {
		first = append([]property{{"reasoning", b.text(askedReasoning), true}}, first...)
	}
	text, err := json.Marshal(b.object(first, b.clauses()))
	if err != nil {
		panic("plan: the schema does not encode: " + err.Error()) // it holds strings, numbers and lists of them
	}
	return text
}

type schemaBuilder struct {
	SchemaOptions
	sources string // the pattern of tables and blocks; "": any text
}

// property is a key of an object. One that is not required is in strict mode.
type property struct {
	name     string
	schema   object
	required bool
}

func (b schemaBuilder) clauses() []property {
	exprs := b.list(b.text(askedExpr), askedItems)
	count := object{{"type", "integer"}}
	if b.Bounds {
		count = append(count, member{"minimum", 0})
	}
	return []property{
		{"from", b.source("", "?", ""), true},
		{"joins", b.list(b.source(joinPattern, "", conditionPattern), askedItems), true},
		{"where", b.text(askedWhere), true},
		{"group", exprs, true},
		{"select", exprs, true},
		{"having", b.text(askedExpr), false},
		{"order", exprs, false},
		{"limit", count, false},
		{"offset", count, false},
		{"per", exprs, false},
		{"distinct", object{{"type", "boolean"}}, false},
	}
}

// source is a table clause: a table or a block, with what may stand around it.
func (b schemaBuilder) source(before, times, after string) object {
	if b.sources == "" {
		return b.text(askedExpr)
	}
	return pattern("(" + before + b.sources + aliasPattern + after + ")" + times)
}

// block is the name of a block.
func (b schemaBuilder) block() object {
	if b.sources == "" {
		return b.text(askedName)
	}
	return pattern(blockPattern)
}

func pattern(whole string) object {
	return object{{"type", "string"}, {"pattern", "^" + whole + "$"}}
}

func (b schemaBuilder) text(length int) object {
	if !b.Bounds {
		return object{{"type", "string"}}
	}
	return object{{"type", "string"}, {"maxLength", length}}
}

func (b schemaBuilder) list(items object, length int) object {
	out := object{{"type", "array"}, {"items", items}}
	if b.Bounds {
		out = append(out, member{"maxItems", length})
	}
	return out
}

func (b schemaBuilder) object(groups ...[]property) object {
	var properties object
	var required []string
	for _, group := range groups {
		for _, p := range group {
			properties = append(properties, member{p.name, p.schema})
			if p.required || b.Strict {
				required = append(required, p.name)
			}
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}
