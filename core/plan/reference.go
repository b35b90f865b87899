package plan

import (
	"strings"
)

// PromptReference is the plan language in the words of a prompt: short, since it
// goes to small models with each question. The functions are those of the table.
func PromptReference() string {
	var b strings.Builder
	b.WriteString(referenceText)
	for _, kind := range []struct {
		kind  FunctionKind
		title string
	}{{AggregateFunction, "Aggregates"}, {WindowFunction, "Windows"}, {ScalarFunction, "Functions"}} {
		var calls []string
		for _, f := range functions {
			switch {
			case f.Kind != kind.kind:
			case f.Rare:
				calls = append(calls, f.Name)
			default:
				calls = append(calls, f.Signature)
			}
		}
		b.WriteString(kind.title + ": " + strings.Join(calls, ", ") + ".\n")
	}
	return b.String()
}

const referenceText = `Write one JSON object. Every value is a string, a list of strings or a number. Keys in this order:
"with": helper blocks (see below), usually [].
"from": "TABLE alias". "joins": ["TABLE alias"] joins along the declared key; with two keys between the tables write "TABLE alias via COLUMN"; else "TABLE alias on CONDITION". Before the table may stand left, right, full, cross, semi (rows with a match) or anti (rows without a match).
"where": a condition on rows. "group": the expressions to group by; with an aggregate in "select" and an empty "group", the other selected expressions are the groups.
"select": ["EXPRESSION as label"]. "having": a condition on groups. "order": ["label desc"]. "limit", "offset": numbers, 0 for none.
"per": ["EXPRESSION"] makes "limit" count in each group, for the top rows of each. "distinct": true or false.
Expressions: + - * / % || = <> < <= > >= and, or, not, x in (1, 2), x between 1 and 2, x like '%a%', x is null, case when c then x else y end, cast(x as int), agg(x) filter (where c), sum(x) over (partition by a order by b), x is not distinct from y.
Of groups: share(agg) is its part of the total, running(agg) the total so far in the order of the period, prior(agg, '1 year') its value one year, quarter, month, week or day before.
Text stands in 'single quotes', a name with spaces in ` + "`backticks`" + `. Never write SQL, sub-selects or double quotes.
Time: during(x, PERIOD) with '2025', '2025-Q1', '2025-03', '2025-03-15', '2025-01..2025-06', 'since 2025-03', last_days(n), last_weeks(n), last_months(n), last_quarters(n), last_years(n) (whole ones before the current), this_week(), this_month(), this_quarter(), this_year(), fiscal_year(2025). today() is the current day.
A block of "with" is {"name": "b", "op": "select", "of": [], ...the same keys}; later ones can use its name in "from" and "joins", and in in(x, b), exists(b, condition), scalar(b) and scalar(b, max(b.x), condition). A window stands in "select" and "order" only: filter by its label in the block that reads it. For union, union_all, intersect and except, "of" names the blocks and the other keys are empty. "recursive": true makes a union of one start block, whose own clauses are the step that reads the block itself.
`
