package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// Explain implements datasource.Explainer.
func (d *database) Explain(ctx context.Context, s sqlgen.Statement) (datasource.Estimate, error) {
	if err := d.Check(s, schema.Postgres); err != nil {
		return datasource.Estimate{}, err
	}
	args, err := encodeAll(s.Args())
	if err != nil {
		return datasource.Estimate{}, d.Reason(ctx, err, kindOf)
	}
	limit := d.Limit(datasource.Limits{})
	ctx, done, err := d.Begin(ctx, limit)
	if err != nil {
		return datasource.Estimate{}, err
	}
	defer done()
	conn, err := d.pool.Take(ctx, limit)
	if err != nil {
		return datasource.Estimate{}, d.Reason(ctx, err, kindOf)
	}
	var text string
	err = each(ctx, conn, "EXPLAIN (FORMAT JSON, VERBOSE) "+s.SQL(), args, func(cell []string) { text += cell[0] })
	giving := d.pool.Give(conn)
	if err == nil {
		err = giving
	}
	if err != nil {
		return datasource.Estimate{}, d.Reason(ctx, err, kindOf)
	}
	e, err := estimate(text)
	return e, d.Reason(ctx, err, kindOf)
}

// step is a node of the server's plan, as far as it matters here.
type step struct {
	NodeType  string  `json:"Node Type"`
	Schema    string  `json:"Schema"`
	Relation  string  `json:"Relation Name"`
	Rows      float64 `json:"Plan Rows"`
	Cost      float64 `json:"Total Cost"`
	Plans     []step  `json:"Plans"`
	JoinType  string  `json:"Join Type"`
	Filter    string  `json:"Filter"`
	JoinCond  string  `json:"Join Filter"`
	IndexCond string  `json:"Index Cond"`
	Recheck   string  `json:"Recheck Cond"`
	TIDCond   string  `json:"TID Cond"`
}

func estimate(text string) (datasource.Estimate, error) {
	var plans []struct{ Plan step }
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) != 1 {
		return datasource.Estimate{}, fmt.Errorf("read the server's plan: %d plans, %w", len(plans), err)
	}
	e := datasource.Estimate{Cost: plans[0].Plan.Cost}
	addStep(&e, plans[0].Plan)
	return e, nil
}

func addStep(e *datasource.Estimate, s step) {
	if s.Rows < math.MaxInt64 {
		e.Rows = max(e.Rows, int64(s.Rows))
	} else {
		e.Rows = math.MaxInt64
	}
	if scanned := s.Schema + "." + s.Relation; s.wholeTable() && !slices.Contains(e.Scans, scanned) {
		e.Scans = append(e.Scans, scanned)
	}
	if s.NodeType == "Nested Loop" && s.JoinCond == "" && len(s.Plans) == 2 &&
		s.Plans[0].Rows > 1 && s.Plans[1].Rows > 1 && s.Plans[0].Rows*s.Plans[1].Rows > remote.SmallProduct && !conditional(s.Plans[1]) {
		e.CrossProducts++
	}
	for _, below := range s.Plans {
		addStep(e, below)
	}
}

// wholeTable reports whether every row of a table is read.
func (s step) wholeTable() bool {
	return s.NodeType == "Seq Scan" || (s.NodeType == "Index Only Scan" || s.NodeType == "Index Scan") && s.IndexCond == ""
}

// conditional reports whether a side of a join looks its rows up by something. A
// filter alone is no such condition: it may be the plan's own on that table.
func conditional(s step) bool {
	if s.IndexCond != "" || s.Recheck != "" || s.TIDCond != "" || s.NodeType == "Memoize" {
		return true
	}
	for _, below := range s.Plans {
		if conditional(below) {
			return true
		}
	}
	return false
}
