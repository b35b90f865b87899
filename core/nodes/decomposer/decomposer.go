// Package decomposer is the node that takes a question apart: into sub-queries,
// each for one datasource, and into what is done with their results. Most
// questions are simple and stay whole without a call; so does every question where
// no model is to be asked, or where what the model wrote does not hold.
package decomposer

import (
	"context"
	"fmt"

	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the run.
type Input struct {
	RequestID   string
	Question    string
	Datasources []schema.DatasourceID // that the question is about, the first of them most
	Caller      policy.Caller
}

// Output is what the node gives to the run. Call and Recovered count also beside
// an error.
type Output struct {
	Decomposition
	Call      provider.Call
	Recovered []*reason.Error // of a model that others stood in for
	Summary   string
}

// Decomposition is a question taken apart. Ids are the decomposer's own; the
// global planner replaces them.
type Decomposition struct {
	SubQueries []SubQuery
	Combine    []engineaggregator.Step // each after those that it needs
	Post       []engineaggregator.Step // in their order
	Unmapped   []wire.Unmapped
}

// SubQuery is a part of the question that one datasource answers.
type SubQuery struct {
	ID             string
	Intent         string // in plain words
	Datasource     schema.DatasourceID
	ExpectedSchema []string
}

// Catalogs gives the snapshot of a datasource's structure. Its errors are
// *reason.Error.
type Catalogs interface {
	Catalog(ctx context.Context, id schema.DatasourceID) (*schema.Catalog, error)
}

// Policy decides what a caller may see.
type Policy interface {
	View(cat *schema.Catalog, caller policy.Caller) (*policy.View, error)
}

// Agent may have a model that answers with a JSON object. *provider.Agent is one.
type Agent interface {
	HasModel() bool
	Object(ctx context.Context, t provider.ObjectTask) (provider.ObjectOutcome, error)
}

var _ Agent = (*provider.Agent)(nil)

// Node is the node. It is safe for concurrent use.
type Node struct {
	Catalogs Catalogs
	Policy   Policy
	Agent    Agent
	// Rules replace our rules at the head of a model's prompt; "" keeps them.
	Rules string
}

// Run takes the question apart. A question about one datasource that is Simple, or
// for which there is no model, is one sub-query. So is one for which the model
// failed, which is recorded as recovered; when the question needs several
// datasources, that failure is the error. A question of which no part can be
// answered is UNMAPPED, with the first part's reason.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	if len(in.Datasources) == 0 {
		return Output{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no datasource to take the question apart for")
	}
	several := len(in.Datasources) > 1
	if !n.Agent.HasModel() || !several && Simple(in.Question) {
		return whole(in, Output{})
	}
	out, err := n.ask(ctx, in)
	switch {
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case err == nil:
		return out.mapped()
	case several:
		return out, err
	}
	e := *reason.From(err)
	out.Recovered = append(out.Recovered, &e)
	for _, failed := range out.Recovered {
		failed.Recovered = true // they are copies of the errors
	}
	out.Summary = "The question was not taken apart, and is one query: " + e.SafeMessage
	return whole(in, out)
}

// whole is the question as one sub-query.
func whole(in Input, out Output) (Output, error) {
	if len(in.Datasources) > 1 {
		return out, reason.New(reason.UnmappedCode, reason.ReasonUnsupportedDatasource,
			"the question is about %d datasources and nothing takes it apart", len(in.Datasources)).
			WithSafe("The question is about several datasources at once, and no model is configured that takes it apart.").
			WithNext("Ask about each datasource by itself, or bind agents.decomposer to a provider with a model.")
	}
	out.Decomposition = Decomposition{SubQueries: []SubQuery{{ID: "whole", Intent: in.Question, Datasource: in.Datasources[0]}}}
	return out, nil
}

// mapped is the output, unless nothing of the question can be answered.
func (o Output) mapped() (Output, error) {
	o.Summary = fmt.Sprintf("The question was taken apart by %s; sub-queries: %d, steps that combine: %d, steps after that: %d, parts not answered: %d.",
		o.Call.Provider, len(o.SubQueries), len(o.Combine), len(o.Post), len(o.Unmapped))
	if len(o.SubQueries) > 0 {
		return o, nil
	}
	return o, reason.New(reason.UnmappedCode, o.Unmapped[0].Reason, "no part of the question can be answered: %d are unmapped", len(o.Unmapped))
}
