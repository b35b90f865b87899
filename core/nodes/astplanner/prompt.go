package astplanner

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/internal/fence"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/wire"
)

//go:embed rules.txt
var ownRules string

// schemaName is what model servers call the form of the answer.
const schemaName = "query_plan"

// longestNote is, in characters, how much of a description goes into a prompt:
// a sentence or two. Small models have short contexts.
const longestNote = 160

// prompt is what a model is asked: rules and the plan language as the system's
// message, the data and the question as the user's. All that comes from outside
// stands between tags that it cannot close.
func (n *Node) prompt(in Input, data config.Data) provider.Prompt {
	var turn strings.Builder
	fence.Section(&turn, "schema", SchemaText(in.Tables))
	fence.Section(&turn, "clock", fmt.Sprintf("now %s, zone %s, weeks begin on %s, the fiscal year on %s",
		in.Clock.Now.Format(time.RFC3339), n.Time.Zone, n.Time.WeekStart, n.Time.FiscalYearStart))
	if data.Values && len(in.ValueHits) > 0 {
		fence.Section(&turn, "values", valueText(in.ValueHits))
	}
	fence.Section(&turn, "question", in.Question)
	if in.Intent != "" && in.Intent != in.Question {
		fence.Section(&turn, "part", in.Intent)
	}
	if len(in.ExpectedSchema) > 0 {
		fence.Section(&turn, "columns", strings.Join(in.ExpectedSchema, ", "))
	}
	if len(in.Feedback) > 0 {
		fence.Section(&turn, "refused", strings.Join(in.Feedback, "\n"))
	}
	turn.WriteString("Write the plan.")
	system := strings.TrimSpace(n.rules()) + "\n\n" + reference()
	out := provider.NewPrompt(system, turn.String(), schemaName, wireForm())
	out.Enforced = enforcedForm(in.Tables)
	return out
}

// enforcedForm is the form of the answer for a server that enforces patterns: it
// lets a model name no other tables than those that it was shown.
func enforcedForm(v wire.CatalogView) json.RawMessage {
	tables := make([]string, len(v.Tables))
	for i, t := range v.Tables {
		tables[i] = t.Name
	}
	return plan.WireSchema(plan.SchemaOptions{Strict: true, Bounds: true, Tables: tables})
}

// What every prompt says alike is written once.
var (
	reference = sync.OnceValue(plan.PromptReference)
	wireForm  = sync.OnceValue(func() json.RawMessage { return plan.WireSchema(plan.SchemaOptions{Strict: true}) })
)

// SchemaText is a view as prompts show it, in few tokens: a line a column, keys as
// arrows.
func SchemaText(v wire.CatalogView) string {
	var out strings.Builder
	if v.Description != "" {
		fmt.Fprintf(&out, "-- %s\n", note(v.Description))
	}
	for _, t := range v.Tables {
		line(&out, "table ", t.Name, comment(t.Description, t.Synonyms))
		for _, c := range t.Columns {
			line(&out, "  ", plan.Name(c.Name), " ", c.Type.String(), keyText(t, c.Name), comment(c.Description, c.Synonyms))
		}
		for _, k := range t.ForeignKeys {
			if len(k.Columns) > 1 {
				fmt.Fprintf(&out, "  (%s) -> %s(%s)\n", names(k.Columns), k.Table, names(k.RefColumns))
			}
		}
	}
	return out.String()
}

// line writes a line of several parts. A schema has hundreds of them, and every
// question writes them all.
func line(out *strings.Builder, parts ...string) {
	for _, p := range parts {
		out.WriteString(p)
	}
	out.WriteByte('\n')
}

// keyText marks a key of one column; keys of several stand on their own line.
func keyText(t wire.TableView, column string) string {
	var out string
	if len(t.PrimaryKey) == 1 && t.PrimaryKey[0] == column {
		out = " key"
	}
	for _, k := range t.ForeignKeys {
		if len(k.Columns) == 1 && k.Columns[0] == column {
			out += " -> " + k.Table + "." + plan.Name(k.RefColumns[0])
		}
	}
	return out
}

func comment(description string, synonyms []string) string {
	var parts []string
	if description != "" {
		parts = append(parts, note(description))
	}
	if len(synonyms) > 0 {
		parts = append(parts, "also called "+note(strings.Join(synonyms, ", ")))
	}
	if len(parts) == 0 {
		return ""
	}
	return " -- " + strings.Join(parts, "; ")
}

// note makes one short line of a description.
func note(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > longestNote {
		s = string([]rune(s)[:longestNote]) + "…"
	}
	return s
}

func names(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = plan.Name(s)
	}
	return strings.Join(out, ", ")
}

func valueText(hits []wire.ValueHit) string {
	var out strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&out, "%q is in %s.%s as %q\n", h.Word, h.Table, plan.Name(h.Column), h.Value)
	}
	return out.String()
}
