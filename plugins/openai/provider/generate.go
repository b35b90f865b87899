package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// placeholder stands in the vendor's request, whose body is replaced: the real
// model's name would wake checks that go by its first letters.
const placeholder = "model"

// asking is what a failed call was about.
const asking = "ask the model"

// Generate implements sdk.Model.
func (p *Provider) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	c, err := p.configured.Get()
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var out sdk.GenerateResponse
	err = c.negotiate(r, false, func(q *chatRequest) (*modelhttp.Exchange, error) {
		var x *modelhttp.Exchange
		out, x, err = c.generateOnce(ctx, q)
		return x, err
	})
	return out, err
}

func (c *client) generateOnce(ctx context.Context, q *chatRequest) (sdk.GenerateResponse, *modelhttp.Exchange, error) {
	var whole bytes.Buffer
	x := &modelhttp.Exchange{Send: q.body, Wrap: capture(&whole)}
	_, err := c.api.CreateChatCompletion(modelhttp.Watch(ctx, x), openai.ChatCompletionRequest{Model: placeholder})
	if x.Status == 0 || x.Failed() {
		return sdk.GenerateResponse{}, x, c.unreadable(ctx, x, err)
	}
	out, err := c.conclude(ctx, q, x, whole.Bytes(), err)
	return out, x, err
}

// conclude makes the response of an answer that came in one piece, body, in which
// the vendor's reader found err.
func (c *client) conclude(ctx context.Context, q *chatRequest, x *modelhttp.Exchange, body []byte, err error) (sdk.GenerateResponse, error) {
	var r reply
	if x.HTML() || json.Unmarshal(body, &r) != nil {
		return sdk.GenerateResponse{}, c.unreadable(ctx, x, err)
	}
	a, failed := c.wholeAnswer(r, body, x)
	if failed != nil {
		return sdk.GenerateResponse{}, failed
	}
	out, failed := a.conclude(q, x)
	if failed != nil {
		return sdk.GenerateResponse{}, failed
	}
	return out, nil
}

// capture copies what is read of a body to w.
func capture(w io.Writer) func(*http.Response) io.ReadCloser {
	return func(resp *http.Response) io.ReadCloser {
		return struct {
			io.Reader
			io.Closer
		}{io.TeeReader(resp.Body, w), resp.Body}
	}
}

// unreadable is the error of a call without a usable response.
func (c *client) unreadable(ctx context.Context, x *modelhttp.Exchange, err error) error {
	var e *sdk.Error
	if x.Status == 0 {
		e = modelhttp.NetworkFailure(ctx, asking, err)
		e.Message = c.redact.Redact(e.Message)
	} else if e = x.Broken(ctx, asking, "correct base_url, which probably lacks its path, such as /v1", err); e == nil {
		e = sdk.Errorf(reason.InvalidOutput, "the server's answer (%q) is no chat completion", x.MediaType)
	}
	e.Status, e.ProviderRequestID = x.Status, x.RequestID
	return e
}
