package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"querent.dev/querent/core/schema"
)

// readUnique reads the unique keys that hold for every row: those over columns
// alone and without a condition.
func (r *reader) readUnique(ctx context.Context) error {
	keys := map[string]int{} // index name -> position in its table's Unique
	err := r.each(ctx, `SELECT t.name, i.name, c.name FROM sqlite_schema t
		JOIN pragma_index_list(t.name) i JOIN pragma_index_xinfo(i.name) c
		WHERE t.type = 'table' AND i."unique" = 1 AND i.partial = 0 AND i.origin <> 'pk' AND c.key = 1
		ORDER BY t.name, i.name, c.seqno`,
		func(rows *sql.Rows) error {
			var tableName, index string
			var columnName sql.NullString // null: the rowid or an expression
			if err := rows.Scan(&tableName, &index, &columnName); err != nil {
				return err
			}
			t, ok := r.byName[strings.ToLower(tableName)]
			if !ok {
				return nil
			}
			at, begun := keys[index]
			if !begun {
				at = len(t.Unique)
				keys[index] = at
				t.Unique = append(t.Unique, nil)
			}
			t.Unique[at] = append(t.Unique[at], find(t, columnName.String))
			return nil
		})
	for _, t := range r.tables {
		kept := t.Unique[:0]
		for _, key := range t.Unique {
			if complete(key) {
				kept = append(kept, key)
			}
		}
		t.Unique = kept
	}
	return err
}

func (r *reader) readForeignKeys(ctx context.Context) error {
	type key struct {
		table *schema.Table
		id    int
	}
	var order []key
	found := map[key]*schema.ForeignKey{}
	err := r.each(ctx, `SELECT t.name, k.id, k."table", k."from", k."to" FROM sqlite_schema t
		JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY t.name, k.id, k.seq`,
		func(rows *sql.Rows) error {
			var from, to, column string
			var target sql.NullString // null: the primary key of the other table
			var id int
			if err := rows.Scan(&from, &id, &to, &column, &target); err != nil {
				return err
			}
			t, other := r.byName[strings.ToLower(from)], r.byName[strings.ToLower(to)]
			if t == nil || other == nil {
				return nil
			}
			k := key{t, id}
			if found[k] == nil {
				found[k] = &schema.ForeignKey{RefTable: other}
				order = append(order, k)
			}
			f := found[k]
			ref := find(other, target.String)
			if !target.Valid && len(f.Columns) < len(other.PrimaryKey) {
				ref = other.PrimaryKey[len(f.Columns)]
			}
			f.Columns = append(f.Columns, find(t, column))
			f.RefColumns = append(f.RefColumns, ref)
			return nil
		})
	for _, k := range order {
		if f := found[k]; complete(f.Columns) && complete(f.RefColumns) {
			k.table.ForeignKeys = append(k.table.ForeignKeys, *f)
		}
	}
	return err
}

func find(t *schema.Table, name string) *schema.Column {
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

func complete(columns []*schema.Column) bool {
	for _, c := range columns {
		if c == nil {
			return false
		}
	}
	return len(columns) > 0
}
