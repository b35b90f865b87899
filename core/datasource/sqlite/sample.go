package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const (
	// sampleRows are enough to tell one format from another, and are read in
	// well under a millisecond.
	sampleRows = 200
	// sampleTimeout bounds the look at one table; a view may have to join the
	// whole database for its first row. Its undeclared columns are text then.
	sampleTimeout = 2 * time.Second
	// introspectionTimeout bounds the reading of a whole file's structure.
	introspectionTimeout = 60 * time.Second
	// nativeCollation is the configuration's word for leaving the database's own
	// comparison as it is, so that its indexes serve.
	nativeCollation = "native"
	// sampleColumns keeps the text of one query short.
	sampleColumns = 100
)

// sample decides the types that the declarations leave open, which in SQLite are
// all but those of blobs and times of day.
func (r *reader) sample(ctx context.Context, t *schema.Table) error {
	var open []*schema.Column
	for _, c := range t.Columns {
		if d, known := typeOf(c.Native); !known || d.Kind != wire.KindBytes && d.Kind != wire.KindTime {
			open = append(open, c)
		}
	}
	for columns := range slices.Chunk(open, sampleColumns) {
		found, err := r.look(ctx, t, columns)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			// What the view or the table does wrong is seen by those who ask for it.
			found = make([]evidence, len(columns))
		}
		for i, c := range columns {
			found[i].judge(c)
		}
	}
	return nil
}

func (r *reader) look(ctx context.Context, t *schema.Table, columns []*schema.Column) ([]evidence, error) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	disarm, err := r.session.arm(ctx)
	if err != nil {
		return nil, err
	}
	defer disarm()
	names := make([]string, len(columns))
	cells, dest := make([]any, len(columns)), make([]any, len(columns))
	for i, c := range columns {
		// The plus takes away the declared type, by which the driver would read text as
		// a time and lose its zone.
		names[i] = "+" + quote(c.Name)
		dest[i] = &cells[i]
	}
	query := fmt.Sprintf("SELECT %s FROM main.%s LIMIT %d", strings.Join(names, ", "), quote(t.Name), sampleRows)
	found := make([]evidence, len(columns))
	err = r.each(ctx, query, func(rows *sql.Rows) error {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i, cell := range cells {
			found[i].add(cell)
		}
		return nil
	})
	return found, err
}

// configure applies what the configuration says of columns. A name that the
// file does not have is an error: its tag would protect nothing.
func (d *database) configure(tables []*schema.Table) error {
	for name, with := range d.options.Columns {
		c := findByID(tables, name)
		if c == nil {
			return d.noSuchColumn(tables, name)
		}
		c.Description, c.Synonyms, c.Tags = with.Description, with.Synonyms, with.Tags
		if with.Collation == nativeCollation {
			c.Collation = ""
		}
		if with.Storage == schema.StorageNative {
			continue
		}
		c.Type = storedType(c, with)
		c.Storage = with.Storage
	}
	return nil
}

// storedType is the type of a column whose storage the configuration names: the
// one it has or declares, if that is a date, else what the storage can hold.
func storedType(c *schema.Column, with config.ColumnConfig) wire.Type {
	if c.Type.Kind.Temporal() {
		return c.Type
	}
	if t, known := typeOf(c.Native); known && t.Kind.Temporal() {
		return t
	}
	if with.Storage == schema.StorageDMY {
		return wire.Type{Kind: wire.KindDate}
	}
	return wire.Type{Kind: wire.KindTimestamp}
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

func (d *database) noSuchColumn(tables []*schema.Table, id string) error {
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
	return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged,
		"datasource %s: the configuration describes the column %s, which the database does not have; it has %s",
		d.options.ID, id, strings.Join(near, ", ")).
		WithSafe("The configuration describes a column that the database does not have.").
		WithNext("Correct the datasource's columns in the configuration; the log names the column.")
}
