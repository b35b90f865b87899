// Package datasourceresolver is the node that finds the datasource of a question:
// among those that the caller may read, the one that the question is about. A
// model is asked only where there are several; without one, and when it fails, the
// words of the question decide.
package datasourceresolver

import (
	"context"
	"fmt"
	"time"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the run.
type Input struct {
	RequestID string
	Question  string
	Named     schema.DatasourceID // the one that the asker named, or ""
	Caller    policy.Caller
	Language  string // of the notes, BCP 47
}

// Output is what the node gives to the run. Choices, Recovered and Call count also
// beside an error.
type Output struct {
	// Datasources are those that the question is about, the first of them most. It
	// is one, unless parts of the question are about different ones.
	Datasources []schema.DatasourceID
	Choices     []string // beside AMBIGUOUS: the datasources that it could be
	Notes       []wire.Note
	Call        provider.Call
	Recovered   []*reason.Error // of a model that others stood in for
	Summary     string
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
	Datasources []schema.DatasourceID // in a fixed order
	Catalogs    Catalogs
	Policy      Policy
	Agent       Agent
	// Splits tells that a question can be taken apart by datasource, so that one
	// about several is not refused as ambiguous.
	Splits bool
	// Patience is how long the structure of each datasource is waited for.
	Patience time.Duration
	// Rules replace our rules at the head of a model's prompt; "" keeps them.
	Rules string
}

// Run finds the datasources. One that was named, or is the only one, is taken
// without a look at it: whether it can be read shows where that is done.
//
// The error is UNMAPPED when no datasource fits (no_datasource) or only one that
// the caller may not read does (restricted_datasource, without its name); AMBIGUOUS
// when several fit equally; and what kept the structure from being read when there
// is no datasource beside those that could not be reached. Of several, one that
// cannot be reached is left out with a note.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	switch {
	case in.Named != "":
		return n.named(in.Named)
	case len(n.Datasources) == 1:
		return taken(n.Datasources[0]), nil
	}
	found, err := n.candidates(ctx, in.Caller)
	if err != nil {
		return Output{}, err
	}
	out := Output{Notes: found.notes(in.Language)}
	scores := found.score(in.Question)
	if len(found.permitted) == 1 && !scores.restricted() {
		return out.choosing("It is the only one that may be asked.", found.permitted[0].id), nil
	}
	if len(found.permitted) > 1 && n.Agent.HasModel() {
		decided, err := n.askModel(ctx, in, found, &out)
		if decided || err != nil {
			return out, n.explained(err, scores)
		}
	}
	return n.byWords(out, found, scores)
}

func (n *Node) named(id schema.DatasourceID) (Output, error) {
	for _, known := range n.Datasources {
		if known == id {
			return taken(id), nil
		}
	}
	return Output{}, reason.New(reason.UnmappedCode, reason.ReasonNoDatasource, "there is no datasource %q", id).
		WithSafe("There is no datasource %q.", id).
		WithNext("Name a datasource of the configuration.")
}

// taken is the output where there was nothing to choose.
func taken(id schema.DatasourceID) Output { return Output{Datasources: []schema.DatasourceID{id}} }

// choosing is the output with the datasources chosen.
func (o Output) choosing(why string, ids ...schema.DatasourceID) Output {
	o.Datasources = ids
	o.Summary = fmt.Sprintf("Datasource: %s. %s", list(ids), why)
	return o
}

func list(ids []schema.DatasourceID) string {
	out := ""
	for i, id := range ids {
		if i > 0 {
			out += ", "
		}
		out += string(id)
	}
	return out
}

// byWords decides by the words of the question alone.
func (n *Node) byWords(out Output, found candidates, s scores) (Output, error) {
	if s.best() == 0 {
		return out, n.nothing(s)
	}
	chosen, rivals := s.choose(n.Splits)
	if len(rivals) == 0 {
		return out.choosing("It fits the words of the question best.", chosen...), nil
	}
	return n.ambiguous(out, found, rivals)
}

// nothing is the error of a question that fits no datasource of the caller's.
func (n *Node) nothing(s scores) *reason.Error {
	if s.restricted() {
		return reason.New(reason.UnmappedCode, reason.ReasonRestrictedDatasource,
			"the question fits only datasources that the caller may not read")
	}
	return reason.New(reason.UnmappedCode, reason.ReasonNoDatasource, "the question fits none of %d datasources", len(n.Datasources))
}

// explained turns a model's "none" into "not permitted" where that is why.
func (n *Node) explained(err error, s scores) error {
	if e := reason.From(err); e != nil && e.Reason == reason.ReasonNoDatasource && s.best() == 0 {
		return n.nothing(s)
	}
	return err
}

func (n *Node) ambiguous(out Output, found candidates, rivals []schema.DatasourceID) (Output, error) {
	for _, id := range rivals {
		out.Choices = append(out.Choices, found.described(id))
	}
	out.Summary = "Several datasources fit the question: " + list(rivals) + "."
	return out, reason.New(reason.Ambiguous, reason.ReasonNeedsClarification, "the question fits the datasources %s alike", list(rivals)).
		WithSafe("There are several datasources, and the question does not say which one to ask.").
		WithNext("Ask again and name the datasource.")
}
