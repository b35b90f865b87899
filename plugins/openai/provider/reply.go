package provider

import (
	"bytes"
	"encoding/json"
	"strings"

	"querent.dev/querent/sdk"
)

// reply is a completion as servers send it, whole or an event of a stream. The
// vendor's own types lose errors, unknown figures and what compatible servers add,
// and refuse the forms of text that some of them use.
type reply struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Usage   *usage          `json:"usage"`
	Choices []choice        `json:"choices"`
}

// choice is an answer, or a piece of one.
type choice struct {
	Index        int             `json:"index"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"` // OpenRouter
	Message      part            `json:"message"`
	Delta        part            `json:"delta"`
}

// part is what an answer or a piece of one says.
type part struct {
	Content          content    `json:"content"`
	Refusal          string     `json:"refusal"`
	ReasoningContent content    `json:"reasoning_content"` // DeepSeek, vLLM, llama.cpp
	Reasoning        content    `json:"reasoning"`         // OpenRouter, Groq, vLLM
	ToolCalls        []toolCall `json:"tool_calls"`
}

// thinking is what the model thought, by whatever name.
func (p part) thinking() string {
	for _, c := range []content{p.ReasoningContent, p.Reasoning} {
		if c.text != "" {
			return c.text
		}
	}
	return p.Content.thinking
}

// content is a text: a string, or a list of pieces, of which some may be thoughts
// (Mistral). Any other form is no text.
type content struct{ text, thinking string }

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	*c = content{}
	switch b[0] {
	case '"':
		return json.Unmarshal(b, &c.text)
	case '[':
	default:
		return nil
	}
	var pieces []struct {
		Type     string  `json:"type"`
		Text     string  `json:"text"`
		Thinking content `json:"thinking"`
	}
	if err := json.Unmarshal(b, &pieces); err != nil {
		return err
	}
	var text, thinking strings.Builder
	for _, p := range pieces {
		thinking.WriteString(p.Thinking.text)
		text.WriteString(p.Text)
	}
	c.text, c.thinking = text.String(), thinking.String()
	return nil
}

// toolCall is a call of a tool, or a piece of one.
type toolCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// arguments are JSON in a string; some servers send the JSON itself.
type arguments string

// UnmarshalJSON implements json.Unmarshaler.
func (a *arguments) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(a))
	case b[0] == '{':
		var compact bytes.Buffer
		if err := json.Compact(&compact, b); err != nil {
			return err
		}
		*a = arguments(compact.String())
	}
	return nil
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

// errorOf is the error in a body or an event, or nil. What cannot be read has none.
func errorOf(body []byte) json.RawMessage {
	var r struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &r) != nil || !isError(r.Error) {
		return nil
	}
	return r.Error
}

// isError reports whether raw holds an error: present, and not null.
func isError(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
