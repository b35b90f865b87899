package config

import (
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

const (
	tablePattern  = "datasource.schema.table"
	columnPattern = "datasource.schema.table.column"
)

func (k *checker) roles() {
	for _, name := range sortedKeys(k.c.Roles) {
		r, at := k.c.Roles[name], path{"roles", string(name)}
		k.patterns(at.with("tables").with("allow"), r.Tables.Allow, tablePattern)
		k.patterns(at.with("tables").with("deny"), r.Tables.Deny, tablePattern)
		k.patterns(at.with("columns").with("deny"), r.Columns.Deny, columnPattern)
		k.patterns(at.with("columns").with("aggregate_only"), r.Columns.AggregateOnly, columnPattern)
		k.rowFilters(at.with("row_filters"), r.RowFilters)
		k.masks(at.with("masks"), r.Masks)
	}
}

func (k *checker) rowFilters(at path, filters map[string]string) {
	k.noneEmpty(at)
	for _, pattern := range sortedKeys(filters) {
		k.pattern(at.with(pattern), pattern, tablePattern)
		if _, err := plan.ParseCondition(filters[pattern]); err != nil {
			k.fail(at.with(pattern), "%v", err)
		}
	}
}

func (k *checker) masks(at path, masks map[string]Mask) {
	k.noneEmpty(at)
	for _, pattern := range sortedKeys(masks) {
		k.pattern(at.with(pattern), pattern, columnPattern)
		if err := masks[pattern].Check(); err != nil {
			k.fail(at.with(pattern), "%v", err)
		}
	}
}

// noneEmpty refuses entries without a value. Elsewhere such an entry is as if it
// were not written; here it would show what it looks like hiding.
func (k *checker) noneEmpty(at path) {
	prefix := at.index() + "\x00"
	for index, place := range k.src.places {
		key, inside := strings.CutPrefix(index, prefix)
		if !inside || strings.Contains(key, "\x00") || k.src.value(at.with(key)) != nil {
			continue
		}
		place.Key = at.with(key).String()
		k.problems = append(k.problems, Problem{place, "has no value; write what applies, or take the line out"})
	}
}

// patterns checks what needs no catalog: the number of parts, and that the
// datasource is one of the configuration's.
func (k *checker) patterns(at path, list []string, form string) {
	for i, pattern := range list {
		k.pattern(at.with(strconv.Itoa(i)), pattern, form)
	}
}

func (k *checker) pattern(at path, pattern, form string) {
	segments := splitPattern(pattern)
	if len(segments) != strings.Count(form, ".")+1 || slices.Contains(segments, "") {
		k.fail(at, "%q is no pattern of the form %s, where * stands for any name", pattern, form)
		return
	}
	if segments[0] == "*" {
		return
	}
	if err := k.c.KnowsDatasource(schema.DatasourceID(segments[0])); err != nil {
		k.fail(at, "%v", err)
	}
}

// splitPattern cuts a pattern at its dots, but for those inside backticks.
func splitPattern(pattern string) []string {
	parts, quoted := []string{""}, false
	for _, r := range pattern {
		switch last := len(parts) - 1; {
		case r == '`':
			quoted = !quoted
		case r == '.' && !quoted:
			parts = append(parts, "")
		default:
			parts[last] += string(r)
		}
	}
	return parts
}
