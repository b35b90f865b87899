package fanout

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"

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

// MessageIn is Message in a language, by its BCP 47 tag: Korean, or English for any
// other.
func (f Finding) MessageIn(tag string) string {
	if base, _ := language.Make(tag).Base(); base.String() != "ko" {
		return f.Message()
	}
	return fmt.Sprintf("%s: %s의 한 행이 %s의 여러 행과 결합되어 같은 행을 두 번 이상 셀 수 있습니다.",
		plan.Written(f.Call), names(f.Of), names(f.By))
}

// Detail is what Message says, for programs.
func (f Finding) Detail() map[string]string {
	return map[string]string{"aggregate": plan.Written(f.Call), "of": names(f.Of), "by": names(f.By)}
}

// Hint says how the plan can be changed.
func (f Finding) Hint() string {
	return fmt.Sprintf("aggregate %s in a block of \"with\" that is grouped by the join key and join that, or use a semi join if %s only chooses rows",
		names(f.By), names(f.By))
}

// Message says in a sentence what was done.
func (f Fixed) Message() string {
	if len(f.Parts) > 0 {
		return fmt.Sprintf("The %s counts each row of %s once: what is joined to them is put together first.", f.subject(), names(f.Of))
	}
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
