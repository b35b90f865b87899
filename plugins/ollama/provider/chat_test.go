package provider_test

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func always(r ollamatest.Reply) ollamatest.Script {
	return ollamatest.Script{Chat: ollamatest.Always(r)}
}

func TestAnswerIsWhole(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := ollamatest.New(t, always(ollamatest.Reply{Content: `{"zeta":"é","alpha":"<think>kept</think>"}`, Thinking: "Let me count."}))
		out, err := ask(open(t, server, nil), request())
		if err != nil {
			t.Fatal(err)
		}
		want := sdk.GenerateResponse{
			Text: `{"zeta":"é","alpha":"<think>kept</think>"}`, Thinking: "Let me count.", Finish: sdk.FinishStop,
			Usage:       sdk.Usage{Input: sdk.Known(26), Output: sdk.Known(18)},
			ModelServed: "qwen2.5-coder:7b", EffectiveContext: sdk.Known(4096),
		}
		if !reflect.DeepEqual(out, want) {
			t.Errorf("response is\n%+v\nwant\n%+v", out, want)
		}
	})
}

func TestRequestSaysWhatIsSetAndNothingElse(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Text("{}")))
	p := open(t, server, settings{"headers": map[string]string{"X-Team": "data"}, "keep_alive": "10m"})
	set := request()
	set.Temperature, set.Seed, set.MaxOutputTokens, set.Stop = ptr(0.0), ptr(int64(7)), 1500, []string{"END"}
	set.Options = map[string]string{"top_k": "40", "top_p": "0.5", "nonsense": "1", "min_p": "low"}
	for _, r := range []sdk.GenerateRequest{request(), set} {
		out, err := p.Generate(limited(t), r)
		if err != nil {
			t.Fatal(err)
		}
		var warned []string
		for _, w := range out.Warnings {
			warned = append(warned, w.Setting)
		}
		if want := map[bool][]string{true: {"min_p", "nonsense"}}[len(r.Options) > 0]; !reflect.DeepEqual(warned, want) {
			t.Errorf("warnings for %v, want for %v", warned, want)
		}
	}
	got := server.Chats()
	if keys := keysOf(got[0].Object()); keys != "format keep_alive messages model options shift stream truncate" {
		t.Errorf("a request without settings has the keys %s", keys)
	}
	for _, want := range []string{
		`"truncate":false`, `"shift":false`, `"stream":true`, `"keep_alive":"10m0s"`, `"format":` + planSchema,
		`"options":{"num_ctx":4096,"num_predict":2048}`,
	} {
		if !bytes.Contains(got[0].Body, []byte(want)) {
			t.Errorf("body %s lacks %s", got[0].Body, want)
		}
	}
	want := `"options":{"num_ctx":4096,"num_predict":1500,"seed":7,"stop":["END"],"temperature":0,"top_k":40,"top_p":0.5}`
	if !bytes.Contains(got[1].Body, []byte(want)) {
		t.Errorf("body %s lacks %s", got[1].Body, want)
	}
	if got[1].Header.Get("Authorization") != "Bearer "+key || got[1].Header.Get("X-Team") != "data" {
		t.Errorf("headers are %v", got[1].Header)
	}
}

func keysOf(m map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }

func TestThinkingIsSwitchedWhereItCanBe(t *testing.T) {
	thinker := ollamatest.Model{ContextLength: 32768, Capabilities: []string{"completion", "thinking"}}
	for _, tc := range []struct {
		name   string
		model  ollamatest.Model
		want   *bool
		level  string
		sent   any
		warned bool
	}{
		{"not set", thinker, nil, "", nil, false},
		{"on", thinker, ptr(true), "", true, false},
		{"off", thinker, ptr(false), "", false, false},
		{"a level", thinker, nil, "low", "low", false},
		{"on, without the switch", ollamatest.Model{Capabilities: []string{"completion"}}, ptr(true), "", nil, true},
		{"off, without the switch", ollamatest.Model{Capabilities: []string{"completion"}}, ptr(false), "", nil, false},
		{"on, by a server that does not say", ollamatest.Model{}, ptr(true), "", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			script := always(ollamatest.Text("{}"))
			script.Models = map[string]ollamatest.Model{"m": tc.model}
			server := ollamatest.New(t, script)
			r := request()
			r.Model, r.Thinking = "m", tc.want
			if tc.level != "" {
				r.Options = map[string]string{"think": tc.level}
			}
			out, err := open(t, server, nil).Generate(limited(t), r)
			if err != nil {
				t.Fatal(err)
			}
			if sent := server.Chats()[0].Object()["think"]; sent != tc.sent || (len(out.Warnings) > 0) != tc.warned {
				t.Errorf("sent think %v, warnings %v", sent, out.Warnings)
			}
		})
	}
}

func TestFinishAndUsage(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := ollamatest.New(t, ollamatest.Script{Chat: ollamatest.Queue(
			ollamatest.Reply{Content: `{"zeta":`, DoneReason: "length"}, ollamatest.Reply{Content: "{}", PromptTokens: -1},
		)})
		p := open(t, server, nil)
		if out, err := ask(p, request()); err != nil || out.Finish != sdk.FinishLength || out.Text != `{"zeta":` {
			t.Errorf("response %+v, error %v", out, err)
		}
		if out, err := ask(p, request()); err != nil || out.Usage.Input.Known || !out.Usage.Output.Known {
			t.Errorf("usage %+v, error %v; a prompt's count that is not said is unknown", out.Usage, err)
		}
	})
}

func TestToolCall(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		server := ollamatest.New(t, always(ollamatest.Reply{ToolName: "plan", ToolArguments: `{"zeta":"1","alpha":2}`}))
		r := request()
		r.OutputMode = sdk.OutputTool
		out, err := ask(open(t, server, nil), r)
		if err != nil || out.ToolName != "plan" || string(out.ToolArguments) != `{"zeta":"1","alpha":2}` || out.Finish != sdk.FinishTool {
			t.Errorf("response %+v, error %v", out, err)
		}
		want := `"tools":[{"type":"function","function":{"name":"plan","parameters":{"type":"object","required":["zeta","alpha"],"properties":{"zeta":{"type":"string"},"alpha":{"type":"string"}}}}}]`
		if body := server.Chats()[0].Body; !bytes.Contains(body, []byte(want)) {
			t.Errorf("body %s lacks %s", body, want)
		}
	})
}

func TestJSONModeAsksForJSON(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Text("{}")))
	p := open(t, server, nil)
	r := request()
	r.OutputMode, r.Schema = sdk.OutputJSON, nil
	out, err := p.Generate(limited(t), r)
	if err != nil || len(out.Warnings) != 1 {
		t.Fatalf("warnings %v, error %v", out.Warnings, err)
	}
	if texts := server.Chats()[0].Texts(); !strings.Contains(texts[0], "JSON") || r.Messages[0].Content != "You plan." {
		t.Errorf("prompt %q, the caller's %q", texts, r.Messages)
	}
	if !bytes.Contains(server.Chats()[0].Body, []byte(`"format":"json"`)) {
		t.Errorf("body %s", server.Chats()[0].Body)
	}
	r.Messages = []sdk.Message{{Role: sdk.RoleUser, Content: "Json, please."}}
	if out, err = p.Generate(limited(t), r); err != nil || len(out.Warnings) != 0 {
		t.Errorf("warnings %v, error %v", out.Warnings, err)
	}
}

func TestStreamSendsPiecesThenUsageThenFinish(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Reply{Content: "some longer text", Thinking: "hm"}))
	_, kinds, err := streamed(limited(t), open(t, server, nil), request())
	want := []sdk.ChunkKind{sdk.ChunkThinking, sdk.ChunkText, sdk.ChunkUsage, sdk.ChunkFinish}
	if err != nil || !reflect.DeepEqual(kinds, want) {
		t.Errorf("chunks %v, error %v; want %v", kinds, err, want)
	}
}

func TestStreamStopsWithTheReceiversError(t *testing.T) {
	server := ollamatest.New(t, always(ollamatest.Reply{Content: "a long enough answer", HangAt: 2}))
	full := errors.New("the receiver is full")
	err := open(t, server, nil).GenerateStream(limited(t), request(), func(sdk.Chunk) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("error is %v, want the receiver's", err)
	}
}

func TestBlankAnswerIsGivenUp(t *testing.T) {
	bothWays(t, func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error)) {
		// It would hang at the end, were it not given up before.
		server := ollamatest.New(t, always(ollamatest.Reply{Content: `{"zeta":` + strings.Repeat("\n\t ", 200), HangAt: 70}))
		p := open(t, server, nil)
		_, err := ask(p, request())
		wantKind(t, err, reason.InvalidOutput)
	})
	server := ollamatest.New(t, always(ollamatest.Reply{Content: "a" + strings.Repeat(" ", 600) + "b"}))
	r := request()
	r.OutputMode = sdk.OutputText
	if out, err := open(t, server, nil).Generate(limited(t), r); err != nil || len(out.Text) != 602 {
		t.Errorf("plain text of %d characters, error %v", len(out.Text), err)
	}
}

// TestCallsAreBounded: the vendor's client holds 8 MB for each call in flight.
func TestCallsAreBounded(t *testing.T) {
	arrived, answer := make(chan struct{}, 12), make(chan struct{})
	server := ollamatest.New(t, ollamatest.Script{Chat: func(r ollamatest.Request) ollamatest.Reply {
		arrived <- struct{}{}
		<-answer
		return ollamatest.Text(r.Texts()[1])
	}})
	p := open(t, server, settings{"max_parallel": 2})
	ctx := limited(t)
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			r := request()
			r.Messages[1].Content = strings.Repeat("x", i+1)
			if out, err := p.Generate(ctx, r); err != nil || out.Text != r.Messages[1].Content {
				t.Errorf("answer %q, error %v", out.Text, err)
			}
		})
	}
	for range 6 {
		<-arrived
		<-arrived
		select {
		case <-arrived:
			t.Error("a third call is in flight")
		case <-time.After(20 * time.Millisecond): // long enough for a call that is not held back
		}
		answer <- struct{}{}
		answer <- struct{}{}
	}
	group.Wait()
}
