package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// What SQLite needs no work for.

func (sqlite) placeholder(int, wire.Value) string { return "?" }

// longest: SQLite has no bound of its own.
func (sqlite) longest() int { return maxLength }

func (sqlite) marker() byte { return '?' }

func (sqlite) literal(r *renderer, l *plan.Literal) { r.arg(l.Value) }

func (sqlite) stored(r *renderer, e plan.Expr) {
	if mixedForms(e) {
		r.put(e)
		return
	}
	r.raw(e)
}

func (sqlite) narrow(*renderer, plan.Expr, []plan.Expr) {}

// indexesIn: SQLite makes an index of the right side of IN by itself, and runs
// NOT EXISTS without one as a scan for every row outside.
func (sqlite) indexesIn([]pair) bool { return true }

func (sqlite) ofGroups(b *plan.Block) (early, late []plan.Expr) { return nil, wholeHaving(b) }

func (sqlite) seesKeys(bool) bool { return true }

func (sqlite) anyOf(r *renderer, key plan.Expr) { r.anyBy("max", key) }

func (sqlite) fullJoin(*plan.Source) bool { return true }

// conform brings moments to one form: the inputs may have theirs of columns that
// differ in it.
func (sqlite) conform(r *renderer, write func(), _, to wire.Type) {
	if !clocked(to.Kind) {
		write()
		return
	}
	r.put("strftime(", stampFormat(to.Kind), ", ", write, ")")
}

func (sqlite) partition(r *renderer, by []plan.Expr) bool { return r.partitionBy("", by) }

func (sqlite) beside(*plan.Call) bool { return false }
