package sqlite

import (
	"context"
	"database/sql"
	"regexp"
	"strings"

	"querent.dev/querent/core/schema"
)

var collateClause = regexp.MustCompile(`(?i)\bcollate\s+["'\[` + "`" + `]?(\w+)`)

// readCollations marks the columns that may compare otherwise than by code
// point. SQL cannot tell the collation of a column, so one COLLATE in a table's
// text marks all its columns, and one in any table marks those of every view. A
// mark too many costs the use of an index, a mark too few a wrong answer.
func (r *reader) readCollations(ctx context.Context) error {
	marks := map[*schema.Table]string{}
	anywhere := ""
	err := r.each(ctx, `SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name`,
		func(rows *sql.Rows) error {
			var name, text string
			if err := rows.Scan(&name, &text); err != nil {
				return err
			}
			for _, m := range collateClause.FindAllStringSubmatch(text, -1) {
				if t := r.byName[strings.ToLower(name)]; t != nil && !strings.EqualFold(m[1], "binary") {
					marks[t] = strings.ToUpper(m[1])
					anywhere = marks[t]
				}
			}
			return nil
		})
	for _, t := range r.tables {
		mark := marks[t]
		if t.Kind == schema.KindView {
			mark = anywhere
		}
		for _, c := range t.Columns {
			c.Collation = mark
		}
	}
	return err
}
