package answersynthesizer

import (
	"slices"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// outcome is all that a synthesizer may know of the run.
func outcome(in Input) wire.Outcome {
	o := wire.Outcome{
		Kind: wire.Answered, Question: in.Question, Language: in.Language,
		Results: in.Results, Verified: in.Verified, Unmapped: in.Unmapped, Datasource: only(in.Queries),
	}
	for _, note := range in.Notes {
		switch note.Code {
		case reason.ValueNotFound, reason.JoinFanOut, reason.AllNullColumn, reason.GroupsLeftOut:
			o.DataNotes = append(o.DataNotes, note.Message)
		}
	}
	failure := in.Failure
	switch {
	case failure.Err == nil && len(in.Results) == 0:
		failure.Err = reason.New(reason.InvalidState, reason.ReasonInvalidState, "the run has neither a result nor a failure")
	case failure.Err == nil && len(in.Unmapped) > 0:
		o.Kind = wire.Partial
		return o
	case failure.Err == nil:
		return o
	}
	o.Kind, o.Results, o.Failure = KindOf(failure.Err), nil, explained(in, failure)
	return o
}

// only is the datasource of all queries, "" when there are several or none.
func only(queries []wire.Query) string {
	if len(queries) == 0 || slices.ContainsFunc(queries, func(q wire.Query) bool { return q.Datasource != queries[0].Datasource }) {
		return ""
	}
	return queries[0].Datasource
}

func explained(in Input, f Failure) *wire.Failure {
	return &wire.Failure{
		Requirement: in.Question, Attempted: f.Attempted, FailedStep: f.Step,
		Stage: f.Err.Stage, Code: f.Err.Code, Reason: f.Err.Reason, Message: f.Err.SafeMessage, NextAction: f.Err.NextAction,
		NotKnown: f.NotUnderstood, Choices: f.Choices, Proposals: f.Proposals, Partial: in.Results,
		PlanID: f.PlanID, TraceID: f.TraceID, Datasource: f.Datasource, Provider: f.Provider,
	}
}

// KindOf is the outcome of a run that an error ended.
func KindOf(err *reason.Error) wire.OutcomeKind {
	switch {
	case err.Code == reason.CancelledCode:
		return wire.Cancelled
	case err.Code == reason.Ambiguous:
		return wire.NeedsClarification
	case reason.ExitCode(err) == reason.ExitRefused:
		return wire.Refused
	}
	switch err.Code {
	case reason.NotUnderstood, reason.UnmappedCode, reason.PlanningFailure, reason.PlanInvalid:
		return wire.CannotAnswer
	}
	return wire.Failed
}
