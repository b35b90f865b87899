package postgres

import (
	"context"

	"querent.dev/querent/core/datasource"
)

// CanWrite implements datasource.AccountChecker.
func (d *database) CanWrite(ctx context.Context) (bool, string, error) {
	limit := d.Limit(datasource.Limits{})
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return false, "", err
	}
	defer done()
	conn, err := d.pool.Take(ctx, limit)
	if err != nil {
		return false, "", d.Reason(ctx, err, kindOf)
	}
	var right string
	err = each(ctx, conn, writeRights, nil, func(cell []string) { right = cell[0] })
	giving := d.pool.Give(conn)
	if err == nil {
		err = giving
	}
	return right != "", right, d.Reason(ctx, err, kindOf)
}

// writeRights names the first right by which the account could write.
const writeRights = `SELECT CASE
	WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN 'it is a superuser'
	WHEN EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
		AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(c.oid, 'INSERT, UPDATE')))
		THEN 'it may change the rows of at least one table'
	WHEN EXISTS (SELECT 1 FROM pg_namespace n WHERE n.nspname !~ '^pg_' AND has_schema_privilege(n.oid, 'CREATE'))
		THEN 'it may create tables in at least one schema'
	WHEN has_database_privilege(current_database(), 'CREATE') THEN 'it may create schemas'
	ELSE '' END`
