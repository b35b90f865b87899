package mysql

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// Explain implements datasource.Explainer. The server tells no cost.
func (d *database) Explain(ctx context.Context, s sqlgen.Statement) (datasource.Estimate, error) {
	if err := d.Check(s, schema.MySQL); err != nil {
		return datasource.Estimate{}, err
	}
	limit := d.Limit(datasource.Limits{})
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return datasource.Estimate{}, err
	}
	defer done()
	c, err := d.start(ctx, limit, "EXPLAIN FORMAT=JSON "+s.SQL(), s.Args())
	if err != nil {
		return datasource.Estimate{}, d.Reason(ctx, err, kindOf)
	}
	var document string
	more, err := c.Next()
	for ; more && err == nil; more, err = c.Next() {
		document += text(c.cells[0])
	}
	if closing := c.Close(err == nil); err == nil {
		err = closing
	}
	if err != nil {
		return datasource.Estimate{}, d.Reason(ctx, err, kindOf)
	}
	e, err := estimate(document, s.SQL())
	return e, d.Reason(ctx, err, kindOf)
}

// occurrence is a table of a statement with its alias, as sqlgen writes it.
var occurrence = regexp.MustCompile("`((?:[^`]|``)+)`\\.`((?:[^`]|``)+)` AS `?(\\w+)`?")

func estimate(document, sql string) (datasource.Estimate, error) {
	var root map[string]any
	repaired, err := asJSON(document)
	if err == nil {
		err = json.Unmarshal(repaired, &root)
	}
	if err != nil {
		return datasource.Estimate{}, fmt.Errorf("read the server's plan: %w", err)
	}
	w := &walker{tables: map[string]string{}}
	unquote := strings.NewReplacer("``", "`")
	for _, m := range occurrence.FindAllStringSubmatch(sql, -1) {
		w.tables[m[3]] = unquote.Replace(m[1]) + "." + unquote.Replace(m[2])
	}
	w.walk(root)
	return w.estimate, nil
}

// walker sums up a plan. Tables are joined from left to right within a nested loop,
// or directly within a block in older versions.
type walker struct {
	tables   map[string]string // by alias
	estimate datasource.Estimate
}

func (w *walker) walk(node any) {
	switch x := node.(type) {
	case []any:
		for _, e := range x {
			w.walk(e)
		}
	case map[string]any:
		if loop, ok := x["nested_loop"].([]any); ok {
			w.join(loop)
		} else if x["table"] != nil || x["block-nl-join"] != nil {
			w.join([]any{x})
			return
		}
		for key, e := range x {
			w.walkUnlessJoined(key, e)
		}
	}
}

// walkUnlessJoined descends to what join does not look at: blocks below.
func (w *walker) walkUnlessJoined(key string, node any) {
	if key == "nested_loop" {
		return
	}
	w.walk(node)
}

// join multiplies what each table adds.
func (w *walker) join(sides []any) {
	rows := 1.0
	for i, side := range sides {
		table, condition := joined(side)
		if table == nil {
			w.walk(side)
			continue
		}
		here := number(table["rows"])
		filtered := 100.0
		if f, ok := table["filtered"].(float64); ok {
			filtered = f
		}
		if i > 0 && here > 1 && rows > 1 && here*rows > remote.SmallProduct && !condition && table["ref"] == nil {
			w.estimate.CrossProducts++
		}
		w.add(max(here, rows*here*filtered/100))
		rows *= here * filtered / 100
		alias, _ := table["table_name"].(string)
		whole := table["access_type"] == "ALL" || table["access_type"] == "index"
		if whole && w.tables[alias] != "" && !slices.Contains(w.estimate.Scans, w.tables[alias]) {
			w.estimate.Scans = append(w.estimate.Scans, w.tables[alias])
		}
		for _, below := range table {
			w.walk(below) // a materialized block
		}
	}
}

// joined is the table of one side of a join, and whether it has a condition.
func joined(side any) (table map[string]any, condition bool) {
	m, ok := side.(map[string]any)
	if !ok {
		return nil, false
	}
	condition = m["attached_condition"] != nil
	for _, key := range []string{"block-nl-join", "table"} {
		below, ok := m[key].(map[string]any)
		if !ok {
			continue
		}
		if key == "table" {
			return below, condition || below["attached_condition"] != nil
		}
		table, inner := joined(below)
		return table, condition || inner
	}
	return nil, condition
}

func (w *walker) add(rows float64) {
	if rows >= math.MaxInt64 {
		w.estimate.Rows = math.MaxInt64
		return
	}
	w.estimate.Rows = max(w.estimate.Rows, int64(rows))
}

func number(v any) float64 {
	f, ok := v.(float64)
	if !ok {
		return 1
	}
	return f
}

// rights that change nothing.
var harmless = map[string]bool{
	"SELECT": true, "USAGE": true, "SHOW VIEW": true, "SHOW DATABASES": true, "PROCESS": true, "EXECUTE": true,
	"REPLICATION CLIENT": true, "BINLOG MONITOR": true, "SLAVE MONITOR": true, "REPLICA MONITOR": true, "REFERENCES": true,
}

// granted is a line of SHOW GRANTS about rights; one about a role has no ON.
var granted = regexp.MustCompile(`^GRANT (.+?) ON `)

// CanWrite implements datasource.AccountChecker.
func (d *database) CanWrite(ctx context.Context) (bool, string, error) {
	limit := d.Limit(datasource.Limits{})
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return false, "", err
	}
	defer done()
	c, err := d.pool.Take(ctx, limit)
	if err != nil {
		return false, "", d.Reason(ctx, err, kindOf)
	}
	var right string
	err = c.each(ctx, "SHOW GRANTS", func(cells []driver.Value) {
		if m := granted.FindStringSubmatch(text(cells[0])); m != nil && right == "" {
			right = writeRight(m[1])
		}
	})
	giving := d.pool.Give(c)
	if err == nil {
		err = giving
	}
	return right != "", right, d.Reason(ctx, err, kindOf)
}

// columnList is the part of a right that names columns.
var columnList = regexp.MustCompile(`\s*\([^)]*\)`)

// writeRight is the first right of a list that may change something.
func writeRight(list string) string {
	for _, right := range strings.Split(columnList.ReplaceAllString(list, ""), ",") {
		if right = strings.TrimSpace(right); !harmless[strings.ToUpper(right)] {
			return "it has the right " + right
		}
	}
	return ""
}
