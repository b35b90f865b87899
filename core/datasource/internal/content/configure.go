package content

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// nativeCollation is the configuration's word for leaving the database's own
// comparison as it is, so that its indexes serve.
const nativeCollation = "native"

// Configuration is what the configuration of a datasource says of its columns.
type Configuration struct {
	Datasource schema.DatasourceID
	Columns    map[string]config.ColumnConfig // by schema.table.column
	// TypeOf is the type that a declaration stands for, if it is known to say
	// anything.
	TypeOf func(native string) (wire.Type, bool)
}

// Configured is a column with what the configuration says of it.
type Configured struct {
	Column *schema.Column
	With   config.ColumnConfig
	name   string // as the configuration has it
}

// Find finds the columns that the configuration describes. A name that the
// database does not have is an error: its tag would protect nothing.
func (d Configuration) Find(tables []*schema.Table) ([]Configured, error) {
	var out []Configured
	for _, name := range slices.Sorted(maps.Keys(d.Columns)) {
		c := findByID(tables, name)
		if c == nil {
			return nil, d.noSuchColumn(tables, name)
		}
		out = append(out, Configured{c, d.Columns[name], name})
	}
	return out, nil
}

// Apply applies what the configuration says of a column. A storage that its
// values do not have is an error: it would read them as other moments. seen is nil
// when no storage is configured.
func (d Configuration) Apply(c Configured, seen *Evidence) error {
	column, with := c.Column, c.With
	if with.Description != "" {
		column.Description = with.Description
	}
	column.Synonyms, column.Tags = with.Synonyms, with.Tags
	if with.Collation == nativeCollation {
		column.Collation = ""
	}
	if with.Storage == schema.StorageNative {
		return nil
	}
	if problem := seen.misfit(with.Storage); problem != "" {
		return d.misconfigured("columns.%s.storage is %s, but %s", c.name, with.Storage, problem)
	}
	column.Type = d.storedType(column, with)
	column.Storage = with.Storage
	column.Mixed = seen.isMixed(with.Storage, column.Type.Kind)
	column.Evidence = "configured; " + seen.found(with.Storage)
	return nil
}

// storedType is the type of a column whose storage the configuration names: the
// one it has or declares, if that is a date, else what the storage can hold.
func (d Configuration) storedType(c *schema.Column, with config.ColumnConfig) wire.Type {
	if c.Type.Kind.Temporal() {
		return c.Type
	}
	if t, known := d.TypeOf(c.Native); known && t.Kind.Temporal() {
		return t
	}
	if with.Storage == schema.StorageDMY {
		return wire.Type{Kind: wire.KindDate}
	}
	return wire.Type{Kind: wire.KindTimestamp}
}

// needs says what the values of a storage are.
var needs = map[schema.Storage]string{
	schema.StorageISO:     "ISO texts such as 2006-01-02 15:04:05",
	schema.StorageEpoch:   "numbers of seconds since 1970 in the years 1000 to 9999",
	schema.StorageEpochMS: "numbers of milliseconds since 1970 in the years 1000 to 9999",
	schema.StorageJulian:  "julian day numbers in the years 1000 to 9999",
	schema.StorageDMY:     "texts such as 02/01/2006 with the day first",
}

// misfit says how the values differ from the storage and what to set instead; ""
// when nine in ten have it, or there is none. It repeats no value.
func (e *Evidence) misfit(s schema.Storage) string {
	held, fit := e.values-e.empty, e.fitting(s)
	found := fmt.Sprintf("%d of the %d values looked at are %s", fit, held, needs[s])
	switch {
	case held == 0:
		return ""
	case fit*10 < held*9:
	case e.ofAnotherUnit(s, held):
		found = "the values would all be within a few years after 1970"
	case s == schema.StorageISO && !e.sortsAsMoments():
		return "the values have offsets from UTC, or zones in some of them alone, and do not sort as the moments do; remove the setting, or store all times in UTC"
	default:
		return ""
	}
	found += fmt.Sprintf(" (found: %s)", e.forms())
	if other, ok := e.storage(); ok && other != s {
		return fmt.Sprintf("%s; set storage: %s", found, other)
	}
	return found + "; remove the setting, or correct what is stored"
}

// ofAnotherUnit reports whether numbers that s can hold are clearly of a larger
// unit: days in a day of 1970, or seconds that as milliseconds have odd fractions.
func (e *Evidence) ofAnotherUnit(s schema.Storage, held int) bool {
	switch s {
	case schema.StorageEpoch:
		return e.julian*10 >= held*9
	case schema.StorageEpochMS:
		return e.julian*10 >= held*9 || e.seconds*10 >= held*9 && e.uneven > 0
	}
	return false
}

// fitting counts the values that s can hold.
func (e *Evidence) fitting(s schema.Storage) int {
	switch s {
	case schema.StorageISO:
		return e.iso
	case schema.StorageDMY:
		return e.dmy
	}
	return e.inRange[s]
}

// forms lists what the values are, by kind.
func (e *Evidence) forms() string {
	var out []string
	for _, form := range []struct {
		count int
		name  string
	}{
		{e.integers, "integers"}, {e.reals, "numbers with a fraction"}, {e.texts, "texts"}, {e.blobs, "blobs"},
	} {
		if form.count > 0 {
			out = append(out, fmt.Sprintf("%d %s", form.count, form.name))
		}
	}
	return strings.Join(out, ", ")
}

func findByID(tables []*schema.Table, id string) *schema.Column {
	for _, t := range tables {
		for _, c := range t.Columns {
			if strings.EqualFold(t.ID()+"."+c.Name, id) {
				return c
			}
		}
	}
	return nil
}

func (d Configuration) noSuchColumn(tables []*schema.Table, id string) error {
	var near []string
	for _, t := range tables {
		if len(id) <= len(t.ID()) || !strings.EqualFold(id[:len(t.ID())+1], t.ID()+".") {
			continue
		}
		for _, c := range t.Columns {
			near = append(near, t.ID()+"."+c.Name)
		}
	}
	if near == nil {
		for _, t := range tables {
			near = append(near, t.ID()+".…")
		}
	}
	return d.misconfigured("the configuration describes the column %s, which the database does not have; it has %s",
		id, strings.Join(near, ", "))
}

// misconfigured is the error of a configuration that does not fit the database. Only
// the operator learns of the column, which the asker may not be allowed to know.
func (d Configuration) misconfigured(format string, args ...any) error {
	err := reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged, "datasource %s: "+format,
		append([]any{d.Datasource}, args...)...).
		WithSafe("The configuration of the datasource's columns does not fit the database.").
		WithNext("Correct datasources.%s.columns in the configuration; the host's log names the column and what to set.", d.Datasource)
	err.Retryable = false // the same configuration fails again
	return err
}
