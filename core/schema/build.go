package schema

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"querent.dev/querent/sdk/wire"
)

// Build makes a Catalog of tables that an adapter has filled: it sorts them,
// links columns to their tables, keeps a foreign key once that is declared twice,
// indexes the names and takes the fingerprint. It takes ownership of tables.
func Build(id DatasourceID, d Dialect, tables []*Table) *Catalog {
	slices.SortFunc(tables, func(a, b *Table) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	c := &Catalog{Datasource: id, Dialect: d, Tables: tables, byName: map[string]*Table{}}
	for _, t := range tables {
		c.MultiSchema = c.MultiSchema || t.Schema != tables[0].Schema
		register(c.byName, t.Name, t)
		register(c.byName, t.ID(), t)
		t.byName = map[string]*Column{}
		for i, col := range t.Columns {
			col.Table, col.Position = t, i
			register(t.byName, col.Name, col)
		}
		t.ForeignKeys = once(t.ForeignKeys)
	}
	c.fingerprint = fingerprint(c)
	return c
}

// once leaves out keys that say what one before them says.
func once(keys []ForeignKey) []ForeignKey {
	var out []ForeignKey
	for _, k := range keys {
		same := func(other ForeignKey) bool {
			return other.RefTable == k.RefTable && slices.Equal(other.Columns, k.Columns) && slices.Equal(other.RefColumns, k.RefColumns)
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, k)
		}
	}
	return out
}

// register enters v under its exact and its folded name; a name that two
// entries share leads to neither.
func register[T any](index map[string]*T, name string, v *T) {
	for _, key := range []string{name, fold(name)} {
		if _, taken := index[key]; taken {
			index[key] = nil
			continue
		}
		index[key] = v
	}
}

func fingerprint(c *Catalog) string {
	type column struct {
		Name, Native string
		Type         wire.Type
		Storage      Storage
		Nullable     bool
		Enum         []string
	}
	type key struct {
		Columns []string
		Table   string
		Ref     []string
	}
	h := sha256.New()
	e := json.NewEncoder(h)
	names := func(cols []*Column) []string {
		out := make([]string, len(cols))
		for i, c := range cols {
			out[i] = c.Name
		}
		return out
	}
	for _, t := range c.Tables {
		var cols []column
		for _, col := range t.Columns {
			cols = append(cols, column{col.Name, col.Native, col.Type, col.Storage, col.Nullable, col.Enum})
		}
		var keys []key
		for _, k := range t.ForeignKeys {
			keys = append(keys, key{names(k.Columns), k.RefTable.ID(), names(k.RefColumns)})
		}
		var unique [][]string
		for _, u := range t.Unique {
			unique = append(unique, names(u))
		}
		// A hash never fails to take bytes, and these types always encode.
		_ = e.Encode([]any{t.ID(), t.Kind, cols, names(t.PrimaryKey), unique, keys})
	}
	return hex.EncodeToString(h.Sum(nil))
}
