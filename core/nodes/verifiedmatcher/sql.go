package verifiedmatcher

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/wire"
)

// A query that is given as SQL is imported when it is asked, against the structure
// that its datasource has then. Values of parameters never stand in the SQL: each
// slot is read as a constant that no query holds, and that constant's places in
// the plan become the slots of the plan.

// standIn is the constant that stands for the n-th parameter while SQL is read.
func standIn(p config.Param, n int) string {
	switch p.Type {
	case config.ParamInt:
		return strconv.Itoa(880_055_001_100 + n)
	case config.ParamDate:
		return fmt.Sprintf("1713-%02d-%02d", n/28+1, n%28+1)
	}
	return fmt.Sprintf("querent slot %d", n)
}

// maxParams bounds the parameters of a query: dates stand in for as many.
const maxParams = 12 * 28

// withStandIns is the SQL with constants in the place of its slots, and the
// constants by the names of the parameters.
func (q Query) withStandIns() (string, map[string]string, error) {
	names := slices.Sorted(maps.Keys(q.Params))
	if len(names) > maxParams {
		return "", nil, fmt.Errorf("%d parameters are too many", len(names))
	}
	values, marks := map[string]wire.Value{}, map[string]string{}
	for i, name := range names {
		mark := standIn(q.Params[name], i)
		if strings.Contains(q.SQL, mark) {
			return "", nil, fmt.Errorf("the SQL holds %q, which has a meaning of its own here", mark)
		}
		marks[name] = mark
		values[name] = wire.Text(mark)
		if n, err := wire.Parse(wire.KindInt, mark); err == nil {
			values[name] = n
		}
	}
	sql, err := fillClause(q.SQL, values)
	return sql, marks, err
}

// imported is the plan of a query that is given as SQL, slots and all.
func (q Query) imported(o sqlimport.Options) (wire.Plan, error) {
	sql, marks, err := q.withStandIns()
	if err != nil {
		return wire.Plan{}, err
	}
	got, err := sqlimport.Import(sql, o)
	if err != nil {
		return wire.Plan{}, err
	}
	var pairs []string
	used := map[string]bool{}
	for name, mark := range marks {
		pairs = append(pairs, mark, "{"+name+"}")
	}
	slots := strings.NewReplacer(pairs...)
	p, err := rewrite(got.Plan, func(s string) (string, error) {
		for name, mark := range marks {
			used[name] = used[name] || strings.Contains(s, mark)
		}
		return slots.Replace(s), nil
	})
	for name := range marks {
		if !used[name] {
			err = errors.Join(err, fmt.Errorf("the value of {%s} does not come through to the plan as it is", name))
		}
	}
	return p, err
}

// checkSQL checks what can be checked without the structure of the datasource.
func checkSQL(q Query) error {
	sql, marks, err := q.withStandIns()
	if err != nil {
		return err
	}
	for name, mark := range marks {
		if !strings.Contains(sql, mark) {
			err = errors.Join(err, fmt.Errorf("the SQL does not use the parameter {%s}", name))
		}
	}
	return errors.Join(err, sqlimport.Check(sql, q.Flavour))
}

// flavourOf is the flavour of a datasource's SQL.
func flavourOf(cat *schema.Catalog, q Query) schema.Dialect {
	if q.Flavour != "" {
		return q.Flavour
	}
	return cat.Dialect
}
