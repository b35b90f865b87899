package sqlgen

import (
	"slices"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// maxLength is the length in bytes beyond which a statement is refused: the
// adapter opens SQLite with a limit of 64 KiB, and what is longer is a plan that
// has got out of hand.
const maxLength = 64_000

// Options are what a statement depends on beside its plan.
type Options struct {
	// Zone is where the days, months and hours of a timestamp with zone are
	// counted; nil is UTC. It must be the zone of the clock that bound the plan.
	Zone *time.Location
}

// Render writes the statement of a secured plan in a dialect. The same plan
// always gives the same text. The error is UNMAPPED (unsupported_datasource) for
// a dialect that there is no renderer for, INVALID_STATE for a plan that policy
// has not made, and PLAN_INVALID for one that cannot be written.
func Render(s policy.Secured, d schema.Dialect, o Options) (Statement, error) {
	if !s.Valid() {
		return Statement{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "only a plan that policy has secured can be rendered")
	}
	lang, ok := dialects[d]
	if !ok {
		return Statement{}, reason.New(reason.UnmappedCode, reason.ReasonUnsupportedDatasource, "there is no renderer for the dialect %q", d).
			WithSafe("This version cannot ask a %s database.", d)
	}
	r := &renderer{dialect: lang, secured: s, zone: o.Zone, aliases: map[*plan.Source]string{}, names: map[*plan.Block]string{}, folds: map[*plan.Block]*fold{}}
	r.query(s.Query())
	if r.err == nil {
		r.err = checkPlaceholders(lang.marker(), string(r.text), len(r.args))
	}
	if r.err != nil {
		return Statement{}, r.err
	}
	return Statement{
		sql: string(r.text), args: r.args, columns: headers(s.Query()), reads: r.reads(), tables: s.Tables(), dialect: d, concealed: r.concealed,
	}, nil
}

// headers are the result's labels, types and tags.
func headers(q *plan.Query) []wire.Column {
	items, tags := q.Result().Columns(), q.Tags()
	out := make([]wire.Column, len(items))
	for i, item := range items {
		out[i] = wire.Column{Name: item.Label, Type: item.Expr.Type(), Tag: redact.TagOf(tags[i])}
	}
	return out
}

// reads is what the plan reads and what the renderer added to it.
func (r *renderer) reads() []*schema.Column {
	out := slices.Clone(r.secured.Reads())
	for _, c := range r.added {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// checkPlaceholders counts the placeholders in the text anew: an argument too
// many or too few would shift the others into the wrong places.
func checkPlaceholders(marker byte, text string, args int) error {
	count := 0
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == marker:
			count++
		}
	}
	if quote != 0 || count != args {
		return reason.New(reason.Internal, reason.ReasonInternal, "a statement was rendered with %d placeholders for %d arguments", count, args)
	}
	return nil
}
