package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// answerLimit bounds the body of an answer. The longest answers of today's
// models are below a megabyte.
const answerLimit = 16 << 20

// placeholder stands in the vendor's request, whose body is replaced: the real
// model's name would wake checks that go by its first letters.
const placeholder = "model"

// Generate implements sdk.Model.
func (p *Provider) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	c, err := p.client()
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
	resp, err := c.api.CreateChatCompletion(modelhttp.Watch(ctx, x), openai.ChatCompletionRequest{Model: placeholder})
	if err != nil || x.Failed() {
		return sdk.GenerateResponse{}, x, c.unreadable(ctx, x, err)
	}
	a, failed := c.wholeAnswer(resp, whole.Bytes(), x)
	if failed != nil {
		return sdk.GenerateResponse{}, x, failed
	}
	out, failed := a.conclude(q, x)
	if failed != nil {
		return sdk.GenerateResponse{}, x, failed
	}
	return out, x, nil
}

// capture copies what is read of a body to w, up to answerLimit.
func capture(w io.Writer) func(*http.Response) io.ReadCloser {
	return func(resp *http.Response) io.ReadCloser {
		return struct {
			io.Reader
			io.Closer
		}{io.TeeReader(io.LimitReader(resp.Body, answerLimit), w), resp.Body}
	}
}

// unreadable is the error of a call without a usable response.
func (c *client) unreadable(ctx context.Context, x *modelhttp.Exchange, err error) error {
	doing := "ask the model"
	var e *sdk.Error
	switch {
	case x.Status == 0:
		e = modelhttp.NetworkFailure(ctx, doing, err)
		e.Message = c.redact.Redact(e.Message)
	case modelhttp.ContextFailure(ctx, doing) != nil:
		e = modelhttp.ContextFailure(ctx, doing)
	case x.HTML():
		e = sdk.Errorf(reason.Misconfigured, "the server sent a web page instead of an API's answer; correct base_url, which probably lacks its path, such as /v1")
	case x.ReadErr != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e = sdk.Errorf(reason.Incomplete, "the connection ended before the answer did")
	default:
		e = sdk.Errorf(reason.InvalidOutput, "the server's answer (%q) is no chat completion", x.MediaType)
	}
	e.Status, e.ProviderRequestID = x.Status, x.RequestID
	return e
}

// lost is what the vendor's types do not keep of an answer or a stream's event.
type lost struct {
	Error   json.RawMessage `json:"error"`
	Usage   *usage          `json:"usage"`
	Choices []struct {
		Message lostMessage `json:"message"`
		Delta   lostMessage `json:"delta"`
	} `json:"choices"`
}

type lostMessage struct {
	Reasoning string `json:"reasoning"` // OpenRouter and vLLM; others say reasoning_content
}

// usage tells unknown figures from zero.
type usage struct {
	Input        *int64 `json:"prompt_tokens"`
	Output       *int64 `json:"completion_tokens"`
	InputDetails struct {
		Cached *int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	OutputDetails struct {
		Reasoning *int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

func (u *usage) sdk() sdk.Usage {
	if u == nil {
		return sdk.Usage{}
	}
	return sdk.Usage{
		Input: count(u.Input), Output: count(u.Output),
		Cached: count(u.InputDetails.Cached), Reasoning: count(u.OutputDetails.Reasoning),
	}
}

func count(n *int64) sdk.Count {
	if n == nil {
		return sdk.Count{}
	}
	return sdk.Known(*n)
}

// readLost reads what the vendor's types dropped. A shape that it does not know
// leaves the figures unknown; the vendor's own reading has succeeded before.
func readLost(body []byte) lost {
	var l lost
	_ = json.Unmarshal(body, &l)
	return l
}

// isError reports whether raw holds an error: present, and not null.
func isError(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
