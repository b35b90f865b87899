package fakeserver

import (
	"bytes"
	"slices"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Quirk is something that real servers were seen to send, with what a plugin must
// make of it.
type Quirk struct {
	Name   string // unique within its shape
	Shape  Shape
	Sends  string // what the server does, for readers
	Source string // where it comes from: a server on which it was seen, a complaint, a document
	Ask    Ask
	// Whole are the replies to a request of a whole answer, Stream those to one of an
	// answer piece by piece: the first whose While fits. A request without one shows
	// that the quirk does not apply to how the plugin asks.
	Whole, Stream []Reply
	Want          Want
}

// Ask is how a plugin is asked, where it matters. The zero value asks for text and
// sets nothing.
type Ask struct {
	Mode        sdk.OutputMode // "": text
	Temperature *float64
	MaxTokens   int64
	Thinking    *bool
	// Timeout is the call's deadline; 0 is long enough for every answer.
	Timeout time.Duration
}

// Want is what a plugin must return.
type Want struct {
	// Kinds are the failures of which one is right; empty is a success.
	Kinds []reason.Kind
	// RetryAfter is the least and the most that a failure says to wait. Both zero:
	// nothing may be said.
	RetryAfter [2]time.Duration

	Text, Thinking string
	Tool           string // the arguments of the tool call
	Finish         sdk.FinishReason
	// Usage is what is known of the tokens; nil: anything.
	Usage *sdk.Usage
	// Warning is a setting of which the response must warn; "": none.
	Warning string
	// Requests is how many times the server may be asked; 0: once.
	Requests int
	// Or is another outcome that is right as well.
	Or *Want
}

// Quirks lists the quirks of a shape, in the order of their names.
func Quirks(shape Shape) []Quirk {
	all := slices.Concat(openAIStreams(), openAIUsage(), openAIAnswers(), openAIText(), openAIErrors(), openAILimits(), openAISettings(), openAITransport())
	if shape == Ollama {
		all = slices.Concat(ollamaStreams(), ollamaAnswers(), ollamaErrors(), ollamaTransport())
	}
	for i := range all {
		all[i].Shape = shape
	}
	slices.SortFunc(all, func(a, b Quirk) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return all
}

// Script is the quirk as a server's script.
func (q Quirk) Script() Script {
	return Script{Shape: q.Shape, Chat: func(r Request) (Reply, bool) {
		replies := q.Whole
		if r.Streams(q.Shape) {
			replies = q.Stream
		}
		for _, reply := range replies {
			if bytes.Contains(r.Body, []byte(reply.While)) {
				return reply, true
			}
		}
		return Reply{}, false
	}}
}

// Answers reports whether the quirk has a reply to a request.
func (q Quirk) Answers(r Request) bool {
	_, ok := q.Script().Chat(r)
	return ok
}

// one is a single reply of steps.
func one(steps ...string) []Reply { return []Reply{{Steps: Send(steps...)}} }

// failing is a single reply with a status and a body.
func failing(status int, body string) []Reply { return []Reply{{Status: status, Steps: Send(body)}} }

// fails is the expectation of a failure of one of kinds.
func fails(kinds ...reason.Kind) Want { return Want{Kinds: kinds} }

// answers is the expectation of a plain answer.
func answers(text string) Want { return Want{Text: text, Finish: sdk.FinishStop} }

func ptr[T any](v T) *T { return &v }
