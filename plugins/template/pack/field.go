package pack

import (
	"fmt"
	"slices"
	"strings"
)

// Field is a placeholder's name.
type Field string

// The placeholders, a closed set. Numbers are written in the manner of the
// language; cells in Body keep their exact digits.
const (
	Question            Field = "question"
	Column              Field = "column"  // the name of the only column
	Columns             Field = "columns" // all names in a sentence
	Cell                Field = "value"   // the only cell
	RowCount            Field = "row_count"
	ShownRows           Field = "shown_rows"
	MoreRows            Field = "more_rows" // rows that are not shown
	RowLimit            Field = "row_limit" // absent when the byte limit cut the result
	Truncated           Field = "truncated" // set when the result was cut
	Body                Field = "body"      // the preview rows
	DataNotes           Field = "data_notes"
	VerifiedID          Field = "verified_id"
	VerifiedDescription Field = "verified_description"
	Unmapped            Field = "unmapped"

	Requirement Field = "requirement"
	Attempted   Field = "attempted"
	FailedStep  Field = "failed_step"
	Stage       Field = "stage"
	Reason      Field = "reason"
	Code        Field = "code"
	Says        Field = "says"   // the reason in plain words
	Detail      Field = "detail" // what the host knows beyond the reason
	Do          Field = "do"     // the next action
	NotKnown    Field = "words_not_understood"
	Choices     Field = "choices"
	Proposals   Field = "proposals"
	PlanID      Field = "plan_id"
	Datasource  Field = "datasource"
	Provider    Field = "provider"
	Partial     Field = "partial_results"
)

// Fields lists every placeholder.
func Fields() []Field {
	return []Field{
		Question, Column, Columns, Cell, RowCount, ShownRows, MoreRows, RowLimit, Truncated, Body, DataNotes,
		VerifiedID, VerifiedDescription, Unmapped, Requirement, Attempted, FailedStep, Stage, Reason, Code, Says,
		Detail, Do, NotKnown, Choices, Proposals, PlanID, Datasource, Provider, Partial,
	}
}

// number reports whether the field has plural forms.
func (f Field) number() bool {
	return slices.Contains([]Field{RowCount, ShownRows, MoreRows, RowLimit}, f)
}

func (f Field) check() error {
	if slices.Contains(Fields(), f) {
		return nil
	}
	names := make([]string, len(Fields()))
	for i, known := range Fields() {
		names[i] = string(known)
	}
	slices.Sort(names)
	return fmt.Errorf("there is no placeholder {%s} (known: %s)", f, strings.Join(names, ", "))
}
