package mirror

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// copier copies the tables of one file.
type copier struct {
	server   *Server
	from, to *sql.DB
	indexes  int // made so far, by which they are named
}

// target is a column of a mirror.
type target struct {
	*schema.Column
	name     string
	kind     wire.Kind
	declared string
	hasNull  bool
	length   int // of its longest text, in bytes
	values   int
	misfits  int // values that are not of its type
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// nameOf is how a mirror calls a table or a column. PostgreSQL takes a name
// without quotes in lower case, so those that need none have it.
func (s *Server) nameOf(name string) string {
	if s.dialect == schema.Postgres && plainName.MatchString(name) {
		return strings.ToLower(name)
	}
	return name
}

// table makes a table and copies its rows. A view becomes a table.
func (c *copier) table(ctx context.Context, t *schema.Table) error {
	columns := make([]*target, len(t.Columns))
	for i, col := range t.Columns {
		columns[i] = &target{Column: col, name: c.server.nameOf(col.Name), kind: kindOf(col)}
	}
	// What the values are decides over the types, so they are read twice.
	err := c.each(ctx, t, columns, func(row []any) error {
		for i, v := range row {
			columns[i].look(v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, col := range columns {
		col.settle()
	}
	keys := c.keys(t, columns)
	for _, col := range columns {
		col.declared = c.server.declare(col, inKey(keys, col))
	}
	name := c.server.quote(c.server.nameOf(t.Name))
	var lines []string
	for _, col := range columns {
		line := c.server.quote(col.name) + " " + col.declared
		if !col.Nullable && !col.hasNull {
			line += " NOT NULL"
		}
		if comment := col.comment(); comment != "" && c.server.dialect == schema.MySQL {
			line += " COMMENT '" + comment + "'"
		}
		lines = append(lines, line)
	}
	if _, err := c.to.ExecContext(ctx, "CREATE TABLE "+name+" ("+strings.Join(lines, ", ")+")"); err != nil {
		return err
	}
	if err := c.comments(ctx, name, columns); err != nil {
		return err
	}
	if err := c.rows(ctx, t, columns, name); err != nil {
		return err
	}
	if err := c.addKeys(ctx, name, keys); err != nil {
		return err
	}
	if err := c.addIndexes(ctx, name, t, columns); err != nil {
		return err
	}
	// A server that has not counted the rows chooses slow ways.
	analyze := map[schema.Dialect]string{schema.Postgres: "ANALYZE ", schema.MySQL: "ANALYZE TABLE "}
	_, err = c.to.ExecContext(ctx, analyze[c.server.dialect]+name)
	return err
}

// addIndexes indexes what refers to other tables, as servers have it.
func (c *copier) addIndexes(ctx context.Context, table string, t *schema.Table, columns []*target) error {
	for _, f := range t.ForeignKeys {
		var names []string
		for _, col := range f.Columns {
			at := slices.IndexFunc(columns, func(x *target) bool { return x.Column == col })
			if strings.Contains(strings.ToLower(columns[at].declared), "text") && c.server.dialect == schema.MySQL {
				names = nil // it has no length to index
				break
			}
			names = append(names, c.server.quote(columns[at].name))
		}
		if len(names) == 0 {
			continue
		}
		_, err := c.to.ExecContext(ctx, "CREATE INDEX "+c.server.quote("refers_"+strconv.Itoa(c.indexes))+" ON "+table+" ("+strings.Join(names, ", ")+")")
		if err != nil && !tooLong(err) {
			return fmt.Errorf("the index of (%s): %w", strings.Join(names, ", "), err)
		}
		c.indexes++
	}
	return nil
}

// comment marks a column whose mirror lacks values of the original.
func (c *target) comment() string {
	if c.misfits > 0 || c.kind == wire.KindText && c.Type.Kind != wire.KindText && c.Type.Kind != wire.KindNull {
		return eval.Lossy
	}
	return ""
}

// comments writes the comments of columns on PostgreSQL.
func (c *copier) comments(ctx context.Context, table string, columns []*target) error {
	if c.server.dialect != schema.Postgres {
		return nil
	}
	for _, col := range columns {
		if comment := col.comment(); comment != "" {
			if _, err := c.to.ExecContext(ctx, "COMMENT ON COLUMN "+table+"."+c.server.quote(col.name)+" IS '"+comment+"'"); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindOf is what a column holds, as plans see it.
func kindOf(c *schema.Column) wire.Kind {
	switch {
	case c.Storage == schema.StorageEpoch || c.Storage == schema.StorageEpochMS || c.Storage == schema.StorageJulian || c.Storage == schema.StorageDMY:
		return c.Type.Kind
	case c.Storage == schema.StorageISO && !c.Type.Kind.Temporal():
		return wire.KindTimestamp
	}
	return c.Type.Kind
}

// key is a key of a table that its rows keep.
type key struct {
	columns []*target
	primary bool
}

// keys are the declared keys.
func (c *copier) keys(t *schema.Table, columns []*target) []key {
	var out []key
	add := func(list []*schema.Column, primary bool) {
		k := key{primary: primary}
		for _, col := range list {
			k.columns = append(k.columns, columns[slices.IndexFunc(columns, func(x *target) bool { return x.Column == col })])
		}
		if len(list) > 0 {
			out = append(out, k)
		}
	}
	add(t.PrimaryKey, true)
	for _, u := range t.Unique {
		add(u, false)
	}
	return out
}

func inKey(keys []key, c *target) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return slices.Contains(k.columns, c) })
}

// addKeys adds the keys that the rows keep: SQLite lets a primary key be null.
func (c *copier) addKeys(ctx context.Context, table string, keys []key) error {
	for _, k := range keys {
		word := "UNIQUE"
		if k.primary && !slices.ContainsFunc(k.columns, func(t *target) bool { return t.hasNull }) {
			word = "PRIMARY KEY"
		}
		var names []string
		for _, col := range k.columns {
			names = append(names, c.server.quote(col.name))
		}
		_, err := c.to.ExecContext(ctx, "ALTER TABLE "+table+" ADD "+word+" ("+strings.Join(names, ", ")+")")
		if err != nil && !tooLong(err) {
			return fmt.Errorf("the key (%s): %w", strings.Join(names, ", "), err)
		}
	}
	return nil
}

// tooLong reports whether a key is longer than the server takes, or is none there,
// since the server takes more texts for equal.
func tooLong(err error) bool {
	text := err.Error()
	return strings.Contains(text, "1071") || strings.Contains(text, "1062") || strings.Contains(text, "exceeds") || strings.Contains(text, "duplicate")
}

// each reads the rows of a table.
func (c *copier) each(ctx context.Context, t *schema.Table, columns []*target, do func([]any) error) error {
	var names []string
	for _, col := range columns {
		// The plus takes the declaration away, by which the driver would read dates.
		names = append(names, `+"`+strings.ReplaceAll(col.Name, `"`, `""`)+`"`)
	}
	rows, err := c.from.QueryContext(ctx, "SELECT "+strings.Join(names, ", ")+` FROM "`+strings.ReplaceAll(t.Name, `"`, `""`)+`"`)
	if err != nil {
		return err
	}
	defer rows.Close()
	cells, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		to[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if err := do(cells); err != nil {
			return err
		}
	}
	return rows.Err()
}

// maxArguments bounds one insert: PostgreSQL takes 65,535 arguments.
const maxArguments = 20_000

func (c *copier) rows(ctx context.Context, t *schema.Table, columns []*target, name string) error {
	tx, err := c.to.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	var batch []any
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO "+name+" VALUES "+c.server.places(len(batch)/len(columns), len(columns)), batch...)
		batch = batch[:0]
		return err
	}
	err = c.each(ctx, t, columns, func(row []any) error {
		for i, v := range row {
			batch = append(batch, columns[i].convert(v))
		}
		if len(batch)+len(columns) > maxArguments {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// places are the placeholders of rows.
func (s *Server) places(rows, columns int) string {
	var b strings.Builder
	n := 0
	for r := range rows {
		if r > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('(')
		for c := range columns {
			if c > 0 {
				b.WriteString(", ")
			}
			n++
			if s.dialect == schema.Postgres {
				fmt.Fprintf(&b, "$%d", n)
			} else {
				b.WriteByte('?')
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}
