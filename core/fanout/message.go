package fanout

import (
	"fmt"
	"strings"

	"querent.dev/querent/core/plan"
)

// subjects is what an aggregate gives, in words.
var subjects = map[string]string{
	"sum": "total", "avg": "average", "count": "count", "stddev": "spread", "variance": "variance",
	"median": "median", "percentile": "percentile", "string_agg": "list",
}

// Message says in a sentence what may be wrong, with the names that the plan uses:
// it names nothing but what the plan reads.
func (f Finding) Message() string {
	return fmt.Sprintf("The %s may count rows more than once, since each row of %s is joined to several of %s.",
		f.subject(), names(f.Of), names(f.By))
}

// Hint says how the plan can be changed.
func (f Finding) Hint() string {
	return fmt.Sprintf("aggregate %s in a block of \"with\" that is grouped by the join key and join that, or use a semi join if %s only chooses rows",
		names(f.By), names(f.By))
}

// Message says in a sentence what was done.
func (f Fixed) Message() string {
	return fmt.Sprintf("The %s counts each row of %s once: %s only chooses which rows count.", f.subject(), names(f.Of), names(f.By))
}

func (f Finding) subject() string {
	what, ok := subjects[f.Call.Func.Name]
	if !ok {
		what = f.Call.Func.Name
	}
	return what + " of " + plan.Written(f.Call.Args[0])
}

// names lists sources as people know them: tables by their names, blocks by theirs.
func names(list []*plan.Source) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Alias
		if s.Table != nil {
			out[i] = s.Table.Name
		}
	}
	return strings.Join(out, " and ")
}
