package pack

import (
	"slices"

	"querent.dev/querent/sdk/wire"
)

// presence says whether a placeholder has a value in the answers that a template
// is for.
type presence int

const (
	never presence = iota
	maybe
	always
)

// situation is a kind of answer: a failure explained, or a result of a shape.
type situation struct {
	failure bool
	shape   Shape
}

// situations are those in which the template may stand.
func (c conditions) situations() []situation {
	var out []situation
	ends := func(failed bool) bool {
		return len(c.Outcome) == 0 || slices.ContainsFunc(c.Outcome, func(k wire.OutcomeKind) bool { return failed != succeeds(k) })
	}
	shaped := func(s Shape) bool { return len(c.Shape) == 0 || slices.Contains(c.Shape, s) }
	if ends(true) && shaped(ShapeNone) {
		out = append(out, situation{failure: true, shape: ShapeNone})
	}
	for _, shape := range Shapes() {
		if ends(false) && shaped(shape) && len(c.Code) == 0 && len(c.Reason) == 0 {
			out = append(out, situation{shape: shape})
		}
	}
	return out
}

func succeeds(k wire.OutcomeKind) bool { return k == wire.Answered || k == wire.Partial }

// presence is whether the placeholder has a value in all, some or none of the
// situations in which the template may stand.
func (c conditions) presence(f Field) presence {
	var all []presence
	for _, s := range c.situations() {
		p := s.presence(f)
		known := f == VerifiedID && len(c.Verified) > 0 || f == Datasource && len(c.Datasource) > 0
		if known && p == maybe {
			p = always
		}
		all = append(all, p)
	}
	if len(all) == 0 || slices.Max(all) == never {
		return never
	}
	if slices.Min(all) == always {
		return always
	}
	return maybe
}

func (s situation) presence(f Field) presence {
	switch f {
	case Question:
		return always
	case DataNotes, VerifiedID, VerifiedDescription, Unmapped, Datasource:
		return maybe
	}
	if s.failure {
		return ofFailure(f)
	}
	return s.ofResult(f)
}

func ofFailure(f Field) presence {
	switch f {
	case Requirement, Stage, Reason, Code, Says, Do:
		return always
	case Attempted, FailedStep, Detail, NotKnown, Choices, Proposals, PlanID, Provider, Partial:
		return maybe
	}
	return never
}

func (s situation) ofResult(f Field) presence {
	rows := s.shape == ShapeRow || s.shape == ShapeList || s.shape == ShapeTable
	switch {
	case s.shape == ShapeNone:
		return never
	case f == Columns, f == RowCount, f == ShownRows:
		return always
	case f == Column && (s.shape == ShapeScalar || s.shape == ShapeList), f == Cell && s.shape == ShapeScalar, f == Body && rows:
		return always
	case f == Column && (s.shape == ShapeEmpty || s.shape == ShapeTable):
		// A table may have one column, when its rows were too large to be shown.
		return maybe
	case f == MoreRows && (s.shape == ShapeList || s.shape == ShapeTable):
		return maybe
	case (f == Truncated || f == RowLimit) && s.shape != ShapeEmpty:
		return maybe
	}
	return never
}
