package mysql

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
)

// Introspect implements datasource.Datasource. It asks the server's catalog a fixed
// number of questions, whatever the number of tables, and looks at a sample of text
// columns whose names say that they may hold dates, and of tinyint(1) columns.
func (d *database) Introspect(ctx context.Context) (*schema.Catalog, error) {
	ctx, done, err := d.Begin(ctx, remote.IntrospectionTimeout)
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := d.pool.Take(ctx, remote.IntrospectionTimeout)
	if err != nil {
		return nil, d.Reason(ctx, err, kindOf)
	}
	tables, err := d.structure(ctx, c)
	giving := d.pool.Give(c)
	if err == nil {
		err = giving
	}
	if err != nil {
		return nil, d.Reason(ctx, err, kindOf)
	}
	catalog := schema.Build(d.ID(), schema.MySQL, tables)
	catalog.Description = d.Description
	return catalog, nil
}

func (d *database) structure(ctx context.Context, c *conn) ([]*schema.Table, error) {
	r := &reader{conn: c, schemas: d.Schemas, tables: map[name]*schema.Table{}, columns: map[name]map[string]*schema.Column{}}
	for _, step := range []func(context.Context) error{r.readTables, r.readColumns, r.readUnique, r.readForeignKeys} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	var tables []*schema.Table
	for _, t := range r.order {
		if len(t.Columns) > 0 {
			tables = append(tables, t)
		}
	}
	return tables, d.ReadColumns(ctx, tables, typeOf, r.look)
}

// name is a table's.
type name struct{ schema, table string }

// reader gathers the structure on one connection.
type reader struct {
	conn    *conn
	schemas []string
	order   []*schema.Table
	tables  map[name]*schema.Table
	columns map[name]map[string]*schema.Column
}

// each runs a query in which %s stands for the list of schemas.
func (r *reader) each(ctx context.Context, query string, add func(cell []string)) error {
	places := strings.TrimSuffix(strings.Repeat("?, ", len(r.schemas)), ", ")
	return r.conn.each(ctx, fmt.Sprintf(query, places), func(cells []driver.Value) {
		texts := make([]string, len(cells))
		for i, c := range cells {
			texts[i] = text(c)
		}
		add(texts)
	}, r.schemas...)
}

func (r *reader) readTables(ctx context.Context) error {
	return r.each(ctx, `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT FROM information_schema.TABLES
		WHERE TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND TABLE_SCHEMA IN (%s)
		ORDER BY TABLE_SCHEMA, TABLE_NAME`, func(cell []string) {
		t := &schema.Table{Schema: cell[0], Name: cell[1], Kind: schema.KindTable, Description: cell[4], RowEstimate: -1}
		if cell[2] == "VIEW" {
			t.Kind, t.Description = schema.KindView, "" // it says VIEW there
		}
		if n, err := strconv.ParseInt(cell[3], 10, 64); err == nil {
			t.RowEstimate = n
		}
		r.order = append(r.order, t)
		r.tables[name{cell[0], cell[1]}] = t
		r.columns[name{cell[0], cell[1]}] = map[string]*schema.Column{}
	})
}

func (r *reader) readColumns(ctx context.Context) error {
	return r.each(ctx, `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLLATION_NAME, COLUMN_COMMENT, EXTRA, CHARACTER_SET_NAME
		FROM information_schema.COLUMNS WHERE TABLE_SCHEMA IN (%s)
		ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`, func(cell []string) {
		key := name{cell[0], cell[1]}
		t, ok := r.tables[key]
		if !ok {
			return // made since the tables were read, or no table
		}
		c := &schema.Column{
			Name: cell[2], Native: cell[3], Type: typeOfColumn(cell[3]), Nullable: cell[4] == "YES",
			Description: cell[6], Generated: strings.Contains(strings.ToUpper(cell[7]), "GENERATED") && !strings.Contains(strings.ToUpper(cell[7]), "DEFAULT_GENERATED"),
			Enum: labels(cell[3]),
		}
		if cell[8] != connectionCharset {
			c.Charset = cell[8]
		}
		if !byCodePoint[cell[5]] {
			c.Collation = cell[5]
		}
		t.Columns = append(t.Columns, c)
		r.columns[key][c.Name] = c
	})
}

// connectionCharset is what the server converts text to.
const connectionCharset = "utf8mb4"

// byCodePoint are the collations that compare as plans do.
var byCodePoint = map[string]bool{"utf8mb4_nopad_bin": true, "utf8mb4_0900_bin": true}

// readUnique leaves out keys over the first characters of a column, and those over
// expressions.
func (r *reader) readUnique(ctx context.Context) error {
	type index struct {
		table name
		index string
	}
	var order []index
	keys := map[index][]*schema.Column{}
	partial := map[index]bool{}
	err := r.each(ctx, `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS
		WHERE NON_UNIQUE = 0 AND TABLE_SCHEMA IN (%s) ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`, func(cell []string) {
		i := index{name{cell[0], cell[1]}, cell[2]}
		if len(order) == 0 || order[len(order)-1] != i {
			order = append(order, i)
		}
		c := r.columns[i.table][cell[3]]
		partial[i] = partial[i] || c == nil || cell[4] != ""
		keys[i] = append(keys[i], c)
	})
	for _, i := range order {
		t := r.tables[i.table]
		switch {
		case partial[i]:
		case i.index == "PRIMARY":
			t.PrimaryKey = keys[i]
		default:
			t.Unique = append(t.Unique, keys[i])
		}
	}
	return err
}

func (r *reader) readForeignKeys(ctx context.Context) error {
	last := ""
	return r.each(ctx, `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
		FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA IN (%s)
		ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`, func(cell []string) {
		from, to := name{cell[0], cell[1]}, name{cell[4], cell[5]}
		t, ref := r.tables[from], r.tables[to]
		column, refColumn := r.columns[from][cell[3]], r.columns[to][cell[6]]
		if t == nil || ref == nil || column == nil || refColumn == nil {
			return
		}
		if id := strings.Join(cell[:3], "\x00"); id != last {
			last = id
			t.ForeignKeys = append(t.ForeignKeys, schema.ForeignKey{RefTable: ref})
		}
		key := &t.ForeignKeys[len(t.ForeignKeys)-1]
		key.Columns, key.RefColumns = append(key.Columns, column), append(key.RefColumns, refColumn)
	})
}

// look reads a sample. The server ends it, which keeps the connection.
func (r *reader) look(ctx context.Context, t *schema.Table, columns []*schema.Column, add func([]any)) error {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quote(c.Name)
	}
	sampled := make([]any, len(columns))
	return r.conn.each(context.WithoutCancel(ctx), fmt.Sprintf("%sSELECT %s FROM %s.%s LIMIT %d", r.conn.within(ctx),
		strings.Join(names, ", "), quote(t.Schema), quote(t.Name), remote.SampleRows), func(cells []driver.Value) {
		for i, cell := range cells {
			sampled[i] = cell
			if f, ok := cell.(float32); ok {
				sampled[i] = float64(f)
			}
			if b, ok := cell.([]byte); ok && columns[i].Type.Kind != bytesKind {
				sampled[i] = string(b)
			}
		}
		add(sampled)
	})
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
