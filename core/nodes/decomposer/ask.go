package decomposer

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/internal/fence"
	"querent.dev/querent/core/nodes/internal/prompttext"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

//go:embed rules.txt
var ownRules string

// form is the JSON Schema of the answer, flat but for the objects in its lists.
// %s are the datasources' names.
//
//go:embed form.json
var form string

// schemaName is what model servers call the form of the answer.
const schemaName = "decomposition"

// ask lets the agent's model take the question apart. Its error is a *reason.Error.
func (n *Node) ask(ctx context.Context, in Input) (Output, error) {
	var out Output
	views, err := n.views(ctx, in)
	if err != nil {
		return out, err
	}
	got, err := n.Agent.Object(ctx, provider.ObjectTask{
		RequestID: in.RequestID,
		Prompt:    func(config.Data) (provider.Prompt, error) { return n.prompt(in, views) },
		Check: func(object json.RawMessage) error {
			_, err := Decode(object, in.Datasources)
			return err
		},
	})
	out.Call = got.Call
	for _, failed := range got.Call.Failed {
		e := *failed
		e.Recovered = err == nil
		out.Recovered = append(out.Recovered, &e)
	}
	if err != nil {
		return out, err
	}
	if out.Decomposition, err = Decode(got.JSON, in.Datasources); err != nil {
		return out, reason.Provider(reason.InvalidOutput, "provider %q: %w", got.Call.Provider, err).
			WithSafe("The provider %q did not take the question apart in a usable way.", got.Call.Provider).
			WithEvidence("provider", string(got.Call.Provider))
	}
	return out, nil
}

// views are what the caller may read of each datasource.
func (n *Node) views(ctx context.Context, in Input) ([]wire.CatalogView, error) {
	var out []wire.CatalogView
	for _, id := range in.Datasources {
		cat, err := n.Catalogs.Catalog(ctx, id)
		if err != nil {
			return nil, err
		}
		view, err := n.Policy.View(cat, in.Caller)
		if err != nil {
			return nil, err
		}
		out = append(out, view.Wire())
	}
	return out, nil
}

func (n *Node) prompt(in Input, views []wire.CatalogView) (provider.Prompt, error) {
	rules := n.Rules
	if rules == "" {
		rules = ownRules
	}
	var turn, outline strings.Builder
	for _, v := range views {
		prompttext.Outline(&outline, v)
	}
	fence.Section(&turn, "datasources", outline.String())
	fence.Section(&turn, "question", in.Question)
	turn.WriteString("Take the question apart.")
	names, err := json.Marshal(slices.Sorted(slices.Values(in.Datasources)))
	if err != nil {
		return provider.Prompt{}, fmt.Errorf("write the names of datasources: %w", err)
	}
	schema := json.RawMessage(strings.Replace(form, `"%s"`, string(names), 1))
	return provider.NewPrompt(strings.TrimSpace(rules), turn.String(), schemaName, schema), nil
}
