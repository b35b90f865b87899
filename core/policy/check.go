package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// Check says which row filters and masks of the roles do not fit the catalog, so
// that an operator hears of it before a caller is refused. It is nil when all fit.
// It is pure and safe for concurrent use.
func (p *Policy) Check(cat *schema.Catalog) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(p.roles)) {
		seen := map[string]bool{}
		for _, t := range cat.Tables {
			for _, err := range p.checkTable(cat, t, p.roles[name]) {
				if !seen[err.Error()] {
					seen[err.Error()] = true
					errs = append(errs, err)
				}
			}
		}
	}
	return errors.Join(errs...)
}

// checkTable checks the rules of a role for a table that it allows.
func (p *Policy) checkTable(cat *schema.Catalog, t *schema.Table, r *role) []error {
	a := p.access(cat.Datasource, t, []config.RoleName{r.name}, false)
	if a.columns == nil {
		return nil
	}
	var errs []error
	for _, f := range a.grants[0].filters {
		if err := fits(f.text, cat, t); err != nil {
			errs = append(errs, fmt.Errorf("%s: table %s: %w", f.at, t.ID(), err))
		}
	}
	for _, c := range t.Columns {
		if l := a.limits[c]; l != nil && l.err != nil {
			errs = append(errs, l.err)
		}
	}
	return errs
}

// samples are texts of values of every type that an attribute may have to be.
var samples = []string{"1", "2000-01-01", "true", "12:00:00", "00000000-0000-0000-0000-000000000000"}

// maxTries bounds the trials of fits: three attributes with a value of any type
// each.
const maxTries = 125

// fits binds a filter with values for its attributes that are of the types it
// needs, if there are such.
func fits(text string, cat *schema.Catalog, t *schema.Table) error {
	names, err := plan.ParseCondition(text)
	if err != nil {
		return err
	}
	clock := plan.Clock{Now: time.Unix(0, 0).UTC()} // any will do: only the form is checked
	for try := range maxTries {
		values, rest := map[string]string{}, try
		for _, name := range names {
			values[name] = samples[rest%len(samples)]
			rest /= len(samples)
		}
		if rest > 0 {
			break // all have been tried
		}
		_, bindErr := plan.BindCondition(text, &plan.Source{Table: t, Alias: t.Name}, plan.ConditionScope{
			Catalog: cat, Clock: clock, Attribute: func(name string) (string, bool) { v, ok := values[name]; return v, ok },
		})
		if bindErr == nil {
			return nil
		}
		if err == nil {
			err = bindErr
		}
	}
	return err
}

// Unmatched lists the rules that name a table or column which the catalog does not
// have, as a misspelt name does: such a rule protects nothing. Rules with a
// wildcard, and those for other datasources, are not among them. Each is named by
// its place in the configuration.
func Unmatched(roles map[config.RoleName]config.Role, cat *schema.Catalog) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(roles)) {
		r, at := roles[name], fmt.Sprintf("roles.%s.", name)
		list := func(key string, rules []string, segments int) {
			for _, rule := range rules {
				if !named(rule, segments, cat) {
					out = append(out, at+key+": "+rule)
				}
			}
		}
		list("tables.allow", r.Tables.Allow, tableSegments)
		list("tables.deny", r.Tables.Deny, tableSegments)
		list("columns.deny", r.Columns.Deny, columnSegments)
		list("columns.aggregate_only", r.Columns.AggregateOnly, columnSegments)
		list("row_filters", slices.Sorted(maps.Keys(r.RowFilters)), tableSegments)
		list("masks", slices.Sorted(maps.Keys(r.Masks)), columnSegments)
	}
	return out
}

// named reports whether the catalog has what a rule names, or the rule is not one
// that names a thing of the catalog.
func named(rule string, segments int, cat *schema.Catalog) bool {
	parts, err := parsePattern(rule, segments)
	if err != nil || slices.Contains(parts, wildcard) || !strings.EqualFold(parts[0], string(cat.Datasource)) {
		return true
	}
	for _, t := range cat.Tables {
		if !strings.EqualFold(t.Schema, parts[1]) || !strings.EqualFold(t.Name, parts[2]) {
			continue
		}
		if segments == tableSegments || slices.ContainsFunc(t.Columns, func(c *schema.Column) bool { return strings.EqualFold(c.Name, parts[3]) }) {
			return true
		}
	}
	return false
}
