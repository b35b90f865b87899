package sanity

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// prober asks the database of a result about values.
type prober struct {
	checker *Checker
	db      Querier
	in      Input
}

// alias is what a question's one table is called in it.
const alias = "t"

// there reports whether the column has the value in a row that the caller may read.
func (p *prober) there(ctx context.Context, d demand) (bool, error) {
	secured, err := p.secure(wire.Clauses{
		From: from(d.column.Table), Where: name(d.column) + " = " + plan.Written(&plan.Literal{Value: wire.Text(d.value)}),
		Select: []string{"1 as there"}, Limit: 1,
	})
	if err != nil {
		return false, err
	}
	values, _, err := p.ask(ctx, secured, 1)
	return len(values) > 0, err
}

const (
	// nearRows is how many values are compared with the one that is not there: all
	// of a list of names that people choose from.
	nearRows = 1000
	maxNear  = 3
)

// starts are how many letters values have in common with the one that is not there,
// one attempt after the other, until there are few enough of them.
var starts = []int{0, 1, 3}

// near lists the values of the column that are written most alike, the nearest
// first. None are named which the caller may not see as they are stored, nor those
// of columns that are marked as personal.
func (p *prober) near(ctx context.Context, d demand) []string {
	if slices.Contains(d.column.Tags, "personal") {
		return nil
	}
	for _, letters := range starts {
		values, all := p.values(ctx, d, letters)
		if all {
			return nearest(d.value, values)
		}
	}
	return nil
}

// values lists the values of the column that begin with the same letters, in any
// order, and reports whether these are all: the first that a database comes to
// would not be the same each time. The plan has no limit, since one would have the
// database sort all of them; reading ends where there are too many.
func (p *prober) values(ctx context.Context, d demand, letters int) ([]string, bool) {
	column := name(d.column)
	c := wire.Clauses{From: from(d.column.Table), Where: column + " is not null", Select: []string{column + " as value"}, Distinct: true}
	if letters > 0 {
		c.Where += " and " + column + " like " + plan.Written(&plan.Literal{Value: wire.Text(beginning(d.value, letters))})
	}
	secured, err := p.secure(c)
	if err != nil || !secured.Permits(d.column) {
		return nil, false
	}
	values, all, err := p.ask(ctx, secured, nearRows)
	return values, err == nil && all
}

// beginning is a pattern for values with the same first letters. A letter that
// means something in a pattern stands for any.
func beginning(value string, letters int) string {
	var b strings.Builder
	for _, r := range value {
		if letters == 0 {
			break
		}
		if r == '%' || r == '\\' {
			r = '_'
		}
		b.WriteRune(r)
		letters--
	}
	return b.String() + "%"
}

// secure makes a plan of the clauses, like any that a provider proposes.
func (p *prober) secure(c wire.Clauses) (policy.Secured, error) {
	view, err := p.checker.Policy.View(p.in.Catalog, p.in.Caller)
	if err != nil {
		return policy.Secured{}, err
	}
	query, err := plan.Bind(wire.Plan{Clauses: c}, plan.Scope{Catalog: p.in.Catalog, Visible: view, Clock: p.in.Clock})
	if err != nil {
		return policy.Secured{}, err
	}
	return p.checker.Policy.Secure(p.in.Catalog, query, p.in.Caller)
}

// valueBytes is how much of a question's answer is read.
const valueBytes = 1 << 20

// ask gives the first column of the rows of a question, as text, and reports
// whether these are all rows.
func (p *prober) ask(ctx context.Context, secured policy.Secured, limit int64) (values []string, all bool, err error) {
	statement, err := sqlgen.Render(secured, p.in.Catalog.Dialect, p.checker.Options)
	if err != nil {
		return nil, false, err
	}
	limits := datasource.Limits{Rows: limit, Bytes: valueBytes, Timeout: patience}
	if deadline, ok := ctx.Deadline(); ok {
		limits.Timeout = max(time.Millisecond, time.Until(deadline))
	}
	rows, err := p.db.Query(ctx, statement, limits)
	if err != nil {
		return nil, false, err
	}
	for rows.Next() {
		values = append(values, rows.Row()[0].String())
	}
	if err := rows.Err(); err != nil {
		_ = rows.Close() // the rows' own error says more
		return nil, false, err
	}
	all = !rows.Truncated()
	return values, all, rows.Close()
}

// nearest are the values that are written most alike, the same in another case
// before all others. Ties go by the alphabet.
func nearest(value string, values []string) []string {
	type candidate struct {
		text     string
		distance int
	}
	wanted := strings.ToLower(clip(value))
	limit := (len([]rune(wanted)) + 1) / 3 // one letter of two, two of five
	var near []candidate
	for _, v := range values {
		if v == value || strings.TrimSpace(v) == "" {
			continue
		}
		is := strings.ToLower(clip(v))
		distance := levenshtein.ComputeDistance(wanted, is)
		if distance > limit && !contains(is, wanted) {
			continue
		}
		near = append(near, candidate{v, distance})
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.text, b.text))
	})
	var out []string
	for _, c := range near[:min(len(near), maxNear)] {
		out = append(out, c.text)
	}
	return out
}

// shortest is, in letters, the shortest text of which it means something that
// another one contains it.
const shortest = 3

func contains(a, b string) bool {
	if len([]rune(a)) < len([]rune(b)) {
		a, b = b, a
	}
	return len([]rune(b)) >= shortest && strings.Contains(a, b)
}

func name(c *schema.Column) string { return alias + "." + quoted(c.Name) }

func from(t *schema.Table) string { return quoted(t.Schema) + "." + quoted(t.Name) + " " + alias }

// quoted is a name as plans write one that may hold any letter.
func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
