package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// taking is a model that takes these ways to ask for a form, and refuses others and
// the named settings as plugins do.
type taking struct {
	model
	modes   []sdk.OutputMode
	refused []string
	info    sdk.ModelInfo
	asked   []sdk.GenerateRequest
}

func takes(modes ...sdk.OutputMode) *taking {
	m := &taking{modes: modes}
	m.model = func(_ context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		m.asked = append(m.asked, r)
		refuse := ""
		switch {
		case !slices.Contains(m.modes, r.OutputMode):
			refuse = sdk.SettingOutputMode
		case r.Temperature != nil && slices.Contains(m.refused, sdk.SettingTemperature):
			refuse = sdk.SettingTemperature
		case r.Options["top_p"] != "" && slices.Contains(m.refused, "top_p"):
			refuse = "top_p"
		}
		if refuse != "" {
			err := sdk.Errorf(reason.InvalidRequest, "the server does not take it")
			err.Setting = refuse
			return sdk.GenerateResponse{}, err
		}
		if r.OutputMode == sdk.OutputTool {
			return sdk.GenerateResponse{ToolName: "plan", ToolArguments: []byte(goodPlan), Finish: sdk.FinishTool}, nil
		}
		return sdk.GenerateResponse{Text: goodPlan, Finish: sdk.FinishStop}, nil
	}
	return m
}

func (m *taking) ModelInfo(context.Context, string) (sdk.ModelInfo, error) { return m.info, nil }

func (m *taking) asks() string {
	var out []string
	for _, r := range m.asked {
		out = append(out, string(r.OutputMode))
	}
	return strings.Join(out, " ")
}

func TestTheStrictestWayThatIsTaken(t *testing.T) {
	const schema, object, tool, text = sdk.OutputSchema, sdk.OutputJSON, sdk.OutputTool, sdk.OutputText
	for name, c := range map[string]struct {
		takes []sdk.OutputMode
		says  []sdk.OutputMode // of itself
		set   []string         // in the configuration
		asks  string           // by two requests
	}{
		"a schema":                    {takes: []sdk.OutputMode{schema, object, tool, text}, asks: "schema schema"},
		"JSON":                        {takes: []sdk.OutputMode{object, tool, text}, asks: "schema json json"},
		"a function":                  {takes: []sdk.OutputMode{tool, text}, asks: "schema json tool tool"},
		"text":                        {takes: []sdk.OutputMode{text}, asks: "schema json tool text text"},
		"as the provider says":        {takes: []sdk.OutputMode{tool, text}, says: []sdk.OutputMode{tool}, asks: "tool tool"},
		"as the configuration says":   {takes: []sdk.OutputMode{object, tool}, says: []sdk.OutputMode{tool}, set: []string{"json"}, asks: "json json"},
		"text is always there":        {takes: []sdk.OutputMode{text}, set: []string{"json"}, asks: "json text text"},
		"nothing is taken, not asked": {takes: nil, says: []sdk.OutputMode{object}, asks: "json text text"},
	} {
		inTime(t, name, func(t *testing.T) {
			m := takes(c.takes...)
			m.info.OutputModes = c.says
			s := one(m)
			p := s.providers["local"]
			p.Capabilities.Output = c.set
			s.providers["local"] = p
			agent := s.open(t).Agent(config.AgentASTPlanner)
			for range 2 {
				out, err := agent.Plan(t.Context(), task())
				if (err == nil) != (len(c.takes) > 0) {
					t.Fatal(err)
				}
				if err == nil && len(out.Call.Failed) > 0 {
					t.Errorf("failed %v", out.Call.Failed)
				}
			}
			if m.asks() != c.asks {
				t.Errorf("asked by %s, want %s", m.asks(), c.asks)
			}
		})
	}
}

// Each way to ask says in the prompt what the server does not enforce.
func TestEachWayHasWhatItNeeds(t *testing.T) {
	for mode, c := range map[sdk.OutputMode]struct {
		schema bool   // of the request
		says   string // the system message
	}{
		sdk.OutputSchema: {true, "rules"},
		sdk.OutputJSON:   {false, "rules\n\nAnswer with one JSON object and nothing else: no prose, no code fence. It must satisfy this JSON Schema:\n{}"},
		sdk.OutputTool:   {true, "rules\n\nGive your answer by calling the function plan."},
		sdk.OutputText:   {false, "rules\n\nAnswer with one JSON object and nothing else: no prose, no code fence. It must satisfy this JSON Schema:\n{}"},
	} {
		m := takes(mode)
		if _, err := ask(t, one(m)); err != nil {
			t.Fatal(mode, err)
		}
		r := m.asked[len(m.asked)-1]
		if (len(r.Schema) > 0) != c.schema || r.SchemaName != "plan" || len(r.Messages) != 2 || r.Messages[0].Content != c.says {
			t.Errorf("%s: %+v", mode, r)
		}
	}
}

// A refusal is remembered for an hour: the server may be replaced by one that
// takes more.
func TestARefusalIsForgottenInTime(t *testing.T) {
	inTime(t, "an hour", func(t *testing.T) {
		m := takes(sdk.OutputJSON)
		agent := one(m).open(t).Agent(config.AgentASTPlanner)
		plans := func() {
			t.Helper()
			if _, err := agent.Plan(t.Context(), task()); err != nil {
				t.Fatal(err)
			}
		}
		plans()
		time.Sleep(59 * time.Minute)
		plans()
		m.modes = []sdk.OutputMode{sdk.OutputSchema}
		time.Sleep(2 * time.Minute)
		plans()
		if m.asks() != "schema json json schema" {
			t.Errorf("asked by %s", m.asks())
		}
	})
}

// A request that is refused for another reason is not asked in other ways.
func TestOnlyANamedRefusalChangesTheRequest(t *testing.T) {
	for _, kind := range []reason.Kind{reason.InvalidRequest, reason.Misconfigured, reason.RateLimited} {
		for _, setting := range []string{"", "stop", "something"} {
			inTime(t, fmt.Sprintf("%s %s", kind, setting), func(t *testing.T) {
				m := plays(step{err: &sdk.Error{Kind: kind, Setting: setting, Message: "no", RetryAfter: time.Hour}})
				if _, err := ask(t, one(m)); err == nil || len(m.asked) != 1 {
					t.Errorf("%v after %d calls", err, len(m.asked))
				}
			})
		}
	}
}

func TestSettingsThatAreNotTaken(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		refused []string
		info    sdk.ModelInfo
		set     config.Capabilities
		calls   int // of two requests
		ignored []string
		kept    []string
	}{
		"all are":                   {calls: 2, kept: []string{"temperature", "seed", "thinking", "max_output_tokens", "top_p"}},
		"the server refuses one":    {refused: []string{"temperature"}, calls: 3, ignored: []string{"temperature"}},
		"the server refuses two":    {refused: []string{"top_p", "temperature"}, calls: 4, ignored: []string{"temperature", "top_p"}},
		"the provider says so":      {info: sdk.ModelInfo{FixedSampling: true}, calls: 2, ignored: []string{"temperature"}},
		"the provider has no limit": {info: sdk.ModelInfo{Details: map[string]string{sdk.DetailTokenLimit: "none"}}, calls: 2, ignored: []string{"max_output_tokens"}},
		"the configuration says so": {set: config.Capabilities{Temperature: "fixed", Seed: &no, Thinking: &no, TokenLimit: &no}, calls: 2, ignored: []string{"max_output_tokens", "seed", "temperature", "thinking"}},
		"the configuration knows better": {info: sdk.ModelInfo{FixedSampling: true}, set: config.Capabilities{Temperature: "free", Seed: &yes}, calls: 2,
			kept: []string{"temperature", "seed"}},
	} {
		inTime(t, name, func(t *testing.T) {
			m := takes(sdk.OutputSchema)
			m.refused, m.info = c.refused, c.info
			s := one(m)
			p := s.providers["local"]
			p.Capabilities = c.set
			s.providers["local"] = p
			s.agent.Temperature, s.agent.Seed, s.agent.Thinking = ref(0.0), ref(int64(7)), &no
			s.agent.MaxOutputTokens, s.agent.Options = 500, map[string]string{"top_p": "0.9"}
			agent := s.open(t).Agent(config.AgentASTPlanner)
			for range 2 {
				out, err := agent.Plan(t.Context(), task())
				if err != nil {
					t.Fatal(err)
				}
				var ignored []string
				for _, w := range out.Call.Warnings {
					ignored = append(ignored, w.Setting)
				}
				slices.Sort(ignored)
				if !slices.Equal(ignored, c.ignored) {
					t.Errorf("said to be ignored: %v, want %v", ignored, c.ignored)
				}
			}
			if len(m.asked) != c.calls {
				t.Errorf("%d calls, want %d", len(m.asked), c.calls)
			}
			sent := sentSettings(m.asked[len(m.asked)-1])
			for _, setting := range c.ignored {
				if slices.Contains(sent, setting) {
					t.Errorf("%s was sent", setting)
				}
			}
			for _, setting := range c.kept {
				if !slices.Contains(sent, setting) {
					t.Errorf("%s was not sent", setting)
				}
			}
		})
	}
}

func sentSettings(r sdk.GenerateRequest) []string {
	var out []string
	for name, is := range map[string]bool{
		"temperature": r.Temperature != nil, "seed": r.Seed != nil, "thinking": r.Thinking != nil, "max_output_tokens": r.MaxOutputTokens > 0,
	} {
		if is {
			out = append(out, name)
		}
	}
	for name := range r.Options {
		out = append(out, name)
	}
	return out
}

// What is wrong with an output is told once, exactly, behind the output.
func TestAnOutputIsRepairedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		bad, told string
		formless  bool // there is no object: the server does not enforce the schema
	}{
		"prose":                 {"I would look at the customers.", "the answer holds no JSON object", true},
		"an unknown key":        {`{"form":"customers","select":["count(*)"]}`, "form", false},
		"a key that is doubled": {`{"from":"a","from":"customers","select":["count(*)"]}`, "from", false},
		"a broken object":       {`{"from":"customers","sel`, "breaks off", true},
		"nothing":               {"", "the answer is empty", true},
		"only thoughts":         {"<think>{\"from\":\"customers\"}", "the answer is empty", true},
		"two objects":           {`[{"from":"a"},{"from":"b"}]`, "a list of 2", true},
	} {
		t.Run(name, func(t *testing.T) {
			m := plays(writes(c.bad), writes(goodPlan))
			out, err := ask(t, one(m))
			if err != nil || len(m.asked) != 2 || len(out.Call.Retried) != 1 || out.Call.Retried[0].Code != reason.ProviderCode(reason.InvalidOutput) {
				t.Fatalf("%v after %d calls: %+v", err, len(m.asked), out.Call)
			}
			turns := m.asked[1].Messages
			if len(turns) != 4 || turns[2].Role != sdk.RoleAssistant || turns[3].Role != sdk.RoleUser || !strings.Contains(turns[3].Content, c.told) {
				t.Errorf("turns %+v", turns)
			}
			if shown := strings.Contains(turns[3].Content, "JSON Schema"); shown != c.formless {
				t.Errorf("the schema is shown: %t", shown)
			}
			if turns[2].Content == "" || strings.Contains(turns[2].Content, "<think>") {
				t.Errorf("the model is shown %q", turns[2].Content)
			}
			if a := out.Call.Attempts; a[0].Reason != reason.Reason(reason.InvalidOutput) || a[1].Purpose != provider.PurposeRepair {
				t.Errorf("attempts %+v", a)
			}
			again := plays(writes(c.bad), writes(c.bad), writes(goodPlan))
			if _, err := ask(t, one(again)); err == nil || err.Code != reason.ProviderCode(reason.InvalidOutput) || len(again.asked) != 2 || provider.Settled(err) {
				t.Errorf("%v after %d calls", err, len(again.asked))
			} else if strings.Contains(err.SafeMessage, "customers") {
				t.Errorf("safe message %q", err.SafeMessage)
			}
		})
	}
}

func TestObjectsAreHeldToTheirSchemaAndCheck(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["n","list"],"additionalProperties":false}`)
	for text, told := range map[string]string{
		`{"n":1,"list":["a"]}`:                               "",
		`{"n":"1","list":["a"]}`:                             "- n: got string, want integer",
		`{"n":1}`:                                            "missing property 'list'",
		`{"n":1,"list":["c"]}`:                               "- list.0: value must be one of 'a', 'b'",
		`{"n":1,"list":[],"more":2}`:                         "additional properties 'more' not allowed",
		`{"n":1,"list":[],"n":2}`:                            `the key "n" stands twice`,
		`{"n":1e3,"list":["a"]}`:                             "",
		`{"n":1e-0999,"list":[]}`:                            "its exponent is too large",
		`{"n":1E+999999,"list":[]}`:                          "its exponent is too large",
		`{"n":1` + strings.Repeat("0", 1000) + `,"list":[]}`: "a number is too long",
		`{"n":13,"list":[]}`:                                 "thirteen is unlucky",
		`{"n":1.5,"list":["a","x"],"q":[]}`:                  "\n- ",
	} {
		m := plays(writes(text), writes(`{"n":2,"list":[]}`))
		got, err := one(m).open(t).Agent(config.AgentDecomposer).Object(t.Context(), provider.ObjectTask{
			Prompt: func(config.Data) (provider.Prompt, error) {
				return provider.NewPrompt("rules", "turn", "list", schema), nil
			},
			Check: func(object json.RawMessage) error {
				if strings.Contains(string(object), "13") {
					return fmt.Errorf("thirteen is unlucky")
				}
				return nil
			},
		})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if told == "" {
			if len(m.asked) != 1 || string(got.JSON) != text {
				t.Errorf("%s: %s after %d calls", text, got.JSON, len(m.asked))
			}
			continue
		}
		if len(m.asked) != 2 || string(got.JSON) != `{"n":2,"list":[]}` || !strings.Contains(m.asked[1].Messages[3].Content, told) {
			t.Errorf("%s: %d calls, the model was told %q", text, len(m.asked), m.asked[len(m.asked)-1].Messages)
		}
	}
}

func TestOutputThatIsCutGetsMoreRoomOnce(t *testing.T) {
	for name, c := range map[string]struct {
		limit   int64
		used    int64
		context int64
		want    []int64 // the limits that were sent
	}{
		"twice the limit":         {1000, 1000, 0, []int64{1000, 2000}},
		"no limit was set":        {0, 0, 0, []int64{0, 4096}},
		"none set, much was used": {0, 5000, 0, []int64{0, 10000}},
		"within the context":      {1000, 1000, 1500, []int64{1000, 1485}},
		"no room in the context":  {1000, 1000, 1010, []int64{1000}},
	} {
		inTime(t, name, func(t *testing.T) {
			m := plays(step{text: goodPlan[:10], finish: sdk.FinishLength, usage: sdk.Usage{Output: sdk.Count{N: c.used, Known: c.used > 0}}})
			s := one(m)
			s.agent.MaxOutputTokens = c.limit
			p := s.providers["local"]
			p.Capabilities.Context = c.context
			s.providers["local"] = p
			_, err := ask(t, s)
			if err == nil || err.Code != reason.ProviderCode(reason.OutputTruncated) || !provider.Settled(err) {
				t.Errorf("error %v", err)
			}
			var got []int64
			for _, r := range m.asked {
				got = append(got, r.MaxOutputTokens)
				if len(r.Messages) != 2 {
					t.Errorf("the cut output was sent back: %+v", r.Messages)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("limits %v, want %v", got, c.want)
			}
		})
	}
	m := plays(step{text: goodPlan[:10], finish: sdk.FinishLength}, writes(goodPlan))
	if out, err := ask(t, one(m)); err != nil || len(m.asked) != 2 || out.Call.Attempts[1].Purpose != provider.PurposeLonger {
		t.Errorf("%v after %d calls", err, len(m.asked))
	}
}

func TestThoughtsAreNoAnswer(t *testing.T) {
	m := model(func(context.Context, sdk.GenerateRequest) (sdk.GenerateResponse, error) {
		return sdk.GenerateResponse{Thinking: goodPlan, Finish: sdk.FinishStop}, nil
	})
	if _, err := ask(t, one(m)); err == nil || err.Code != reason.ProviderCode(reason.InvalidOutput) {
		t.Errorf("error %v", err)
	}
}

func TestSettingsForbidFallbacks(t *testing.T) {
	down := failsWith(reason.Unavailable)
	template := provider.Services{Plugin: "template", Planner: planner(func(context.Context, sdk.PlanRequest) (sdk.PlanResponse, error) {
		return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: "words_not_understood"}}, nil
	}), Synthesizer: synthesizer(nil)}
	cloud := provider.Services{Plugin: "openai", Model: says(goodPlan)}
	for name, c := range map[string]struct {
		settings config.Settings
		other    provider.Services
		asked    bool
	}{
		"allowed":                     {config.Settings{Fallback: "allow"}, cloud, true},
		"by default":                  {config.Settings{}, cloud, true},
		"forbidden":                   {config.Settings{Fallback: "forbid"}, cloud, false},
		"forbidden, templates too":    {config.Settings{Fallback: "forbid"}, template, false},
		"templates alone":             {config.Settings{Fallback: "template_only"}, cloud, false},
		"templates alone, a template": {config.Settings{Fallback: "template_only"}, template, true},
		"compliance":                  {config.Settings{Answer: config.Answer{Compliance: true}}, cloud, false},
		"compliance, a template":      {config.Settings{Answer: config.Answer{Compliance: true}}, template, true},
	} {
		inTime(t, name, func(t *testing.T) {
			s := two(plays(down).model, config.Fallback{}, c.other)
			s.settings = c.settings
			out, err := ask(t, s)
			asked := slices.ContainsFunc(out.Call.Attempts, func(a provider.Attempt) bool { return a.Provider == "other" })
			if asked != c.asked {
				t.Errorf("the fallback was asked: %t; %v", asked, err)
			}
		})
	}
}
