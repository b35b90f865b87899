package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// quirkCheck is the check that a plugin makes the right thing of a quirk, asked
// for a whole answer and for a streamed one.
func quirkCheck(q fakeserver.Quirk) check {
	return check{
		name: string(q.Shape) + "/" + q.Name, promise: q.Sends, service: sdk.ServiceModel, fake: true,
		run: func(ctx context.Context, s *session) error {
			p, err := s.facing(ctx, q.Script())
			if err != nil {
				return err
			}
			applied := false
			for _, w := range []way{{"Generate", whole}, {"GenerateStream", stream}} {
				err := w.try(ctx, s, p, q)
				var why notApplicable
				if errors.As(err, &why) {
					continue
				}
				if err != nil {
					return fmt.Errorf("%s: %w", w.name, err)
				}
				applied = true
			}
			if !applied {
				return notApplicable("the plugin does not ask in the way that the quirk is about")
			}
			return nil
		},
	}
}

// way is one of the two calls for an answer.
type way struct {
	name string
	ask  func(context.Context, sdk.Model, sdk.GenerateRequest) (streamed, error)
}

func whole(ctx context.Context, m sdk.Model, r sdk.GenerateRequest) (streamed, error) {
	out, err := m.Generate(ctx, r)
	return streamed{GenerateResponse: out}, err
}

func (w way) try(ctx context.Context, s *session, p *plugin, q fakeserver.Quirk) error {
	limited := ctx
	if q.Ask.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, q.Ask.Timeout)
		defer cancel()
	}
	before := len(p.server.Chats())
	answer, err := w.ask(limited, p.Model(), ask(s, q.Ask))
	chats := p.server.Chats()[before:]
	for _, r := range chats {
		if !q.Answers(r) {
			return notApplicable("the server has no such answer")
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the call did not end: %w", ctx.Err())
	}
	if len(chats) == 0 && q.Ask.Timeout == 0 {
		return errors.Join(errors.New("the plugin did not ask the server"), err)
	}
	return judge(q.Want, answer, err, len(chats))
}

// ask is the request of a quirk.
func ask(s *session, a fakeserver.Ask) sdk.GenerateRequest {
	mode := a.Mode
	if mode == "" {
		mode = sdk.OutputText
	}
	r := shaped(s.question("How many riders?"), mode)
	r.Temperature, r.MaxOutputTokens, r.Thinking = a.Temperature, a.MaxTokens, a.Thinking
	return r
}

// judge says what is wrong with an outcome, by the expectation and its alternatives.
func judge(want fakeserver.Want, got streamed, err error, requests int) error {
	wrong := judgeOne(want, got, err, requests)
	if wrong != nil && want.Or != nil && judge(*want.Or, got, err, requests) == nil {
		return nil
	}
	return wrong
}

func judgeOne(want fakeserver.Want, got streamed, err error, requests int) error {
	if most := max(want.Requests, 1); requests > most {
		return fmt.Errorf("the server was asked %d times; repeating is the host's", requests)
	}
	if len(want.Kinds) > 0 {
		return judgeFailure(want, got, err)
	}
	if err != nil {
		return fmt.Errorf("it failed: %w", err)
	}
	return judgeAnswer(want, got.GenerateResponse)
}

func judgeFailure(want fakeserver.Want, got streamed, err error) error {
	if err := wantKind(err, want.Kinds...); err != nil {
		return err
	}
	if got.Finish != "" {
		return fmt.Errorf("a call that failed has the finish reason %q", got.Finish)
	}
	var e *sdk.Error
	errors.As(err, &e)
	least, most := want.RetryAfter[0], want.RetryAfter[1]
	if e.RetryAfter < least || e.RetryAfter > max(most, least) {
		return fmt.Errorf("it says to wait for %v, want %v", e.RetryAfter, span(least, most))
	}
	if e.OutputSent != (got.pieces > 0) {
		return fmt.Errorf("%d pieces were passed on, and the error says that output was sent: %v", got.pieces, e.OutputSent)
	}
	return nil
}

func span(least, most time.Duration) string {
	if least == most {
		return least.String()
	}
	return least.String() + " to " + most.String()
}

func judgeAnswer(want fakeserver.Want, got sdk.GenerateResponse) error {
	switch {
	case got.Finish != want.Finish:
		return fmt.Errorf("the finish reason is %q, want %q", got.Finish, want.Finish)
	case got.Text != want.Text:
		return fmt.Errorf("the text is %q, want %q", clip(got.Text), want.Text)
	case got.Thinking != want.Thinking:
		return fmt.Errorf("the thinking is %q, want %q", clip(got.Thinking), want.Thinking)
	case !sameJSON(got.ToolArguments, want.Tool):
		return fmt.Errorf("the tool's arguments are %s, want %s", got.ToolArguments, want.Tool)
	case want.Usage != nil && got.Usage != *want.Usage:
		return fmt.Errorf("the usage is %+v, want %+v", got.Usage, *want.Usage)
	}
	if want.Warning == "" {
		return nil
	}
	for _, w := range got.Warnings {
		if w.Setting == want.Warning {
			return nil
		}
	}
	return fmt.Errorf("nothing warns that %s was not honoured: %+v", want.Warning, got.Warnings)
}

// clip is a text for a message.
func clip(text string) string {
	const most = 600 // bytes; a page of text, of which the beginning tells
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func sameJSON(got json.RawMessage, want string) bool {
	if want == "" {
		return len(got) == 0
	}
	var compact bytes.Buffer
	return json.Compact(&compact, got) == nil && compact.String() == want
}
