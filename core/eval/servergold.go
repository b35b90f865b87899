package eval

import (
	"context"
	"database/sql"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport"
)

// RunServerGold runs trusted gold SQL on a server, in a transaction that cannot
// write.
func RunServerGold(ctx context.Context, db *sql.DB, dialect schema.Dialect, query string) (*Gold, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // it has nothing to commit
	zone := "SET LOCAL TIME ZONE 'UTC'"
	if dialect == schema.MySQL {
		zone = "SET time_zone = '+00:00'"
	}
	if _, err := tx.ExecContext(ctx, zone); err != nil {
		return nil, err
	}
	g := &Gold{}
	if g.rows, err = fetch(ctx, tx, query); err != nil {
		return nil, err
	}
	open, ok := sqlimport.Unlimited(query, dialect)
	if !ok {
		return g, nil
	}
	g.ordered = len(open.Keys) > 0
	rows, err := fetch(ctx, tx, open.SQL)
	if err != nil {
		// It is ordered by what cannot stand among its columns, and is compared as it is.
		return g, nil
	}
	for _, r := range rows {
		k := keyed{row: r[:len(r)-open.Added]}
		for _, at := range open.Keys {
			if at < 0 {
				at += len(r)
			}
			k.key = append(k.key, r[at])
		}
		g.open = append(g.open, k)
	}
	return g, nil
}
