package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance/fakeserver"
	"querent.dev/querent/sdk/reason"
)

// serverChecks look at a plugin from both sides: from the host's, and from that of
// a fake model server.
func serverChecks() []check {
	on := func(name, promise string, run func(context.Context, *session) error) check {
		return check{name: "server/" + name, promise: promise, service: sdk.ServiceModel, fake: true, run: run}
	}
	return []check{
		on("absent_model", "ModelInfo of a model that is not there is no error; Present is false", absentModel),
		on("absent_settings", "settings that a request leaves out are not sent", absentSettings),
		on("settings", "settings of a request are sent, a temperature of 0 among them, or there is a warning", sentSettings),
		on("schema", "the schema of the output is sent as it is, its keys in their order", sentSchema),
		on("key", "the key is sent to the server", sentKey),
		on("thinking", "thinking is kept apart from the text", thinkingApart),
		on("usage", "figures that the server gives are known", usageKnown),
		on("same_text", "a streamed answer is the same as a whole one", sameText),
		on("large_prompt", "a prompt of 8 MiB reaches the server, or is refused as too long", largePrompt),
		on("no_retry", "a failed call is not made again: repeating is the host's", noRetry),
		on("nobody_there", "a server that cannot be reached is of kind unavailable", nobodyThere),
		on("deadline", "a call ends at its deadline, with kind timeout, and leaves the server", deadline),
		on("cancellation", "a call that is cancelled leaves the server", cancellation),
		on("stopped_reader", "a stream whose reader has gone leaves the server", stoppedReader),
		on("pull", "PullModel reports progress until the model is there, or says that it is not supported", pull),
	}
}

// facingEcho starts a plugin whose server repeats each question.
func (s *session) facingEcho(ctx context.Context) (*plugin, error) {
	return s.facing(ctx, fakeserver.Says(s.target.Shape, "re: $PROMPT"))
}

func absentModel(ctx context.Context, s *session) error {
	script := fakeserver.Says(s.target.Shape, "All is well.")
	script.Absent = []string{"model-that-is-not-there"}
	p, err := s.facing(ctx, script)
	if err != nil {
		return err
	}
	info, err := p.Model().ModelInfo(ctx, script.Absent[0])
	if err != nil {
		return err
	}
	if info.Present {
		return errors.New("Present is true")
	}
	return nil
}

// asked makes a call and returns what the server was asked.
func (s *session) asked(ctx context.Context, r sdk.GenerateRequest) (map[string]any, sdk.GenerateResponse, error) {
	p, err := s.ready(ctx)
	if err != nil {
		return nil, sdk.GenerateResponse{}, err
	}
	response, err := p.Model().Generate(ctx, r)
	if err != nil {
		return nil, response, err
	}
	chats := p.server.Chats()
	if len(chats) != 1 {
		return nil, response, fmt.Errorf("the server was asked %d times for one answer", len(chats))
	}
	return chats[0].Object(), response, nil
}

// sent is a setting in a request to a server, by the names that the shapes have.
func sent(body map[string]any, names ...string) (any, bool) {
	options, _ := body["options"].(map[string]any)
	for _, name := range names {
		if v, ok := body[name]; ok {
			return v, true
		}
		if v, ok := options[name]; ok {
			return v, true
		}
	}
	return nil, false
}

func absentSettings(ctx context.Context, s *session) error {
	body, _, err := s.asked(ctx, s.question("How many riders?"))
	if err != nil {
		return err
	}
	for _, name := range []string{"temperature", "seed", "stop", "think", "reasoning_effort", "response_format", "format", "tools", "top_p"} {
		if v, ok := sent(body, name); ok {
			return fmt.Errorf("%s was sent as %v", name, v)
		}
	}
	return nil
}

func sentSettings(ctx context.Context, s *session) error {
	r := s.question("How many riders?")
	zero, seed := 0.0, int64(7)
	r.Temperature, r.Seed, r.Stop, r.MaxOutputTokens = &zero, &seed, []string{"\n\n"}, 123
	body, response, err := s.asked(ctx, r)
	if err != nil {
		return err
	}
	warned := map[string]bool{}
	for _, w := range response.Warnings {
		warned[w.Setting] = true
	}
	for _, want := range []struct {
		setting, value string
		names          []string
	}{
		{"temperature", "0", []string{"temperature"}},
		{"seed", "7", []string{"seed"}},
		{"stop", "[\n\n]", []string{"stop"}},
		{"max_output_tokens", "123", []string{"max_tokens", "max_completion_tokens", "num_predict"}},
	} {
		v, ok := sent(body, want.names...)
		if got := fmt.Sprint(v); (!ok || got != want.value) && !warned[want.setting] {
			return fmt.Errorf("%s: sent is %v (%q), want %q or a warning", want.setting, ok, got, want.value)
		}
	}
	return nil
}

func sentSchema(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	response, err := p.Model().Generate(ctx, shaped(s.question("How many riders?"), sdk.OutputSchema))
	if err != nil {
		return err
	}
	chats := p.server.Chats()
	if len(chats) != 1 {
		return fmt.Errorf("the server was asked %d times for one answer", len(chats))
	}
	escaped, err := json.Marshal(schema) // in a prompt, which stands in when there is a warning
	if err != nil {
		return err
	}
	body := string(chats[0].Body)
	switch {
	case strings.Contains(body, schema):
		return nil
	case !strings.Contains(body, strings.Trim(string(escaped), `"`)):
		return fmt.Errorf("the request does not hold the schema as it was given: %s", body)
	}
	for _, w := range response.Warnings {
		if w.Setting == "output_mode" {
			return nil
		}
	}
	return errors.New("the schema stands in the prompt alone, and no warning says so")
}

func sentKey(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	if !strings.Contains(string(s.target.Settings(p.server.Address(s.target.Shape))), Key) {
		return notApplicable("the target's settings hold no key")
	}
	if _, err := p.Model().Generate(ctx, s.question("How many riders?")); err != nil {
		return err
	}
	for _, r := range p.server.Chats() {
		if r.Key() != Key {
			return errors.New("a request came without the key that was configured")
		}
	}
	return nil
}

func thinkingApart(ctx context.Context, s *session) error {
	p, err := s.facing(ctx, fakeserver.Thinks(s.target.Shape, "Count them.", "Forty-two."))
	if err != nil {
		return err
	}
	r, err := p.Model().Generate(ctx, s.question("How many riders?"))
	if err != nil {
		return err
	}
	if r.Text != "Forty-two." || r.Thinking != "Count them." {
		return fmt.Errorf("the text is %q and the thinking %q", r.Text, r.Thinking)
	}
	return nil
}

func usageKnown(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	whole, err := p.Model().Generate(ctx, s.question("How many riders?"))
	if err != nil {
		return err
	}
	streamed, err := stream(ctx, p.Model(), s.question("How many riders?"))
	if err != nil {
		return err
	}
	for way, u := range map[string]sdk.Usage{"whole": whole.Usage, "stream": streamed.Usage} {
		if !u.Input.Known || !u.Output.Known || u.Input.N == 0 || u.Output.N == 0 {
			return fmt.Errorf("%s: the usage is %+v", way, u)
		}
	}
	return nil
}

func sameText(ctx context.Context, s *session) error {
	p, err := s.facingEcho(ctx)
	if err != nil {
		return err
	}
	question := s.question("몇 명입니까? \"quoted\"\n")
	whole, err := p.Model().Generate(ctx, question)
	if err != nil {
		return err
	}
	streamed, err := stream(ctx, p.Model(), question)
	if err != nil {
		return err
	}
	if whole.Text != streamed.Text || whole.Text != "re: 몇 명입니까? \"quoted\"\n" || whole.Finish != streamed.Finish {
		return fmt.Errorf("whole: %q (%s); streamed: %q (%s)", whole.Text, whole.Finish, streamed.Text, streamed.Finish)
	}
	return nil
}

func largePrompt(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	const size = 8 << 20
	_, err = p.Model().Generate(ctx, s.question(strings.Repeat("word ", size/5)))
	if err != nil {
		return wantKind(err, reason.ContextOverflow)
	}
	for _, r := range p.server.Chats() {
		if len(r.Body) >= size/5*5 {
			return nil
		}
	}
	return errors.New("the call succeeded, but the server did not get the whole prompt")
}

func noRetry(ctx context.Context, s *session) error {
	for _, status := range []int{429, 500, 503} {
		p, err := s.facing(ctx, fakeserver.Fails(s.target.Shape, status))
		if err != nil {
			return err
		}
		if _, err := p.Model().Generate(ctx, s.question("How many riders?")); err == nil {
			return fmt.Errorf("status %d: the call succeeded", status)
		}
		if n := len(p.server.Chats()); n != 1 {
			return fmt.Errorf("status %d: the server was asked %d times", status, n)
		}
	}
	return nil
}

func nobodyThere(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	p.server.Close()
	_, err = p.Model().Generate(ctx, s.question("How many riders?"))
	return wantKind(err, reason.Unavailable)
}

func pull(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	puller, ok := p.Model().(sdk.Puller)
	if !ok {
		return errors.New("the client cannot pull")
	}
	var progress []sdk.PullProgress
	err = puller.PullModel(ctx, s.target.Model, func(p sdk.PullProgress) error {
		progress = append(progress, p)
		return nil
	})
	switch {
	case errors.Is(err, sdk.ErrUnsupported):
		return notApplicable("the plugin fetches no models, and says so")
	case err != nil:
		return err
	case len(progress) == 0:
		return errors.New("it succeeded without any progress")
	}
	return nil
}
