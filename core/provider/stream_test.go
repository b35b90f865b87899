package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// streamer is a model that streams chunks, and then fails with err or ends.
type streamer struct {
	model
	chunks []sdk.Chunk
	err    error
}

func (s streamer) GenerateStream(_ context.Context, _ sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	for _, c := range s.chunks {
		if err := send(c); err != nil {
			return err
		}
	}
	return s.err
}

var finished = sdk.Chunk{Kind: sdk.ChunkFinish, Response: sdk.GenerateResponse{Finish: sdk.FinishStop, ModelServed: "m:7b-q4", Usage: sdk.Usage{Output: sdk.Known(9)}}}

// chunks are the text in pieces of so many characters, and the finish.
func chunks(kind sdk.ChunkKind, text string, length int) []sdk.Chunk {
	var out []sdk.Chunk
	for runes := []rune(text); len(runes) > 0; {
		n := min(length, len(runes))
		out = append(out, sdk.Chunk{Kind: kind, Text: string(runes[:n])})
		runes = runes[n:]
	}
	return append(out, finished)
}

// told is what a stream passed on.
type told struct {
	summary, content string
	failed           []reason.Code
	pieces           int
}

func (w *told) take(p provider.Piece) {
	if p.Failed != nil {
		w.failed = append(w.failed, p.Failed.Code)
		w.summary, w.content = "", ""
		return
	}
	w.pieces++
	switch p.Field {
	case provider.FieldSummary:
		w.summary += p.Text
	case provider.FieldContent:
		w.content += p.Text
	}
}

func stream(t *testing.T, s setup) (provider.SynthesisOutcome, *told, *reason.Error) {
	t.Helper()
	return streamTo(t, s, nil)
}

// streamTo is stream to a reader who saw something of it, or nothing yet.
func streamTo(t *testing.T, s setup, shown func() bool) (provider.SynthesisOutcome, *told, *reason.Error) {
	t.Helper()
	var got told
	out, err := s.open(t).Agent(config.AgentAnswerSynthesizer).Synthesize(context.Background(), provider.SynthesisTask{
		Stream: got.take, Shown: shown,
		Prompt: func() (provider.Prompt, error) {
			return provider.NewPrompt("rules", "turn", provider.ResponseSchemaName, provider.ResponseSchema()), nil
		},
	})
	return out, &got, reason.From(err)
}

// odd is text with all that JSON escapes, and what must not be cut in two.
const odd = "\"Öl\" \\ / \u2028 \t\n 한국 😀 \U0001F468\u200d\U0001F469 \\u0041 {\"summary\": [1]} </end>"

// However the output is cut into pieces, the words passed on are those of the
// answer, and the answer is the one that is not streamed.
func TestStreamedWordsAreTheAnswers(t *testing.T) {
	object := map[string]any{"summary": odd, "format_type": "text", "content": "c " + odd, "warnings": []string{odd}}
	plain, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	spaced, err := json.MarshalIndent(object, "\n", "\t")
	if err != nil {
		t.Fatal(err)
	}
	escaped := `{"summary":"` + escapes(odd) + `","format_type":"text","content":"c ` + escapes(odd) + `","warnings":["` + escapes(odd) + `"]}`
	for name, output := range map[string]string{
		"plain":            string(plain),
		"every escape":     escaped,
		"spaced":           string(spaced),
		"fenced":           "Here it is:\n```json\n" + string(plain) + "\n```",
		"after thoughts":   "<think>{\"summary\": \"not this\"}</think>\n" + string(plain),
		"after many":       "\n <Reasoning>" + strings.Repeat("so {\"summary\": 1} </then> ", 2000) + "</reasoning>\n" + string(plain),
		"content first":    `{"content":"` + escapes("c "+odd) + `","warnings":["` + escapes(odd) + `"],"format_type":"text","summary":"` + escapes(odd) + `"}`,
		"nested before it": `{"warnings":["` + escapes(odd) + `"],"format_type":"text","content":"c ` + escapes(odd) + `","summary":"` + escapes(odd) + `"}`,
	} {
		whole, unstreamed := words(t, one(says(output)), false)
		if unstreamed != nil {
			t.Fatalf("%s: %v", name, unstreamed)
		}
		for length := 1; length < 40; length++ {
			for _, kind := range []sdk.ChunkKind{sdk.ChunkText, sdk.ChunkTool} {
				out, got, failed := stream(t, one(streamer{chunks: chunks(kind, output, length)}))
				if failed != nil {
					t.Fatalf("%s in %d: %v", name, length, failed)
				}
				if got.summary != odd || got.content != "c "+odd {
					t.Fatalf("%s in %d: passed on\n%q\n%q", name, length, got.summary, got.content)
				}
				if !reflect.DeepEqual(out.Response, whole.Response) {
					t.Fatalf("%s in %d: answer %+v, want %+v", name, length, out.Response, whole.Response)
				}
			}
		}
	}
}

// escapes writes every UTF-16 unit of text as an escape.
func escapes(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r > 0xFFFF {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xD800+(r>>10), 0xDC00+(r&0x3FF))
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

func TestWordsAreOfTheAnswersOwnLevel(t *testing.T) {
	output := `{"summary":"s","format_type":"text","content":"c","warnings":["summary","content"]}`
	_, got, err := stream(t, one(streamer{chunks: chunks(sdk.ChunkText, output, 3)}))
	if err != nil || got.summary != "s" || got.content != "c" {
		t.Errorf("%+v, %v", got, err)
	}
	_, got, err = stream(t, one(streamer{chunks: chunks(sdk.ChunkText, `{"a":{"summary":"no"},"b":[{"content":"no"}],"summary":"s"}`, 3)}))
	if err == nil || got.content != "" || len(got.failed) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestACallThatIsStreamedIsCounted(t *testing.T) {
	out, got, err := stream(t, one(streamer{chunks: chunks(sdk.ChunkText, good, 4)}))
	if err != nil || got.pieces == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if out.Call.Model != "m:7b-q4" || out.Call.Usage.Output.N != 9 || out.Call.Provider != "local" {
		t.Errorf("call %+v", out.Call)
	}
}

const good = `{"summary":"There are 3.","format_type":"text","content":"","warnings":[]}`

func TestStreamsThatFail(t *testing.T) {
	begun := chunks(sdk.ChunkText, good[:20], 5)
	begun = begun[:len(begun)-1]
	whole := chunks(sdk.ChunkText, good, 5)
	cut := finished
	cut.Response.Finish = sdk.FinishLength
	for name, c := range map[string]struct {
		model streamer
		code  reason.Code
	}{
		"breaks off":            {streamer{chunks: begun, err: sdk.Errorf(reason.Incomplete, "it broke off")}, "PROVIDER_INCOMPLETE"},
		"ends without a finish": {streamer{chunks: whole[:len(whole)-1]}, "PROVIDER_INCOMPLETE"},
		"is cut":                {streamer{chunks: append(begun[:len(begun):len(begun)], cut)}, "PROVIDER_OUTPUT_TRUNCATED"},
		"is no answer":          {streamer{chunks: chunks(sdk.ChunkText, `{"summary":"There are 3."}`, 5)}, "PROVIDER_INVALID_OUTPUT"},
		"never ends":            {streamer{chunks: chunks(sdk.ChunkText, strings.Repeat("x", 2<<20), 1<<16)}, "PROVIDER_INVALID_OUTPUT"},
		"fails at once":         {streamer{err: sdk.Errorf(reason.Overloaded, "busy")}, "PROVIDER_OVERLOADED"},
	} {
		_, got, err := stream(t, one(c.model))
		if err == nil || err.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
		if len(got.failed) != 1 || got.failed[0] != c.code {
			t.Errorf("%s: told of %v", name, got.failed)
		}
	}
}

// What the first wrote does not count when a fallback answers, and no model stands
// in once the reader has words of another: a template does.
func TestAFallbackStreamsAnew(t *testing.T) {
	for name, c := range map[string]struct {
		shown  func() bool
		plugin config.PluginName
		want   config.ProviderName
	}{
		"nothing was shown":                  {func() bool { return false }, "openai", "other"},
		"words were shown":                   {func() bool { return true }, "openai", ""},
		"it is not known what was shown":     {nil, "openai", ""},
		"words were shown, and templates do": {func() bool { return true }, "template", "other"},
	} {
		t.Run(name, func(t *testing.T) {
			s := one(streamer{chunks: chunks(sdk.ChunkText, good, 5)[:4], err: errors.New("gone")})
			s.agent.Fallback = []config.Fallback{{To: "other"}}
			s.providers["other"] = config.Provider{Plugin: c.plugin, Model: "big"}
			other := provider.Services{Plugin: c.plugin, Model: streamer{chunks: chunks(sdk.ChunkText, good, 7)}}
			if c.plugin == "template" {
				other.Model, other.Planner, other.Synthesizer = nil, planner(nil), synthesizer(func(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
					return answered("There are 3."), nil
				})
			}
			s.services["other"] = other
			out, got, err := streamTo(t, s, c.shown)
			if (err == nil) != (c.want != "") || out.Call.Provider != c.want || len(got.failed) != 1 {
				t.Errorf("%+v, %v, %v", got, out.Call, err)
			}
			if c.want != "" && out.Response.Summary != "There are 3." {
				t.Errorf("summary %q", out.Response.Summary)
			}
		})
	}
}

// A call that broke off is made again while the reader has nothing of it, and its
// words are taken back first.
func TestABrokenStreamIsAskedAgainUnlessItWasShown(t *testing.T) {
	for _, shown := range []bool{false, true} {
		inTime(t, fmt.Sprint(shown), func(t *testing.T) {
			calls := 0
			s := one(flaky{func() streamer {
				if calls++; calls == 1 {
					return streamer{chunks: chunks(sdk.ChunkText, good, 5)[:4], err: sdk.Errorf(reason.Incomplete, "cut")}
				}
				return streamer{chunks: chunks(sdk.ChunkText, good, 7)}
			}})
			out, got, err := streamTo(t, s, func() bool { return shown })
			if shown && (err == nil || err.Code != reason.ProviderCode(reason.Incomplete) || calls != 1) {
				t.Errorf("%v after %d calls", err, calls)
			}
			if !shown && (err != nil || calls != 2 || got.summary != "There are 3." || len(out.Call.Retried) != 1) {
				t.Errorf("%v after %d calls: %+v", err, calls, got)
			}
			if len(got.failed) != 1 {
				t.Errorf("told of %v", got.failed)
			}
		})
	}
}

// flaky is a model of which each call streams otherwise.
type flaky struct{ next func() streamer }

func (f flaky) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	return f.next().GenerateStream(ctx, r, send)
}
func (flaky) Generate(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	return sdk.GenerateResponse{}, sdk.ErrUnsupported
}
func (flaky) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{}, sdk.ErrUnsupported
}
func (flaky) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}

func TestAModelThatCannotStreamIsAskedForTheWhole(t *testing.T) {
	out, got, err := stream(t, one(says(good)))
	if err != nil || out.Response.Summary != "There are 3." || got.pieces != 0 || len(got.failed) != 0 {
		t.Errorf("%+v, %+v, %v", out, got, err)
	}
}

// Templates word an answer at once.
func TestTemplatesDoNotStream(t *testing.T) {
	s := one(nil)
	s.services["local"] = provider.Services{Plugin: "template", Planner: planner(nil), Synthesizer: synthesizer(func(context.Context, sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
		return sdk.SynthesizeResponse{Response: wire.AggregatedResponse{Summary: "s", FormatType: wire.FormatText}, TemplateIDs: []string{"a@1"}}, nil
	})}
	_, got, err := stream(t, s)
	if err != nil || got.pieces != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
