package eval

import (
	"querent.dev/querent/core/schema"
)

// CoverageReport counts the records of a coverage, by dialect.
type CoverageReport struct {
	Cases    int                               `json:"cases"`
	Dialects map[schema.Dialect]*DialectReport `json:"dialects"`
	Reasons  map[schema.Dialect]map[string]int `json:"reasons"`
}

// DialectReport is what became of the golds on one dialect.
type DialectReport struct {
	Counts map[Status]int `json:"counts"`
	// Portable is how many were neither skipped nor not portable; Right is the part
	// of those that gave the gold's rows, and NotPortable the part of all that are
	// not.
	Portable    int     `json:"portable"`
	Right       float64 `json:"right"`
	NotPortable float64 `json:"not_portable"`
}

func (r *CoverageReport) add(rec Record) {
	d := schema.Dialect(rec.Dialect)
	if r.Dialects[d] == nil {
		r.Dialects[d] = &DialectReport{Counts: map[Status]int{}}
		r.Reasons[d] = map[string]int{}
	}
	r.Dialects[d].Counts[rec.Status]++
	if rec.Reason != "" {
		r.Reasons[d][rec.Reason]++
	}
}

func (r *CoverageReport) finish() {
	for _, d := range r.Dialects {
		all := 0
		for _, n := range d.Counts {
			all += n
		}
		d.Portable = all - d.Counts[Skipped] - d.Counts[NotPortable]
		if d.Portable > 0 {
			d.Right = float64(d.Counts[Right]+d.Counts[Tie]) / float64(d.Portable)
		}
		if judged := all - d.Counts[Skipped]; judged > 0 {
			d.NotPortable = float64(d.Counts[NotPortable]) / float64(judged)
		}
	}
}
