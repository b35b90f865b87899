package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// modelChecks need a model, whatever stands behind it.
func modelChecks() []check {
	return []check{
		{name: "model/info", promise: "ModelInfo says that the model is present, and gives its name", service: sdk.ServiceModel, run: modelInfo},
		{name: "model/generate", promise: "Generate returns a text with a finish reason", service: sdk.ServiceModel, run: generate},
		{name: "model/stream", promise: "GenerateStream ends with exactly one finish, which repeats none of the text", service: sdk.ServiceModel, run: generateStream},
		{name: "model/at_once", promise: "questions at once are answered, each its own", service: sdk.ServiceModel, run: generateAtOnce},
		{name: "model/no_model", promise: "a request without a model or without messages is of kind misconfigured or invalid_request", service: sdk.ServiceModel, run: emptyRequest},
		{name: "model/embed", promise: "Embed returns a vector for each text, or says that it is not supported", service: sdk.ServiceModel, run: embed},
	}
}

// question is a request of a text, which sets nothing.
func (s *session) question(text string) sdk.GenerateRequest {
	return sdk.GenerateRequest{
		RequestID: "conformance", Model: s.target.Model, OutputMode: sdk.OutputText,
		Messages: []sdk.Message{{Role: sdk.RoleSystem, Content: "You answer in JSON or in words."}, {Role: sdk.RoleUser, Content: text}},
	}
}

// schema has its keys in another order than that of the alphabet.
const schema = `{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"string"}},"required":["zeta","alpha"],"additionalProperties":false}`

// shaped is the request with an output mode, and what belongs to it.
func shaped(r sdk.GenerateRequest, mode sdk.OutputMode) sdk.GenerateRequest {
	r.OutputMode = mode
	if mode == sdk.OutputSchema || mode == sdk.OutputTool {
		r.SchemaName, r.Schema = "plan", json.RawMessage(schema)
	}
	return r
}

func modelInfo(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	info, err := p.Model().ModelInfo(ctx, s.target.Model)
	if err != nil {
		return err
	}
	if !info.Present || info.Model != s.target.Model {
		return fmt.Errorf("the model is %q, present is %v", info.Model, info.Present)
	}
	if info.ContextLength.Known && info.ContextLength.N <= 0 {
		return fmt.Errorf("the context length is known to be %d", info.ContextLength.N)
	}
	return nil
}

func generate(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	r, err := p.Model().Generate(ctx, s.question("How many riders?"))
	if err != nil {
		return err
	}
	if r.Finish == "" || r.Text == "" {
		return fmt.Errorf("the finish reason is %q and the text %q", r.Finish, r.Text)
	}
	return nil
}

func generateStream(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	r, err := stream(ctx, p.Model(), s.question("How many riders?"))
	if err != nil {
		return err
	}
	if r.Finish == "" || r.pieces == 0 {
		return fmt.Errorf("the finish reason is %q, and %d pieces of text came before the finish", r.Finish, r.pieces)
	}
	return nil
}

func generateAtOnce(ctx context.Context, s *session) error {
	p, err := s.facingEcho(ctx)
	if err != nil {
		return err
	}
	return together(func(i int) error {
		asked := fmt.Sprintf("question %d", i)
		r, err := p.Model().Generate(ctx, s.question(asked))
		if err != nil {
			return err
		}
		if want := "re: " + asked; p.server != nil && r.Text != want {
			return fmt.Errorf("the answer is %q, want %q", r.Text, want)
		}
		return nil
	})
}

func emptyRequest(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	if s.target.Shape == "" {
		return notApplicable("what a model of the plugin's own needs is not known")
	}
	unnamed, silent := s.question("How many riders?"), s.question("")
	unnamed.Model, silent.Messages = "", nil
	for what, r := range map[string]sdk.GenerateRequest{"without a model": unnamed, "without messages": silent} {
		_, err := p.Model().Generate(ctx, r)
		if err := wantKind(err, reason.Misconfigured, reason.InvalidRequest); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

func embed(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	texts := []string{"a", "bb", "ccc"}
	r, err := p.Model().Embed(ctx, sdk.EmbedRequest{RequestID: "conformance", Model: s.target.Model, Texts: texts})
	if errors.Is(err, sdk.ErrUnsupported) {
		return notApplicable("the plugin offers no embeddings, and says so")
	}
	if err != nil {
		return err
	}
	if len(r.Vectors) != len(texts) {
		return fmt.Errorf("%d vectors for %d texts", len(r.Vectors), len(texts))
	}
	for i, v := range r.Vectors {
		if len(v) == 0 || len(v) != len(r.Vectors[0]) {
			return fmt.Errorf("vector %d has %d figures, the first has %d", i, len(v), len(r.Vectors[0]))
		}
		if p.server != nil && int(v[0]) != len(texts[i]) {
			return fmt.Errorf("vector %d is another text's", i)
		}
	}
	return nil
}
