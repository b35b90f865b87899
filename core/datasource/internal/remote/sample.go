package remote

import (
	"context"
	"regexp"
	"strings"
	"time"

	"querent.dev/querent/core/datasource/internal/content"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

const (
	// SampleRows are enough to tell one format of dates from another.
	SampleRows = 200
	// sampleTimeout bounds the look at one table; a view may have to join the whole
	// database for its first row. Its texts stay texts then.
	sampleTimeout = 2 * time.Second
	// samplingTimeout bounds the look at all tables together.
	samplingTimeout = 15 * time.Second
)

// maybeMoment matches the names of columns that may hold dates in text.
var maybeMoment = regexp.MustCompile(`(?i)date|time|day|month|year|stamp|when|since|until|birth|dob|expir|created|updated|modified|deleted|started|ended|begin|finish|opened|closed|joined|_(at|on|ts|dt)$|^(at|on|ts|dt|start|end|from|to|valid_from|valid_to)$|[a-z](At|On)$`)

// Look reads the cells of columns of a table, at most SampleRows rows of them, and
// hands each row to add: nil, int64, float64, []byte or string a cell.
type Look func(ctx context.Context, t *schema.Table, columns []*schema.Column, add func([]any)) error

// ReadColumns decides the types that declarations leave open: text whose name says
// that it may hold dates, and does, and what the configuration says of columns. The
// columns are typed by their declarations already.
func (b *Base) ReadColumns(ctx context.Context, tables []*schema.Table, typeOf func(string) (wire.Type, bool), look Look) error {
	configuration := content.Configuration{Datasource: b.Options.ID, Columns: b.Columns, TypeOf: typeOf}
	configured, err := configuration.Find(tables)
	if err != nil {
		return err
	}
	wanted := map[*schema.Column]bool{}
	for _, c := range configured {
		wanted[c.Column] = c.With.Storage != schema.StorageNative
	}
	seen, err := sampleAll(ctx, tables, wanted, look)
	if err != nil {
		return err
	}
	for _, c := range configured {
		evidence := seen[c.Column]
		if evidence == nil {
			evidence = &content.Evidence{}
		}
		if err := configuration.Apply(c, evidence); err != nil {
			return err
		}
	}
	return nil
}

// sampleAll judges the candidates and keeps what the wanted columns hold.
func sampleAll(ctx context.Context, tables []*schema.Table, wanted map[*schema.Column]bool, look Look) (map[*schema.Column]*content.Evidence, error) {
	seen := map[*schema.Column]*content.Evidence{}
	began := time.Now()
	for _, t := range tables {
		var columns []*schema.Column
		late := time.Since(began) > samplingTimeout
		for _, c := range t.Columns {
			if wanted[c] || !late && open(c) {
				columns = append(columns, c)
			}
		}
		if len(columns) == 0 {
			continue
		}
		found, err := lookAt(ctx, t, columns, look)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			continue // what the view or the table does wrong is seen by those who ask for it
		}
		for i, c := range columns {
			if open(c) {
				found[i].Judge(c, c.Type, true)
			}
			if wanted[c] {
				seen[c] = &found[i]
			}
		}
	}
	return seen, nil
}

// open reports whether the declaration of c leaves its type open: text may be dates,
// and MariaDB's boolean is a small number.
func open(c *schema.Column) bool {
	return c.Type.Kind == wire.KindText && maybeMoment.MatchString(c.Name) ||
		c.Type.Kind == wire.KindBool && strings.HasPrefix(c.Native, "tinyint")
}

func lookAt(ctx context.Context, t *schema.Table, columns []*schema.Column, look Look) ([]content.Evidence, error) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	found := make([]content.Evidence, len(columns))
	err := look(ctx, t, columns, func(cells []any) {
		for i, cell := range cells {
			found[i].Add(cell)
		}
	})
	return found, err
}
