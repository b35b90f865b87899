package sqlite

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// query is what a statement asks of the file and what it may touch for it.
type query struct {
	sql     string
	args    []wire.Value
	columns []wire.Column
	reads   []column
	tables  []table
}

// block is the definition of a named sub-query, as sqlgen writes it.
var block = regexp.MustCompile(`\b(b\d+) AS \(`)

// blocks are the names of the query's own sub-queries. Such a name hides any
// table that has it.
func (q query) blocks() map[string]bool {
	names := map[string]bool{}
	for _, m := range block.FindAllStringSubmatch(q.sql, -1) {
		names[m[1]] = true
	}
	return names
}

// run starts q. The rows that it returns own a connection until they are closed.
func (d *database) run(ctx context.Context, q query, l datasource.Limits) (*rows, error) {
	if err := d.check(q); err != nil {
		return nil, err
	}
	args, err := bind(q.args)
	if err != nil {
		return nil, d.classify(err)
	}
	limit := d.options.StatementTimeout
	if l.Timeout > 0 {
		limit = min(limit, l.Timeout)
	}
	g := newGrants(q)
	ctx, finish := d.watch(ctx)
	s, err := d.checkOut(ctx)
	if err != nil {
		finish()
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeLimit)
	r := &rows{
		columns: q.columns, limits: l, session: s,
		release: func() { cancel(); finish() },
		explain: func(err error) error { return d.explain(ctx, g, err) },
	}
	if err := r.start(ctx, g, q.sql, args); err != nil {
		return nil, err
	}
	return r, nil
}

// check refuses a text that is no statement of the host's making before SQLite
// sees it: the driver would run every statement of a list.
func (d *database) check(q query) error {
	if len(q.sql) > maxSQL {
		return reason.New(reason.ExecutionFailed, reason.ReasonExecutionFailed,
			"datasource %s: the query has %d bytes of SQL, more than the %d that are accepted", d.options.ID, len(q.sql), maxSQL).
			WithSafe("The query is too long for the database.").WithNext("Ask for less at once.")
	}
	if !single(q.sql) {
		return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted,
			"datasource %s: the text holds more than one statement, or a comment", d.options.ID)
	}
	return nil
}

// single reports whether sql is one statement without comments. A quote inside
// quotes is doubled, which closes and opens them again.
func single(sql string) bool {
	var quote byte
	for i := range len(sql) {
		c := sql[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == ';' || c == '[':
			return false
		case strings.HasPrefix(sql[i:], "--") || strings.HasPrefix(sql[i:], "/*"):
			return false
		}
	}
	return quote == 0
}

// checkOut waits for a free connection as long as a query may take. The wait is
// not the query's own time, and ends in an error of its own.
func (d *database) checkOut(ctx context.Context) (*session, error) {
	p, err := d.current()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	wait, cancel := context.WithTimeout(ctx, d.options.StatementTimeout)
	defer cancel()
	s, err := p.session(wait)
	if err != nil && wait.Err() != nil && ctx.Err() == nil {
		return nil, d.busy(time.Since(began).Round(time.Millisecond))
	}
	return s, d.explain(ctx, &grants{}, err)
}

// bind converts arguments to what the driver binds without a change. Dates are
// bound as their ISO text: SQLite has no type for them.
func bind(values []wire.Value) ([]any, error) {
	args := make([]any, len(values))
	for i, v := range values {
		switch v.Kind() {
		case wire.KindNull:
		case wire.KindBool:
			args[i] = int64(0)
			if v.Bool() {
				args[i] = int64(1)
			}
		case wire.KindInt:
			args[i] = v.Int()
		case wire.KindFloat:
			args[i] = v.Float()
		case wire.KindDecimal:
			args[i] = bindDecimal(v)
		case wire.KindBytes:
			args[i] = v.Raw()
		case wire.KindArray:
			return nil, fmt.Errorf("argument %d is an array, which SQLite does not have", i+1)
		default:
			args[i] = v.String()
		}
	}
	return args, nil
}

// bindDecimal binds a decimal as SQLite stores one in a column of numbers: as
// an integer when it is whole and fits, else as the nearest double.
func bindDecimal(v wire.Value) any {
	whole, fraction, _ := strings.Cut(v.String(), ".")
	if strings.Trim(fraction, "0") == "" {
		if i, err := wire.Parse(wire.KindInt, whole); err == nil {
			return i.Int()
		}
	}
	return v.Float()
}
