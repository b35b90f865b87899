package sqlimport

import (
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport/internal/mysql"
	"querent.dev/querent/core/sqlimport/internal/pgsql"
	"querent.dev/querent/core/sqlimport/internal/tree"
)

// Open is a query without its limit, in its own flavour, and with the terms that
// it is ordered by among its columns: what rows could stand in its result.
type Open = tree.Open

// Unlimited takes the limit off a trusted query of PostgreSQL's or MariaDB's
// flavour. It is false for a query that has neither an order nor a limit, or whose
// ordering terms cannot stand among its columns.
func Unlimited(sql string, flavour schema.Dialect) (o Open, ok bool) {
	if checkText(sql) != nil {
		return Open{}, false
	}
	defer func() {
		if recover() != nil {
			o, ok = Open{}, false
		}
	}()
	switch flavour {
	case schema.Postgres:
		return pgsql.Open(sql)
	case schema.MySQL:
		return mysql.Open(sql)
	}
	return Open{}, false
}

// Respell writes the tables, and on PostgreSQL the columns, of a trusted query as
// names has them, by their names in lower case. It is false for a query that it
// cannot read.
func Respell(sql string, flavour schema.Dialect, names map[string]string) (text string, ok bool) {
	if checkText(sql) != nil {
		return "", false
	}
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	switch flavour {
	case schema.Postgres:
		return pgsql.Respell(sql, names)
	case schema.MySQL:
		return mysql.Respell(sql, names)
	}
	return "", false
}
