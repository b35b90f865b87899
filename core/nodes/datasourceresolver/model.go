package datasourceresolver

import (
	"bytes"
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
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

//go:embed rules.txt
var ownRules string

// schemaName is what model servers call the form of the answer.
const schemaName = "datasource_choice"

// The decisions of a model.
const (
	choose    = "choose"
	ambiguous = "ambiguous"
	none      = "none"
)

// choice is what a model answers.
type choice struct {
	Decision    string                `json:"decision"`
	Datasources []schema.DatasourceID `json:"datasources"`
}

// askModel lets the agent's model choose. It is not decided when the model fails
// or answers with what is no choice: that is recorded as recovered.
func (n *Node) askModel(ctx context.Context, in Input, found candidates, out *Output) (decided bool, _ error) {
	got, err := n.Agent.Object(ctx, provider.ObjectTask{
		RequestID: in.RequestID,
		Prompt:    func(config.Data) (provider.Prompt, error) { return n.prompt(in, found) },
		Check: func(object json.RawMessage) error {
			_, err := decode(object, found)
			return err
		},
	})
	out.Call = got.Call
	out.recovered(got.Call.Failed...)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		out.recovered(reason.From(err))
		return false, nil
	}
	c, err := decode(got.JSON, found)
	if err != nil {
		out.recovered(reason.Provider(reason.InvalidOutput, "provider %q: %w", got.Call.Provider, err))
		return false, nil
	}
	switch c.Decision {
	case none:
		return true, reason.New(reason.UnmappedCode, reason.ReasonNoDatasource, "the model found none of %d datasources to fit", len(found.permitted))
	case ambiguous:
		*out, err = n.ambiguous(*out, found, c.Datasources)
		return true, err
	}
	if len(c.Datasources) > 1 && !n.Splits {
		*out, err = n.ambiguous(*out, found, c.Datasources)
		return true, err
	}
	*out = out.choosing(fmt.Sprintf("Chosen by %s.", got.Call.Provider), c.Datasources...)
	return true, nil
}

func (o *Output) recovered(list ...*reason.Error) {
	for _, err := range list {
		e := *err
		e.Recovered = true
		o.Recovered = append(o.Recovered, &e)
	}
}

// decode reads a choice strictly.
func decode(text []byte, found candidates) (choice, error) {
	var c choice
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("the choice of a datasource is no such object: %w", err)
	}
	for i, id := range c.Datasources {
		if !found.has(id) {
			return c, fmt.Errorf("%q was not among the datasources to choose from", id)
		}
		if slices.Contains(c.Datasources[:i], id) {
			return c, fmt.Errorf("the datasource %q is chosen twice", id)
		}
	}
	least := map[string]int{choose: 1, ambiguous: 2, none: 0}
	n, known := least[c.Decision]
	switch {
	case !known:
		return c, fmt.Errorf("%q is no decision", c.Decision)
	case len(c.Datasources) < n, c.Decision == none && len(c.Datasources) > 0:
		return c, fmt.Errorf("the decision %q does not go with %d datasources", c.Decision, len(c.Datasources))
	}
	return c, nil
}

func (n *Node) prompt(in Input, found candidates) (provider.Prompt, error) {
	rules := n.Rules
	if rules == "" {
		rules = ownRules
	}
	var turn, outline strings.Builder
	ids := make([]string, len(found.permitted))
	for i, c := range found.permitted {
		ids[i] = string(c.id)
		brief := c.view
		brief.Tables = slices.Clone(brief.Tables)
		for t := range brief.Tables {
			brief.Tables[t].Columns = nil
		}
		prompttext.Outline(&outline, brief)
	}
	fence.Section(&turn, "datasources", outline.String())
	fence.Section(&turn, "question", in.Question)
	turn.WriteString("Decide.")
	names, err := json.Marshal(ids)
	if err != nil {
		return provider.Prompt{}, fmt.Errorf("write the names of datasources: %w", err)
	}
	form := fmt.Sprintf(`{"type":"object","properties":{"decision":{"type":"string","enum":["choose","ambiguous","none"]},`+
		`"datasources":{"type":"array","items":{"type":"string","enum":%s}}},"required":["decision","datasources"],"additionalProperties":false}`, names)
	return provider.NewPrompt(strings.TrimSpace(rules), turn.String(), schemaName, json.RawMessage(form)), nil
}
