package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/core/schema"
)

// Introspect implements datasource.Datasource. Beside the structure it reads at
// most sampleRows rows of the columns whose content decides their type.
//
// Left out are SQLite's own tables, virtual tables with their shadow tables,
// hidden columns, and views that do not compile.
func (d *database) Introspect(ctx context.Context) (*schema.Catalog, error) {
	g := &grants{catalog: true}
	ctx, finish := d.watch(ctx)
	defer finish()
	s, err := d.checkOut(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, introspectionTimeout, errTimeLimit)
	defer cancel()
	var tables []*schema.Table
	if err = s.grant(ctx, g); err == nil {
		tables, err = d.structure(ctx, s)
	}
	if closing := s.close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, d.explain(ctx, g, err)
	}
	c := schema.Build(d.options.ID, schema.SQLite, tables)
	c.Description = d.options.Description
	return c, nil
}

// structure reads the tables and applies the configuration to their columns.
func (d *database) structure(ctx context.Context, s *session) ([]*schema.Table, error) {
	disarm, err := s.arm(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{session: s, byName: map[string]*schema.Table{}, withRowid: map[*schema.Table]bool{}}
	for _, step := range []func(context.Context) error{
		r.readTables, r.readColumns, r.readCollations, r.readUnique, r.readForeignKeys, r.readEstimates,
	} {
		if err := step(ctx); err != nil {
			disarm()
			return nil, err
		}
	}
	disarm()
	configuration := content.Configuration{Datasource: d.options.ID, Columns: d.options.Columns, TypeOf: typeOf}
	configured, err := configuration.Find(r.tables)
	if err != nil {
		return nil, err
	}
	r.stored = map[*schema.Column]*content.Evidence{}
	for _, c := range configured {
		if c.With.Storage != schema.StorageNative {
			r.stored[c.Column] = &content.Evidence{}
		}
	}
	for _, t := range r.tables {
		if err := r.sample(ctx, t); err != nil {
			return nil, err
		}
	}
	for _, c := range configured {
		if err := configuration.Apply(c, r.stored[c.Column]); err != nil {
			return nil, err
		}
	}
	return r.tables, nil
}

// reader gathers a file's structure on one connection.
type reader struct {
	session *session
	tables  []*schema.Table
	byName  map[string]*schema.Table // by lower-case name: SQLite ignores ASCII case
	// withRowid are the tables whose primary key may hold nulls unless it is
	// declared otherwise.
	withRowid map[*schema.Table]bool
	// stored is what the columns hold whose storage is configured.
	stored map[*schema.Column]*content.Evidence
}

// each runs a query on the armed session and hands every row to scan.
func (r *reader) each(ctx context.Context, query string, scan func(*sql.Rows) error, args ...any) error {
	rows, err := r.session.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *reader) readTables(ctx context.Context) error {
	return r.each(ctx, `SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'
		AND type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`,
		func(rows *sql.Rows) error {
			t := &schema.Table{Schema: "main", RowEstimate: -1}
			var withoutRowid bool
			if err := rows.Scan(&t.Name, &t.Kind, &withoutRowid); err != nil {
				return err
			}
			r.tables = append(r.tables, t)
			r.byName[strings.ToLower(t.Name)] = t
			r.withRowid[t] = !withoutRowid
			return nil
		})
}

// readColumns asks for all tables at once and for views one by one, since a view
// that does not compile would spoil the answer for all.
func (r *reader) readColumns(ctx context.Context) error {
	const columns = `SELECT t.name, c.name, c.type, c."notnull", c.pk, c.hidden
		FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c `
	err := r.each(ctx, columns+`WHERE t.type = 'table' ORDER BY t.name, c.cid`, r.addColumn)
	if err != nil {
		return err
	}
	kept := r.tables[:0]
	for _, t := range r.tables {
		if t.Kind == schema.KindView {
			err := r.each(ctx, columns+`WHERE t.type = 'view' AND t.name = ? ORDER BY c.cid`, r.addColumn, t.Name)
			if ctx.Err() != nil {
				return err
			}
			if err != nil || len(t.Columns) == 0 {
				delete(r.byName, strings.ToLower(t.Name))
				continue
			}
		}
		// An INTEGER PRIMARY KEY is the rowid, which is never null.
		if key := t.PrimaryKey; len(key) == 1 && strings.EqualFold(key[0].Native, "integer") {
			key[0].Nullable = false
		}
		kept = append(kept, t)
	}
	r.tables = kept
	return nil
}

// The values of table_xinfo's hidden column.
const (
	hiddenColumn     = 1
	generatedVirtual = 2
	generatedStored  = 3
)

func (r *reader) addColumn(rows *sql.Rows) error {
	var tableName string
	var notNull bool
	var keyPosition, hidden int
	c := &schema.Column{}
	if err := rows.Scan(&tableName, &c.Name, &c.Native, &notNull, &keyPosition, &hidden); err != nil {
		return err
	}
	t, ok := r.byName[strings.ToLower(tableName)]
	if !ok || hidden == hiddenColumn {
		return nil
	}
	c.Generated = hidden == generatedVirtual || hidden == generatedStored
	c.Type, _ = typeOf(c.Native)
	c.Nullable = !notNull
	t.Columns = append(t.Columns, c)
	if keyPosition == 0 {
		return nil
	}
	c.Nullable = c.Nullable && r.withRowid[t]
	for len(t.PrimaryKey) < keyPosition {
		t.PrimaryKey = append(t.PrimaryKey, nil)
	}
	t.PrimaryKey[keyPosition-1] = c
	return nil
}

// readEstimates takes the row counts that ANALYZE left in the file, if it ever
// ran; counting would read every table.
func (r *reader) readEstimates(ctx context.Context) error {
	analyzed := false
	err := r.each(ctx, `SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`,
		func(*sql.Rows) error { analyzed = true; return nil })
	if err != nil || !analyzed {
		return err
	}
	return r.each(ctx, `SELECT tbl, stat FROM sqlite_stat1 WHERE stat IS NOT NULL`, func(rows *sql.Rows) error {
		var name, stat string
		if err := rows.Scan(&name, &stat); err != nil {
			return err
		}
		count, _, _ := strings.Cut(stat, " ")
		n, err := strconv.ParseInt(count, 10, 64)
		if t, ok := r.byName[strings.ToLower(name)]; ok && err == nil {
			t.RowEstimate = max(t.RowEstimate, n)
		}
		return nil
	})
}
