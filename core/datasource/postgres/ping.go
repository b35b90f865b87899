package postgres

import (
	"context"

	"querent.dev/querent/core/datasource"
)

var _ datasource.Pinger = (*database)(nil)

// Ping implements datasource.Pinger with an empty transaction.
func (d *database) Ping(ctx context.Context) error {
	limit := d.Limit(datasource.Limits{})
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return err
	}
	defer done()
	c, err := d.pool.Take(ctx, limit)
	if err == nil {
		err = d.pool.Give(c)
	}
	return d.Reason(ctx, err, kindOf)
}
