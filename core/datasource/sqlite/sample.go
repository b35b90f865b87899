package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/core/schema"
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
	// sampleColumns keeps the text of one query short.
	sampleColumns = 100
)

// sample decides the types that the declarations leave open, which in SQLite are
// all but those of blobs and times of day. Columns with a configured storage are
// looked at in any case.
func (r *reader) sample(ctx context.Context, t *schema.Table) error {
	var open []*schema.Column
	for _, c := range t.Columns {
		if d, known := typeOf(c.Native); !known || d.Kind != wire.KindBytes && d.Kind != wire.KindTime || r.stored[c] != nil {
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
			found = make([]content.Evidence, len(columns))
		}
		for i, c := range columns {
			t, known := typeOf(c.Native)
			found[i].Judge(c, t, known)
			if seen := r.stored[c]; seen != nil {
				*seen = found[i]
			}
		}
	}
	return nil
}

func (r *reader) look(ctx context.Context, t *schema.Table, columns []*schema.Column) ([]content.Evidence, error) {
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
	found := make([]content.Evidence, len(columns))
	err = r.each(ctx, query, func(rows *sql.Rows) error {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i, cell := range cells {
			found[i].Add(cell)
		}
		return nil
	})
	return found, err
}
