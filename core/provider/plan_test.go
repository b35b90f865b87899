package provider_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const goodPlan = `{"from":"customers","select":["count(*) as customers"]}`

func task() provider.PlanTask {
	return provider.PlanTask{
		Request: sdk.PlanRequest{RequestID: "r1", Question: "how many", ValueHits: []wire.ValueHit{{Word: "x"}}},
		Prompt: func(d config.Data) (provider.Prompt, error) {
			return provider.NewPrompt("rules", fmt.Sprintf("values=%t", d.Values), "plan", []byte(`{}`)), nil
		},
	}
}

func plan(t *testing.T, s setup) (provider.PlanOutcome, *reason.Error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := s.open(t).Agent(config.AgentASTPlanner).Plan(ctx, task())
	return out, reason.From(err)
}

func TestModelIsAskedWithTheAgentsSettings(t *testing.T) {
	var got sdk.GenerateRequest
	s := one(model(func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		got = r
		return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop, ModelServed: "m:7b-q4", Usage: sdk.Usage{Output: sdk.Known(9)}}, nil
	}))
	temperature, seed, thinking := 0.0, int64(7), false
	s.agent.Temperature, s.agent.Seed, s.agent.Thinking = &temperature, &seed, &thinking
	s.agent.MaxOutputTokens, s.agent.Options = 1500, map[string]string{"num_ctx": "8192"}
	out, err := plan(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if out.Response.Plan == nil || out.Response.Plan.From != "customers" || out.Deterministic {
		t.Errorf("outcome %+v", out)
	}
	if c := out.Call; c.Provider != "local" || c.Plugin != "ollama" || c.Model != "m:7b-q4" || c.Usage.Output != sdk.Known(9) || len(c.Failed) > 0 {
		t.Errorf("call %+v", c)
	}
	if got.Model != "m:7b" || got.RequestID != "r1" || got.OutputMode != sdk.OutputSchema || got.SchemaName != "plan" || string(got.Schema) != "{}" ||
		*got.Temperature != 0 || *got.Seed != 7 || *got.Thinking || got.MaxOutputTokens != 1500 || got.Options["num_ctx"] != "8192" {
		t.Errorf("request %+v", got)
	}
	if len(got.Messages) != 2 || got.Messages[0].Role != sdk.RoleSystem || got.Messages[1].Content != "values=false" {
		t.Errorf("messages %+v", got.Messages)
	}
}

func TestUnsetSettingsAreNotSent(t *testing.T) {
	var got sdk.GenerateRequest
	_, err := plan(t, one(model(func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		got = r
		return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
	})))
	if err != nil {
		t.Fatal(err)
	}
	if got.Temperature != nil || got.Seed != nil || got.Thinking != nil || got.MaxOutputTokens != 0 {
		t.Errorf("request %+v", got)
	}
}

func TestModelOutput(t *testing.T) {
	tests := []struct {
		name, text string
		finish     sdk.FinishReason
		want       reason.Kind // "": accepted
	}{
		{"bare", goodPlan, sdk.FinishStop, ""},
		{"fenced", "Here it is:\n```json\n" + goodPlan + "\n```\nDone {really}.", sdk.FinishStop, ""},
		{"thought", "<think>maybe {\"from\":\"x\"}</think>" + goodPlan, sdk.FinishStop, ""},
		{"thought without opening", "maybe {\"from\":\"x\"}</think>\n" + goodPlan, sdk.FinishStop, ""},
		{"in a list", "[" + goodPlan + "]", sdk.FinishStop, ""},
		{"after braces in prose", "I use {name} and {}: " + goodPlan, sdk.FinishStop, ""},
		{"thought never closed", "<think>so " + goodPlan, sdk.FinishStop, reason.InvalidOutput},
		{"prose", "I cannot do that.", sdk.FinishStop, reason.InvalidOutput},
		{"empty", "", sdk.FinishStop, reason.InvalidOutput},
		{"cut inside", `{"with":[{"name":"p","op":"select","from":"t"}],"from":"cust`, sdk.FinishStop, reason.InvalidOutput},
		{"unknown key", `{"form":"customers","select":["count(*)"]}`, sdk.FinishStop, reason.InvalidOutput},
		{"at the token limit", goodPlan, sdk.FinishLength, reason.OutputTruncated},
		{"filtered", goodPlan, sdk.FinishFilter, reason.ContentFiltered},
		{"no finish reason", goodPlan, "", reason.Incomplete},
		{"huge", strings.Repeat(" ", 2<<20) + goodPlan, sdk.FinishStop, reason.InvalidOutput},
	}
	for _, test := range tests {
		inTime(t, test.name, func(t *testing.T) {
			out, err := plan(t, one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				return sdk.GenerateResponse{Text: test.text, Finish: test.finish}, nil
			})))
			if test.want == "" {
				if err != nil || out.Response.Plan.From != "customers" {
					t.Fatalf("plan %+v, error %v", out.Response.Plan, err)
				}
				return
			}
			if err == nil || err.Code != reason.ProviderCode(test.want) {
				t.Fatalf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestToolArgumentsAreRead(t *testing.T) {
	out, err := plan(t, one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		return sdk.GenerateResponse{ToolName: "plan", ToolArguments: []byte(goodPlan), Finish: sdk.FinishTool}, nil
	})))
	if err != nil || out.Response.Plan.From != "customers" {
		t.Fatalf("plan %+v, error %v", out.Response.Plan, err)
	}
}

func TestFailuresKeepTheirKindAndHideTheProvidersWords(t *testing.T) {
	for _, kind := range reason.Kinds() {
		inTime(t, string(kind), func(t *testing.T) {
			said := sdk.Errorf(kind, "secret words of the server")
			said.RetryAfter, said.Status, said.ProviderRequestID = 3*time.Second, 418, "req-9"
			_, err := plan(t, one(fails(said)))
			if err == nil || err.Code != reason.ProviderCode(kind) || err.Reason != reason.Reason(kind) {
				t.Fatalf("error %v", err)
			}
			if strings.Contains(err.SafeMessage+err.NextAction, "secret words") || !strings.Contains(err.SafeMessage, `"local"`) {
				t.Errorf("safe message %q", err.SafeMessage)
			}
			if strings.Contains(err.Message, "secret words") || !strings.Contains(err.Message, `provider "local": The `) || !errors.Is(err, said) {
				t.Errorf("message %q", err.Message)
			}
			if e := err.Evidence; e["provider"] != "local" || e["model"] != "m:7b" || e["retry_after"] != "3s" || e["status"] != "418" || e["provider_request_id"] != "req-9" {
				t.Errorf("evidence %v", e)
			}
			if !strings.Contains(err.SafeMessage, "answered with HTTP status 418") || !strings.Contains(err.SafeMessage, "to be left alone for 3s.") {
				t.Errorf("safe message %q", err.SafeMessage)
			}
		})
	}
}

// Each failure says in our own words what is known of it, and what to do.
func TestFailuresSayWhatIsKnownOfThem(t *testing.T) {
	for name, c := range map[string]struct {
		kind   reason.Kind
		status int
		wait   time.Duration
		safe   string
		next   string
	}{
		"a bad gateway":      {reason.Unavailable, 502, 0, "Its server answered with HTTP status 502.", "the log of the provider's server"},
		"an error with 200":  {reason.Unavailable, 200, 0, "Its server answered with HTTP status 200, but with an error in place of an answer.", "the log of the provider's server"},
		"no answer":          {reason.Unavailable, 0, 0, "The provider cannot be reached.", "the configured address and that plugins."},
		"a refused key":      {reason.AuthFailed, 401, 0, "The provider refused the key that it was given. Its server answered with HTTP status 401.", "Correct the provider's key"},
		"an hour's wait":     {reason.RateLimited, 429, time.Hour, "Its server answered with HTTP status 429. It asks to be left alone for 1h.", "Wait 1h, then"},
		"a minute and more":  {reason.Overloaded, 0, 90 * time.Second, "too much to do. It asks to be left alone for 1m30s.", "Wait 1m30s, then"},
		"part of a second":   {reason.RateLimited, 0, 200 * time.Millisecond, "left alone for 1s.", "Wait 1s, then"},
		"hours and minutes":  {reason.RateLimited, 0, 80 * time.Minute, "left alone for 1h20m.", "Wait 1h20m, then"},
		"minutes":            {reason.RateLimited, 0, 10 * time.Minute, "left alone for 10m.", "Wait 10m, then"},
		"a senseless status": {reason.Unavailable, 9999, 0, "The provider cannot be reached.", "Check that the provider is running"},
	} {
		inTime(t, name, func(t *testing.T) {
			said := sdk.Errorf(c.kind, "secret words of the server")
			said.Status, said.RetryAfter = c.status, c.wait
			_, err := plan(t, one(fails(said)))
			if err == nil || !strings.HasSuffix(err.SafeMessage, c.safe) || !strings.Contains(err.NextAction, c.next) {
				t.Errorf("error %+v", err)
			}
		})
	}
}

// What a server or a model said is for who looks for it: below debug no log has it.
func TestAProvidersWordsAreLoggedAtDebugAlone(t *testing.T) {
	for name, m := range map[string]model{
		"a server's": fails(sdk.Errorf(reason.InvalidRequest, "telling words")),
		"a model's":  says(`{"from":"t","telling words":1}`),
	} {
		for _, level := range []hclog.Level{hclog.Info, hclog.Debug} {
			inTime(t, name+" at "+level.String(), func(t *testing.T) {
				var log strings.Builder
				s := one(m)
				s.logger = hclog.New(&hclog.LoggerOptions{Level: level, Output: &log})
				_, err := plan(t, s)
				if err == nil || strings.Contains(err.Message, "telling words") || !strings.Contains(log.String(), "provider failed") {
					t.Fatalf("error %v, log\n%s", err, &log)
				}
				if said := strings.Contains(log.String(), "telling words"); said != (level == hclog.Debug) {
					t.Errorf("the log holds the words: %t\n%s", said, &log)
				}
			})
		}
	}
}

func TestOtherErrorsOfACall(t *testing.T) {
	tests := []struct {
		name string
		m    model
		want reason.Kind
	}{
		{"plain error", fails(errors.New("boom")), reason.InternalProvider},
		{"not offered", fails(sdk.ErrUnsupported), reason.Misconfigured},
		{"panic", func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) { panic("boom") }, reason.InternalProvider},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := plan(t, one(test.m)); err == nil || err.Code != reason.ProviderCode(test.want) {
				t.Fatalf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestCallHasTheAgentsDeadline(t *testing.T) {
	s := one(model(func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		<-ctx.Done()
		return sdk.GenerateResponse{}, ctx.Err()
	}))
	s.agent.Timeout = config.Duration(20 * time.Millisecond)
	_, err := s.open(t).Agent(config.AgentASTPlanner).Plan(context.Background(), task())
	if e := reason.From(err); e == nil || e.Code != reason.ProviderCode(reason.Timeout) {
		t.Fatalf("error %v", err)
	}
}

func TestCancelledRunIsNoFailureOfTheProvider(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fallback := 0
	s := two(func(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		cancel()
		<-ctx.Done()
		return sdk.GenerateResponse{}, sdk.Errorf(reason.Unavailable, "connection closed")
	}, config.Fallback{}, provider.Services{Plugin: "openai", Model: model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		fallback++
		return sdk.GenerateResponse{}, nil
	})})
	_, err := s.open(t).Agent(config.AgentASTPlanner).Plan(ctx, task())
	if e := reason.From(err); e == nil || e.Code != reason.ProviderCode(reason.Cancelled) {
		t.Fatalf("error %v", err)
	}
	if fallback != 0 {
		t.Error("the fallback was asked for a cancelled run")
	}
}

func TestFullProviderIsOverloaded(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	s := one(model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		entered <- struct{}{}
		<-release
		return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
	}))
	local := s.providers["local"]
	local.MaxParallel = 1
	s.providers["local"] = local
	agent := s.open(t).Agent(config.AgentASTPlanner)
	first := make(chan error, 1)
	go func() {
		_, err := agent.Plan(context.Background(), task())
		first <- err
	}()
	<-entered
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := agent.Plan(ctx, task())
	if e := reason.From(err); e == nil || e.Code != reason.ProviderCode(reason.Overloaded) {
		t.Errorf("error %v", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the call that had the slot failed: %v", err)
	}
}

func TestFallback(t *testing.T) {
	down := fails(sdk.Errorf(reason.Unavailable, "refused"))
	good := provider.Services{Plugin: "openai", Model: says(goodPlan)}
	inTime(t, "stands in", func(t *testing.T) {
		out, err := plan(t, two(down, config.Fallback{}, good))
		if err != nil || out.Call.Provider != "other" || out.Call.Model != "big" {
			t.Fatalf("outcome %+v, error %v", out, err)
		}
		if len(out.Call.Failed) != 1 || out.Call.Failed[0].Code != reason.ProviderCode(reason.Unavailable) {
			t.Errorf("failed %v", out.Call.Failed)
		}
	})
	inTime(t, "for its reasons only", func(t *testing.T) {
		if _, err := plan(t, two(down, config.Fallback{On: []string{"timeout"}}, good)); err == nil || err.Reason != "unavailable" {
			t.Fatalf("error %v", err)
		}
		if out, err := plan(t, two(down, config.Fallback{On: []string{"timeout", "unavailable"}}, good)); err != nil || out.Call.Provider != "other" {
			t.Fatalf("error %v", err)
		}
	})
	inTime(t, "all failed", func(t *testing.T) {
		out, err := plan(t, two(down, config.Fallback{}, provider.Services{Plugin: "openai", Model: says("no")}))
		if err == nil || err.Reason != "invalid_output" || len(out.Call.Failed) != 1 {
			t.Fatalf("error %v, failed %v", err, out.Call.Failed)
		}
	})
	inTime(t, "does not call a question unintelligible because a model was down", func(t *testing.T) {
		refusing := planner(func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
			return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: "words_not_understood"}}, nil
		})
		_, err := plan(t, two(down, config.Fallback{}, provider.Services{Plugin: "template", Planner: refusing, Synthesizer: synthesizer(nil)}))
		if err == nil || err.Reason != "unavailable" || err.Evidence["fallback_refused"] != "words_not_understood" {
			t.Fatalf("error %v", err)
		}
	})
}

func TestFallbackIsNeverSentMore(t *testing.T) {
	for _, first := range []bool{false, true} {
		for _, second := range []bool{false, true} {
			t.Run(fmt.Sprintf("%t then %t", first, second), func(t *testing.T) {
				var seen []string
				record := func(text string) model {
					return func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
						seen = append(seen, r.Messages[1].Content)
						return sdk.GenerateResponse{Text: text, Finish: sdk.FinishStop}, nil
					}
				}
				s := two(record("no"), config.Fallback{}, provider.Services{Plugin: "openai", Model: record(goodPlan)})
				for name, values := range map[config.ProviderName]bool{"local": first, "other": second} {
					p := s.providers[name]
					p.Data.Values, p.MaxCalls = values, 1
					s.providers[name] = p
				}
				if _, err := plan(t, s); err != nil {
					t.Fatal(err)
				}
				want := []string{fmt.Sprintf("values=%t", first), fmt.Sprintf("values=%t", first && second)}
				if !slices.Equal(seen, want) {
					t.Errorf("sent %v, want %v", seen, want)
				}
			})
		}
	}
}

func TestPlanner(t *testing.T) {
	run := func(t *testing.T, values bool, res sdk.PlanResponse) (provider.PlanOutcome, *reason.Error, sdk.PlanRequest) {
		var got sdk.PlanRequest
		s := one(nil)
		s.providers["local"] = config.Provider{Plugin: "template", Data: config.Data{Values: values}}
		s.services["local"] = provider.Services{Plugin: "template", Planner: planner(func(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
			got = r
			return res, nil
		}), Synthesizer: synthesizer(nil)}
		out, err := plan(t, s)
		return out, err, got
	}
	proposed := sdk.PlanResponse{Plan: &wire.Plan{}, Reading: "all"}
	for _, values := range []bool{false, true} {
		out, err, got := run(t, values, proposed)
		if err != nil || !out.Deterministic || out.Response.Reading != "all" || out.Call.Model != "" {
			t.Fatalf("outcome %+v, error %v", out, err)
		}
		if (len(got.ValueHits) == 1) != values {
			t.Errorf("data.values %t: sent %d value hits", values, len(got.ValueHits))
		}
	}
	if out, err, _ := run(t, false, sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: "needs_clarification"}}); err != nil || out.Response.Refusal == nil {
		t.Errorf("refusal: outcome %+v, error %v", out, err)
	}
	for name, res := range map[string]sdk.PlanResponse{
		"neither": {}, "both": {Plan: &wire.Plan{}, Refusal: &sdk.Refusal{Reason: "words_not_understood"}},
		"strange reason": {Refusal: &sdk.Refusal{Reason: "tired"}},
	} {
		if _, err, _ := run(t, false, res); err == nil || err.Code != reason.ProviderCode(reason.InvalidOutput) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
