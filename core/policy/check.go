package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
