package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Introspect implements datasource.Datasource. It asks the server's catalog a fixed
// number of questions, whatever the number of tables, and looks at a sample of text
// columns whose names say that they may hold dates.
//
// Left out are the server's own schemas, what the account may not read, objects of
// extensions, and the partitions of a table, which counts as one.
func (d *database) Introspect(ctx context.Context) (*schema.Catalog, error) {
	ctx, done, err := d.Begin(ctx, remote.IntrospectionTimeout)
	if err != nil {
		return nil, err
	}
	defer done()
	conn, err := d.pool.Take(ctx, remote.IntrospectionTimeout)
	if err != nil {
		return nil, d.Reason(ctx, err, kindOf)
	}
	tables, err := d.structure(ctx, conn)
	giving := d.pool.Give(conn)
	if err == nil {
		err = giving
	}
	if err != nil {
		return nil, d.Reason(ctx, err, kindOf)
	}
	c := schema.Build(d.ID(), schema.Postgres, tables)
	c.Description = d.Description
	return c, nil
}

func (d *database) structure(ctx context.Context, conn *pgconn.PgConn) ([]*schema.Table, error) {
	r := &reader{conn: conn, tables: map[string]*schema.Table{}, columns: map[string]*schema.Column{}, enums: map[string][]string{}}
	for _, s := range d.Schemas {
		r.schemas = append(r.schemas, wire.Text(s))
	}
	for _, step := range []func(context.Context) error{
		r.readTables, r.readEnums, r.readColumns, r.readUnique, r.readForeignKeys,
	} {
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

// reader gathers a database's structure on one connection. Tables are known by
// their object id, columns by that and their number.
type reader struct {
	conn    *pgconn.PgConn
	schemas []wire.Value // those that are asked for; all when empty
	order   []*schema.Table
	tables  map[string]*schema.Table
	columns map[string]*schema.Column
	enums   map[string][]string // labels by type
}

// each runs a query of the host's own and hands the text of every row to add. The
// first argument of all of them is the list of schemas.
func (r *reader) each(ctx context.Context, query string, add func(cell []string)) error {
	return each(ctx, r.conn, query, [][]byte{[]byte(encode(wire.Array(r.schemas)))}, add)
}

// each hands the text of every row to add; a null is the empty text.
func each(ctx context.Context, conn *pgconn.PgConn, query string, args [][]byte, add func(cell []string)) error {
	result := conn.ExecParams(ctx, query, args, nil, nil, nil)
	for result.NextRow() {
		values := result.Values()
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = string(v)
		}
		add(cells)
	}
	_, err := result.Close()
	return err
}

// relations are the tables and views that count, as c in n.
const relations = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	AND (cardinality($1::text[]) = 0 AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' OR n.nspname = ANY ($1::text[]))
	AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
	AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
	AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.objsubid = 0 AND e.deptype = 'e')`

func (r *reader) readTables(ctx context.Context) error {
	return r.each(ctx, `SELECT c.oid, n.nspname, c.relname, c.relkind, obj_description(c.oid, 'pg_class'),
		CASE c.relkind WHEN 'v' THEN -1
			WHEN 'p' THEN (SELECT CASE WHEN min(l.reltuples) < 0 THEN -1 ELSE sum(l.reltuples) END
				FROM pg_partition_tree(c.oid) p JOIN pg_class l ON l.oid = p.relid AND p.isleaf)
			ELSE c.reltuples END::bigint
		FROM `+relations+` ORDER BY n.nspname, c.relname`, func(cell []string) {
		t := &schema.Table{Schema: cell[1], Name: cell[2], Kind: schema.KindTable, Description: cell[4], RowEstimate: -1}
		if cell[3] == "v" || cell[3] == "m" {
			t.Kind = schema.KindView
		}
		if n, err := strconv.ParseInt(cell[5], 10, 64); err == nil {
			t.RowEstimate = n
		}
		r.order = append(r.order, t)
		r.tables[cell[0]] = t
	})
}

func (r *reader) readEnums(ctx context.Context) error {
	return r.each(ctx, `SELECT enumtypid, enumlabel FROM pg_enum WHERE $1::text[] IS NOT NULL ORDER BY enumtypid, enumsortorder`, func(cell []string) {
		r.enums[cell[0]] = append(r.enums[cell[0]], cell[1])
	})
}

// readColumns sees through domains to the type below. The collation is empty when
// it compares by code point.
func (r *reader) readColumns(ctx context.Context) error {
	return r.each(ctx, `WITH RECURSIVE base (typ, oid, mod, filled) AS (
			SELECT t.oid, t.typbasetype, t.typtypmod, t.typnotnull FROM pg_type t WHERE t.typtype = 'd'
			UNION ALL
			SELECT b.typ, t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE b.mod END, b.filled OR t.typnotnull
				FROM base b JOIN pg_type t ON t.oid = b.oid AND t.typtype = 'd'
		), columns AS (
			SELECT a.attrelid, a.attnum, a.attname, coalesce(b.oid, a.atttypid) AS typ, coalesce(b.mod, a.atttypmod) AS mod,
				NOT (a.attnotnull OR coalesce(b.filled, false)) AS nullable, a.attgenerated <> '' AS generated, a.attcollation
			FROM `+relations+` JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
				AND has_column_privilege(c.oid, a.attnum, 'SELECT')
			LEFT JOIN (base b JOIN pg_type bt ON bt.oid = b.oid AND bt.typtype <> 'd') ON b.typ = a.atttypid
		)
		SELECT k.attrelid, k.attnum, k.attname, format_type(k.typ, k.mod), k.typ,
			CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END, k.nullable, k.generated, x.description,
			CASE WHEN k.attcollation = 0 OR o.collname IN ('C', 'POSIX', 'ucs_basic', 'pg_c_utf8') THEN ''
				WHEN o.collname = 'default' AND d.locale IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8') THEN ''
				WHEN o.collname = 'default' THEN d.locale ELSE o.collname END
		FROM columns k JOIN pg_type t ON t.oid = k.typ LEFT JOIN pg_collation o ON o.oid = k.attcollation
		LEFT JOIN pg_description x ON x.classoid = 'pg_class'::regclass AND x.objoid = k.attrelid AND x.objsubid = k.attnum
		CROSS JOIN (SELECT CASE WHEN to_jsonb(d)->>'datlocprovider' = 'i' THEN coalesce(to_jsonb(d)->>'daticulocale', to_jsonb(d)->>'datlocale')
				WHEN to_jsonb(d)->>'datlocprovider' = 'b' THEN 'C' ELSE d.datcollate END AS locale
			FROM pg_database d WHERE d.datname = current_database()) d
		ORDER BY k.attrelid, k.attnum`, r.addColumn)
}

func (r *reader) addColumn(cell []string) {
	t, ok := r.tables[cell[0]]
	if !ok {
		return // made since the tables were read
	}
	base, _ := strconv.ParseUint(cell[4], 10, 32)    // object ids are digits
	element, _ := strconv.ParseUint(cell[5], 10, 32) // likewise
	c := &schema.Column{
		Name: cell[2], Native: cell[3], Type: typeOfColumn(uint32(base), uint32(element), cell[3]),
		Nullable: cell[6] == "t", Generated: cell[7] == "t", Description: cell[8], Collation: cell[9],
		Enum: r.enums[cell[4]],
	}
	t.Columns = append(t.Columns, c)
	r.columns[cell[0]+"."+cell[1]] = c
}

// readUnique takes keys that hold for the whole table: no partial index, and none
// over expressions.
func (r *reader) readUnique(ctx context.Context) error {
	return r.each(ctx, `SELECT i.indrelid, i.indisprimary, array_to_string((i.indkey::smallint[])[0:i.indnkeyatts - 1], ' ')
		FROM pg_index i JOIN `+relations+` ON c.oid = i.indrelid
		WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND NOT 0 = ANY (i.indkey)
		ORDER BY i.indrelid, i.indexrelid`, func(cell []string) {
		t, key := r.tables[cell[0]], r.named(cell[0], cell[2])
		switch {
		case t == nil || key == nil:
		case cell[1] == "t":
			t.PrimaryKey = key
		default:
			t.Unique = append(t.Unique, key)
		}
	})
}

func (r *reader) readForeignKeys(ctx context.Context) error {
	return r.each(ctx, `SELECT k.conrelid, array_to_string(k.conkey, ' '), k.confrelid, array_to_string(k.confkey, ' ')
		FROM pg_constraint k JOIN `+relations+` ON c.oid = k.conrelid
		WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY k.conrelid, k.oid`, func(cell []string) {
		t, ref := r.tables[cell[0]], r.tables[cell[2]]
		from, to := r.named(cell[0], cell[1]), r.named(cell[2], cell[3])
		if t != nil && ref != nil && from != nil && to != nil {
			t.ForeignKeys = append(t.ForeignKeys, schema.ForeignKey{Columns: from, RefTable: ref, RefColumns: to})
		}
	})
}

// named are the columns of a table by their numbers; nil when one may not be read.
func (r *reader) named(table, numbers string) []*schema.Column {
	var out []*schema.Column
	for _, n := range strings.Fields(numbers) {
		c, ok := r.columns[table+"."+n]
		if !ok {
			return nil
		}
		out = append(out, c)
	}
	return out
}

// look reads a sample. A failure of its own leaves the transaction as it was.
func (r *reader) look(ctx context.Context, t *schema.Table, columns []*schema.Column, add func([]any)) error {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quote(c.Name)
	}
	var limit time.Duration
	if deadline, ok := ctx.Deadline(); ok {
		limit = time.Until(deadline)
	}
	before := fmt.Sprintf("SAVEPOINT look; SET LOCAL statement_timeout = %d", max(limit.Milliseconds(), 1))
	whole := context.WithoutCancel(ctx) // the server ends it, which keeps the connection
	if _, err := r.conn.Exec(whole, before).ReadAll(); err != nil {
		return err
	}
	result := r.conn.ExecParams(whole, fmt.Sprintf("SELECT %s FROM %s.%s LIMIT %d",
		strings.Join(names, ", "), quote(t.Schema), quote(t.Name), remote.SampleRows), nil, nil, nil, nil)
	fields := result.FieldDescriptions()
	for result.NextRow() {
		cells := make([]any, len(columns))
		for i, v := range result.Values() {
			cells[i] = sampled(fields[i].DataTypeOID, v)
		}
		add(cells)
	}
	_, err := result.Close()
	if _, rollingBack := r.conn.Exec(whole, "ROLLBACK TO SAVEPOINT look").ReadAll(); rollingBack != nil {
		return rollingBack
	}
	return err
}

// sampled is a cell as evidence takes it.
func sampled(oid uint32, text []byte) any {
	if text == nil {
		return nil
	}
	switch v := convertScalar(kindOfType(oid), string(text)); v.Kind() {
	case wire.KindInt:
		return v.Int()
	case wire.KindFloat, wire.KindDecimal:
		return v.Float()
	}
	return string(text)
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
