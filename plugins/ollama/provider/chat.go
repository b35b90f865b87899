package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"querent.dev/querent/plugins/internal/blankrun"
	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Generate implements sdk.Model.
func (p *Provider) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return p.generate(ctx, r, func(sdk.Chunk) error { return nil })
}

// GenerateStream implements sdk.Model.
func (p *Provider) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	sent := false
	out, err := p.generate(ctx, r, func(c sdk.Chunk) error {
		sent = true
		return send(c)
	})
	if err != nil {
		var e *sdk.Error
		if errors.As(err, &e) {
			e.OutputSent = sent
		}
		return err
	}
	out.Text, out.Thinking, out.ToolArguments = "", "", nil
	if out.Usage != (sdk.Usage{}) {
		if err := send(sdk.Chunk{Kind: sdk.ChunkUsage, Usage: out.Usage}); err != nil {
			return err
		}
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: out})
}

// generate asks for a streamed answer in any case, so that an answer that loops
// can be given up.
func (p *Provider) generate(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) (sdk.GenerateResponse, error) {
	c, err := p.configured.Get()
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	if err := checkRequest(r); err != nil {
		return sdk.GenerateResponse{}, err
	}
	f, err := c.factsOf(ctx, r.Model)
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	q, err := c.build(r, f)
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	limit := c.answerTime(ctx, r)
	if err := c.load(ctx, q, f, r); err != nil {
		return sdk.GenerateResponse{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := c.chat(ctx, q, send)
	if !refusesThinking(err) {
		return out, err
	}
	c.facts.refuseThinking(r.Model)
	f.switchless = true
	if q, err = c.build(r, f); err != nil {
		return sdk.GenerateResponse{}, err
	}
	return c.chat(ctx, q, send)
}

// answerTime is how long the answer may take once the model is there: what the
// call's deadline leaves beyond the time to load.
func (c *client) answerTime(ctx context.Context, r sdk.GenerateRequest) time.Duration {
	deadline, ok := ctx.Deadline()
	if left := time.Until(deadline) - r.LoadTimeout; ok && r.LoadTimeout > 0 && left > 0 {
		return min(left, c.timeout)
	}
	return c.timeout
}

// load has the model loaded, unless another server runs it or it is not to stay.
func (c *client) load(ctx context.Context, q *chatRequest, f facts, r sdk.GenerateRequest) error {
	if f.remote || q.KeepAlive != nil && q.KeepAlive.Duration == 0 {
		return nil
	}
	limit := r.LoadTimeout
	if limit <= 0 {
		limit = c.cfg.LoadTimeout.Or(standardLoadTimeout)
	}
	return c.loads.ensure(ctx, q.key, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		x := &modelhttp.Exchange{Patient: true}
		err := c.loadOnce(modelhttp.Watch(ctx, x), q)
		if err != nil || x.Failed() {
			failed := c.failure(ctx, "load the model within "+limit.String()+" (load_timeout)", q.Model, x, err)
			if failed.Kind != reason.InvalidRequest && !lacksCall(failed) {
				return failed
			}
			// The server does not know loading as a step; the question will tell.
		}
		c.loads.mark(q.key, c.cfg.staysLoaded())
		return nil
	})
}

// loadOnce has the server load a model: it does no more without a prompt. The
// vendor's client would hold 8 MB for the call, beside those of answers.
func (c *client) loadOnce(ctx context.Context, q *chatRequest) error {
	no := false
	body, err := json.Marshal(api.GenerateRequest{
		Model: q.Model, Stream: &no, KeepAlive: q.KeepAlive, Options: map[string]any{"num_ctx": q.key.numCtx},
	})
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.base.JoinPath("api", "generate").String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (c *client) chat(ctx context.Context, q *chatRequest, send func(sdk.Chunk) error) (sdk.GenerateResponse, error) {
	release, err := c.slot(ctx)
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	defer release()
	x := &modelhttp.Exchange{}
	a := &answer{request: q, send: send}
	err = c.api.Chat(modelhttp.Watch(ctx, x), &q.ChatRequest, a.take)
	var failed *sdk.Error
	switch {
	case a.stopped != nil:
		return sdk.GenerateResponse{}, a.stopped
	case err != nil || x.Failed() || !a.done:
		failed = c.failure(ctx, "ask the model", q.Model, x, err)
		q.blame(failed)
	default:
		failed = a.fault()
	}
	if failed != nil {
		if failed.Kind == reason.Unavailable {
			c.loads.forget(q.Model)
		}
		return sdk.GenerateResponse{}, failed
	}
	c.loads.mark(q.key, c.cfg.staysLoaded())
	return a.response(x)
}

// answer is a model's answer as far as it has come.
type answer struct {
	request *chatRequest
	send    func(sdk.Chunk) error

	text, thinking strings.Builder
	tool           *api.ToolCallFunction
	blank          blankrun.Counter
	last           api.ChatResponse
	done           bool
	stopped        error // why take ended the call
}

var errStopped = errors.New("stopped")

// take takes in a line of the stream. Its error only ends the vendor's call; the
// reason is in stopped.
func (a *answer) take(line api.ChatResponse) error {
	a.last, a.done = line, line.Done
	a.thinking.WriteString(line.Message.Thinking)
	a.text.WriteString(line.Message.Content)
	a.pass(sdk.ChunkThinking, line.Message.Thinking)
	a.pass(sdk.ChunkText, line.Message.Content)
	if calls := line.Message.ToolCalls; len(calls) > 0 && a.tool == nil {
		a.tool = &calls[0].Function
		a.pass(sdk.ChunkTool, a.tool.Arguments.String())
	}
	if a.stopped == nil && a.request.constrained() && a.blank.TooLong(line.Message.Content) {
		a.stopped = sdk.Errorf(reason.InvalidOutput, "the model wrote nothing but white space for %d characters", blankrun.Longest)
	}
	if a.stopped != nil {
		return errStopped
	}
	return nil
}

func (a *answer) pass(kind sdk.ChunkKind, text string) {
	if text == "" || a.stopped != nil {
		return
	}
	a.stopped = a.send(sdk.Chunk{Kind: kind, Text: text})
}

// fault says why an answer that ended cannot be used, or is nil.
func (a *answer) fault() *sdk.Error {
	q := a.request
	counted := int64(a.last.PromptEvalCount)
	switch {
	case wasCut(counted, q.key.numCtx, q.estimated):
		return sdk.Errorf(reason.PromptTruncated, "the server cut the prompt to %d tokens of a context of %d; raise num_ctx, or choose a model with a longer context", counted, q.key.numCtx)
	case a.last.DoneReason == "load" || a.last.DoneReason == "unload":
		return sdk.Errorf(reason.Incomplete, "the server only loaded or unloaded the model (%s)", a.last.DoneReason)
	case a.last.DoneReason != "stop" && a.last.DoneReason != "length" && a.last.DoneReason != "":
		return sdk.Errorf(reason.Incomplete, "the answer ended for the unknown reason %q", a.last.DoneReason)
	}
	return nil
}

// response makes the response of an answer without a fault.
func (a *answer) response(x *modelhttp.Exchange) (sdk.GenerateResponse, error) {
	q := a.request
	out := sdk.GenerateResponse{
		Text: a.text.String(), Thinking: a.thinking.String(), Finish: sdk.FinishStop,
		Usage:       sdk.Usage{Input: count(a.last.PromptEvalCount), Output: count(a.last.EvalCount)},
		ModelServed: a.last.Model, EffectiveContext: sdk.Known(q.key.numCtx),
		Warnings: q.warnings, ProviderRequestID: x.RequestID,
	}
	if a.tool != nil {
		out.ToolName, out.ToolArguments = a.tool.Name, json.RawMessage(a.tool.Arguments.String())
		out.Finish = sdk.FinishTool
	}
	if a.last.DoneReason == "length" {
		out.Finish = sdk.FinishLength
	}
	return out, nil
}

// count is a figure of the server, which leaves one out that it does not know.
func count(n int) sdk.Count {
	if n <= 0 {
		return sdk.Count{}
	}
	return sdk.Known(int64(n))
}
