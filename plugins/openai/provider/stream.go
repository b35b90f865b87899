package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/blankrun"
	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// GenerateStream implements sdk.Model.
func (p *Provider) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	c, err := p.configured.Get()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.negotiate(r, true, func(q *chatRequest) (*modelhttp.Exchange, error) {
		s := &streaming{client: c, request: q, send: send}
		err := s.run(ctx)
		var e *sdk.Error
		if errors.As(err, &e) {
			e.OutputSent = s.sent
		}
		return &s.exchange, err
	})
}

// streaming is one streamed answer.
type streaming struct {
	*client
	request  *chatRequest
	send     func(sdk.Chunk) error
	exchange modelhttp.Exchange

	events *eventReader // nil when the server did not stream
	whole  bytes.Buffer // the body then
	answer answer
	blank  blankrun.Counter
	sent   bool
}

func (s *streaming) run(ctx context.Context) error {
	x := &s.exchange
	x.Send, x.Wrap = s.request.body, s.wrap
	stream, err := s.api.CreateChatCompletionStream(modelhttp.Watch(ctx, x), openai.ChatCompletionRequest{Model: placeholder})
	if err != nil || x.Failed() {
		return s.unreadable(ctx, x, err)
	}
	defer stream.Close()
	for {
		raw, err := stream.RecvRaw()
		if err != nil {
			return s.end(ctx, err)
		}
		if err := s.take(raw); err != nil {
			return err
		}
	}
}

// wrap puts the reader of events between the body and the vendor's client. A
// server that cannot stream sends a whole answer, which is read here instead.
func (s *streaming) wrap(resp *http.Response) io.ReadCloser {
	if s.exchange.MediaType == "application/json" || s.exchange.HTML() {
		return capture(&s.whole)(resp)
	}
	s.events = newEventReader(resp.Body)
	return s.events
}

// take passes on what an event adds to the answer.
func (s *streaming) take(raw []byte) error {
	if s.events == nil {
		return nil // captured; the vendor's reader sees no events in it
	}
	var event reply
	if err := json.Unmarshal(raw, &event); err != nil {
		return sdk.Errorf(reason.InvalidOutput, "an event of the server's stream is no part of a chat completion")
	}
	s.answer.takeHead(event)
	if len(event.Choices) == 0 || event.Choices[0].Index != 0 {
		return nil
	}
	choice := event.Choices[0]
	if isError(choice.Error) {
		return s.inBand(choice.Error, &s.exchange)
	}
	if choice.FinishReason != "" {
		s.answer.finish = choice.FinishReason
	}
	return s.takePart(choice.Delta)
}

func (s *streaming) takePart(p part) error {
	s.answer.refusal.WriteString(p.Refusal)
	if err := s.pass(sdk.ChunkThinking, p.thinking()); err != nil {
		return err
	}
	if s.request.constrained() && s.blank.TooLong(p.Content.text) {
		return sdk.Errorf(reason.InvalidOutput, "the model wrote nothing but white space for %d characters", blankrun.Longest)
	}
	if err := s.pass(sdk.ChunkText, p.Content.text); err != nil {
		return err
	}
	for _, call := range p.ToolCalls {
		if err := s.pass(sdk.ChunkTool, s.answer.tool(call)); err != nil {
			return err
		}
	}
	return nil
}

func (s *streaming) pass(kind sdk.ChunkKind, text string) error {
	if text == "" {
		return nil
	}
	s.sent = true
	return s.send(sdk.Chunk{Kind: kind, Text: text})
}

// end concludes the answer when the stream is over, for whatever reason.
func (s *streaming) end(ctx context.Context, err error) error {
	x := &s.exchange
	switch {
	case s.events == nil:
		return s.endWhole(ctx)
	case s.events.failure != nil:
		return s.inBand(s.events.failure, x)
	case err != io.EOF && s.answer.finish == "":
		return s.unreadable(ctx, x, err)
	}
	out, failed := s.answer.conclude(s.request, x)
	if failed != nil {
		return failed
	}
	s.dialects.streamed(s.request.model, s.answer.usageTold)
	return s.finish(out)
}

// endWhole passes on an answer that came in one piece.
func (s *streaming) endWhole(ctx context.Context) error {
	out, err := s.conclude(ctx, s.request, &s.exchange, s.whole.Bytes(), nil)
	if err != nil {
		return err
	}
	if err := s.pass(sdk.ChunkThinking, out.Thinking); err != nil {
		return err
	}
	if err := s.pass(sdk.ChunkTool, string(out.ToolArguments)); err != nil {
		return err
	}
	if err := s.pass(sdk.ChunkText, out.Text); err != nil {
		return err
	}
	return s.finish(out)
}

// finish sends the last chunks: the usage, when it is known, and the finish.
func (s *streaming) finish(out sdk.GenerateResponse) error {
	out.Text, out.Thinking, out.ToolArguments = "", "", nil
	if out.Usage != (sdk.Usage{}) {
		if err := s.send(sdk.Chunk{Kind: sdk.ChunkUsage, Usage: out.Usage}); err != nil {
			return err
		}
	}
	return s.send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: out})
}
