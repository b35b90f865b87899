package conformance_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/reason"
)

// mutant is a plugin that breaks one contract.
type mutant struct {
	check  string // that must fail
	defect string
	change func(b *broken)
	plugin func(b *broken) sdk.Plugin // nil: the broken plugin's own
	wire   func(lie) error            // changes calls on the wire
	hangs  bool                       // the check ends at its limit only
}

// lie is a call that a broken connection makes.
type lie struct {
	method  string
	request proto.Message
	reply   any
	really  func() error
}

// lying is a connection to a plugin that breaks what the SDK's server never does.
type lying struct {
	grpc.ClientConnInterface
	tell func(lie) error
}

func (l lying) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	return l.tell(lie{method, args.(proto.Message), reply, func() error {
		return l.ClientConnInterface.Invoke(ctx, method, args, reply, opts...)
	}})
}

func described(version, schema string) func(*broken) {
	return func(b *broken) {
		b.describe = func(d sdk.Description) sdk.Description {
			d.Version, d.ConfigSchema = version, json.RawMessage(schema)
			return d
		}
	}
}

func lifecycleMutants() []mutant {
	return []mutant{
		{check: "describe/name_and_version", defect: "no version", change: described("", `{"type":"object"}`)},
		{check: "describe/settings_schema", defect: "no JSON", change: described("1", `{"type":`)},
		{check: "describe/settings_schema", defect: "no schema", change: described("1", `{"type":"objekt"}`)},
		{check: "describe/settings_schema", defect: "no object", change: described("1", `{"type":"array"}`)},
		{check: "describe/settings_schema", defect: "it points elsewhere", change: described("1", `{"type":"object","$ref":"file:///etc/passwd"}`)},
		{check: "describe/settings_schema", defect: "none", change: described("1", "")},
		{check: "describe/services", defect: "one is listed that is not there", plugin: func(b *broken) sdk.Plugin { return sdk.Plugin{Lifecycle: b, Model: b} },
			wire: addServices("planner")},
		{check: "describe/services", defect: "one is there that is not listed", wire: func(l lie) error {
			err := l.really()
			if d, ok := l.reply.(*pluginv1.DescribeResponse); ok {
				d.Services = d.Services[:1]
			}
			return err
		}},
		{check: "describe/services", defect: "an unheard-of one", wire: addServices("levitator")},
		{check: "describe/same_when_configured", defect: "another version each time", change: func(b *broken) {
			b.describe = func(d sdk.Description) sdk.Description {
				d.Version = time.Duration(count.Add(1)).String()
				return d
			}
		}},
		{check: "configure/settings", defect: "not healthy", change: func(b *broken) { b.health = func() sdk.HealthState { return sdk.HealthState{Message: "ill"} } }},
		{check: "configure/settings", defect: "good settings are refused", change: func(b *broken) { b.configure = func(sdk.Configuration) error { return errAny } }},
		{check: "configure/bad_settings", defect: "everything is taken", change: func(b *broken) { b.configure = func(sdk.Configuration) error { return nil } }},
		{check: "configure/bad_settings", defect: "the kind is internal", change: func(b *broken) {
			b.configure = func(c sdk.Configuration) error {
				if c.Settings[0] != '{' || !json.Valid(c.Settings) {
					return errAny
				}
				return nil
			}
		}},
		{check: "configure/typed_error", defect: "a status without details", wire: func(l lie) error {
			if err := l.really(); err != nil {
				return status.Error(status.Code(err), status.Convert(err).Message())
			}
			return nil
		}},
		{check: "configure/not_before", defect: "a panic", change: func(b *broken) {
			b.plan = func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error) {
				if !b.configured.Load() {
					panic("nothing is configured")
				}
				return anyPlan(), nil
			}
		}},
		{check: "health/calls_no_server", defect: "it does", change: func(b *broken) {
			b.health = func() sdk.HealthState {
				_, err := b.ModelInfo(context.Background(), "m")
				return sdk.HealthState{OK: err == nil}
			}
		}},
		{check: "stop/twice", defect: "the second fails", change: func(b *broken) {
			stopped := false
			b.stop = func() error {
				if stopped {
					return errAny
				}
				stopped = b.configured.Load()
				return nil
			}
		}},
		{check: "stop/twice", defect: "it fails before Configure", change: func(b *broken) {
			b.stop = func() error {
				if !b.configured.Load() {
					return errAny
				}
				return nil
			}
		}},
		{check: "calls/unknown", defect: "any call succeeds", wire: func(l lie) error {
			if strings.HasSuffix(l.method, "/Levitate") {
				return nil
			}
			return l.really()
		}},
		{check: "limits/later_fields", defect: "unknown fields are errors", wire: func(l lie) error {
			if len(l.request.ProtoReflect().GetUnknown()) > 0 {
				return status.Error(codes.InvalidArgument, "what is that?")
			}
			return l.really()
		}},
		{check: "limits/largest_message", defect: "gRPC's usual limit", wire: func(l lie) error {
			if proto.Size(l.request) > 4<<20 {
				return status.Error(codes.ResourceExhausted, "larger than max")
			}
			return l.really()
		}},
		{check: "limits/too_large_message", defect: "no limit", wire: func(l lie) error {
			if proto.Size(l.request) > sdk.MaxMessageBytes {
				return nil
			}
			return l.really()
		}},
		{check: "limits/too_large_message", defect: "it ends the plugin", wire: dyingAtLarge()},
		{check: "limits/at_once", defect: "one call at a time", change: oneAtATime},
	}
}

func addServices(name string) func(lie) error {
	return func(l lie) error {
		err := l.really()
		if d, ok := l.reply.(*pluginv1.DescribeResponse); ok {
			d.Services = append(d.Services, name)
		}
		return err
	}
}

func dyingAtLarge() func(lie) error {
	dead := false
	return func(l lie) error {
		dead = dead || proto.Size(l.request) > sdk.MaxMessageBytes
		switch {
		case proto.Size(l.request) > sdk.MaxMessageBytes:
			return status.Error(codes.ResourceExhausted, "larger than max")
		case dead:
			return status.Error(codes.Unavailable, "the connection is closed")
		}
		return l.really()
	}
}

// oneAtATime makes Health break when it is called while it runs. The first call
// waits for a second one.
func oneAtATime(b *broken) {
	var running sync.Mutex
	second := make(chan struct{})
	var once sync.Once
	b.health = func() sdk.HealthState {
		if !running.TryLock() {
			once.Do(func() { close(second) })
			panic("two at once")
		}
		defer running.Unlock()
		select {
		case <-second:
		case <-time.After(10 * time.Second):
		}
		return sdk.HealthState{OK: true}
	}
}

func modelMutants() []mutant {
	answer := func(change func(*sdk.GenerateResponse)) func(*broken) {
		return func(b *broken) {
			b.answer = func(r sdk.GenerateResponse, err error) (sdk.GenerateResponse, error) {
				change(&r)
				return r, err
			}
		}
	}
	chunks := func(change func(sdk.Chunk, func(sdk.Chunk) error) error) func(*broken) {
		return func(b *broken) {
			b.stream = func(send func(sdk.Chunk) error) func(sdk.Chunk) error {
				return func(c sdk.Chunk) error { return change(c, send) }
			}
		}
	}
	return []mutant{
		{check: "model/info", defect: "not present", change: func(b *broken) {
			b.info = func(i sdk.ModelInfo, err error) (sdk.ModelInfo, error) { return sdk.ModelInfo{Model: i.Model}, err }
		}},
		{check: "model/info", defect: "a known context of nothing", change: func(b *broken) {
			b.info = func(i sdk.ModelInfo, err error) (sdk.ModelInfo, error) {
				i.ContextLength = sdk.Known(0)
				return i, err
			}
		}},
		{check: "model/generate", defect: "no finish reason", change: answer(func(r *sdk.GenerateResponse) { r.Finish = "" })},
		{check: "model/stream", defect: "two finishes", change: chunks(func(c sdk.Chunk, send func(sdk.Chunk) error) error {
			if err := send(c); err != nil || c.Kind != sdk.ChunkFinish {
				return err
			}
			return send(c)
		})},
		{check: "model/stream", defect: "no finish", change: chunks(func(c sdk.Chunk, send func(sdk.Chunk) error) error {
			if c.Kind == sdk.ChunkFinish {
				return nil
			}
			return send(c)
		})},
		{check: "model/stream", defect: "the finish repeats the text", change: chunks(func(c sdk.Chunk, send func(sdk.Chunk) error) error {
			c.Response.Text = "All is well."
			return send(c)
		})},
		{check: "model/at_once", defect: "another's answer", change: answer(func(r *sdk.GenerateResponse) { r.Text = "re: question 0" })},
		{check: "model/no_model", defect: "it is asked for nevertheless", change: func(b *broken) {
			b.generate = func(ctx context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				return sdk.GenerateResponse{Text: "All is well.", Finish: sdk.FinishStop}, nil
			}
		}},
		{check: "model/embed", defect: "a vector is missing", change: func(b *broken) {
			b.embed = func(e sdk.EmbedResponse) sdk.EmbedResponse {
				e.Vectors = e.Vectors[:len(e.Vectors)-1]
				return e
			}
		}},
		{check: "model/embed", defect: "vectors in another order", change: func(b *broken) {
			b.embed = func(e sdk.EmbedResponse) sdk.EmbedResponse {
				slices.Reverse(e.Vectors)
				return e
			}
		}},
		{check: "server/absent_model", defect: "an error", change: func(b *broken) {
			b.info = func(i sdk.ModelInfo, err error) (sdk.ModelInfo, error) {
				if !i.Present {
					return i, sdk.Errorf(reason.ModelNotFound, "there is none")
				}
				return i, err
			}
		}},
		{check: "server/absent_model", defect: "present", change: func(b *broken) {
			b.info = func(i sdk.ModelInfo, err error) (sdk.ModelInfo, error) {
				i.Present = true
				return i, err
			}
		}},
		{check: "server/absent_settings", defect: "a temperature of its own", change: func(b *broken) { b.body = func(m map[string]any) { m["temperature"] = 0.7 } }},
		{check: "server/settings", defect: "a temperature of 0 is lost", change: func(b *broken) { b.body = func(m map[string]any) { delete(m, "temperature") } }},
		{check: "server/settings", defect: "the limit is lost", change: func(b *broken) { b.body = func(m map[string]any) { delete(m, "max_tokens") } }},
		{check: "server/schema", defect: "keys in the order of the alphabet", change: func(b *broken) {
			b.body = func(m map[string]any) {
				format, ok := m["response_format"].(map[string]any)
				if !ok {
					return
				}
				spec := format["json_schema"].(map[string]any)
				var sorted any
				if json.Unmarshal(spec["schema"].(json.RawMessage), &sorted) == nil {
					spec["schema"] = sorted
				}
			}
		}},
		{check: "server/schema", defect: "it is left out", change: func(b *broken) { b.body = func(m map[string]any) { delete(m, "response_format") } }},
		{check: "server/key", defect: "none is sent", change: func(b *broken) {
			b.generate = func(ctx context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				b.settings.APIKey = ""
				return b.reference.Generate(ctx, g)
			}
		}},
		{check: "server/thinking", defect: "it stands before the text", change: answer(func(r *sdk.GenerateResponse) { r.Text, r.Thinking = r.Thinking+r.Text, "" })},
		{check: "server/usage", defect: "it is lost", change: answer(func(r *sdk.GenerateResponse) { r.Usage = sdk.Usage{} })},
		{check: "server/same_text", defect: "a stream without its quotes", change: chunks(func(c sdk.Chunk, send func(sdk.Chunk) error) error {
			c.Text = strings.ReplaceAll(c.Text, `"`, "")
			return send(c)
		})},
		{check: "server/large_prompt", defect: "it is cut", change: func(b *broken) {
			b.body = func(m map[string]any) {
				for _, message := range m["messages"].([]map[string]string) {
					message["content"] = message["content"][:min(len(message["content"]), 4096)]
				}
			}
		}},
		{check: "server/no_retry", defect: "it asks again", change: func(b *broken) {
			b.generate = func(ctx context.Context, g sdk.GenerateRequest) (sdk.GenerateResponse, error) {
				if r, err := b.reference.Generate(ctx, g); err == nil {
					return r, nil
				}
				return b.reference.Generate(ctx, g)
			}
		}},
		{check: "server/nobody_there", defect: "the kind is internal", change: func(b *broken) {
			b.answer = func(r sdk.GenerateResponse, err error) (sdk.GenerateResponse, error) {
				if err != nil {
					err = internal()
				}
				return r, err
			}
		}},
		{check: "server/deadline", defect: "it waits on", hangs: true, change: func(b *broken) { b.detached = true }},
		{check: "server/cancellation", defect: "it waits on", hangs: true, change: func(b *broken) { b.detached = true }},
		{check: "server/stopped_reader", defect: "it reads on", hangs: true, change: func(b *broken) {
			b.detached = true
			b.stream = func(send func(sdk.Chunk) error) func(sdk.Chunk) error {
				return func(c sdk.Chunk) error {
					_ = send(c)
					return nil
				}
			}
		}},
		{check: "server/pull", defect: "no progress", plugin: func(b *broken) sdk.Plugin {
			return sdk.Plugin{Lifecycle: b, Model: puller{b, nil}}
		}},
		{check: "server/pull", defect: "an error without a meaning", plugin: func(b *broken) sdk.Plugin {
			return sdk.Plugin{Lifecycle: b, Model: puller{b, errAny}}
		}},
	}
}

func plannerMutants() []mutant {
	plan := func(change func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error)) func(*broken) {
		return func(b *broken) { b.plan = change }
	}
	refusal := func(why string) sdk.PlanResponse { return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: why}} }
	return []mutant{
		{check: "planner/plans", defect: "everything is refused", change: plan(func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error) {
			return refusal(string(reason.ReasonWordsNotUnderstood)), nil
		})},
		{check: "planner/plans", defect: "a table that is not there", change: plan(func(_ sdk.PlanRequest, r sdk.PlanResponse) (sdk.PlanResponse, error) {
			if r.Plan != nil {
				r.Plan.From = "salaries"
			}
			return r, nil
		})},
		{check: "planner/plans", defect: "no reading", change: plan(func(_ sdk.PlanRequest, r sdk.PlanResponse) (sdk.PlanResponse, error) {
			r.Reading = ""
			return r, nil
		})},
		{check: "planner/refuses", defect: "a plan for anything", change: plan(func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error) { return anyPlan(), nil })},
		{check: "planner/refuses", defect: "a reason of its own", change: plan(func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error) { return refusal("no_idea"), nil })},
		{check: "planner/empty_catalog", defect: "a plan nevertheless", change: plan(func(sdk.PlanRequest, sdk.PlanResponse) (sdk.PlanResponse, error) { return anyPlan(), nil })},
		{check: "planner/deterministic", defect: "another reading each time", change: plan(func(_ sdk.PlanRequest, r sdk.PlanResponse) (sdk.PlanResponse, error) {
			r.Reading += time.Duration(count.Add(1)).String()
			return r, nil
		})},
		{check: "planner/at_once", defect: "calls see each other", change: func(b *broken) {
			asked := count.Load()
			b.plan = func(_ sdk.PlanRequest, r sdk.PlanResponse) (sdk.PlanResponse, error) {
				if count.Add(1) > asked+4 { // the four questions that are asked alone
					r.Reading += " of somebody else"
				}
				return r, nil
			}
		}},
		{check: "planner/large_catalog", defect: "too much", change: plan(func(p sdk.PlanRequest, r sdk.PlanResponse) (sdk.PlanResponse, error) {
			if len(p.Catalog.Tables) > 100 {
				return r, errAny
			}
			return r, nil
		})},
	}
}

func synthesizerMutants() []mutant {
	word := func(change func(sdk.SynthesizeRequest, *sdk.SynthesizeResponse) error) func(*broken) {
		return func(b *broken) {
			b.word = func(s sdk.SynthesizeRequest, r sdk.SynthesizeResponse) (sdk.SynthesizeResponse, error) {
				err := change(s, &r)
				return r, err
			}
		}
	}
	return []mutant{
		{check: "synthesizer/every_outcome", defect: "nothing to say of one", change: word(func(s sdk.SynthesizeRequest, r *sdk.SynthesizeResponse) error {
			if s.Outcome.Kind == "cancelled" {
				r.Response.Summary = " "
			}
			return nil
		})},
		{check: "synthesizer/every_outcome", defect: "no form", change: word(func(_ sdk.SynthesizeRequest, r *sdk.SynthesizeResponse) error {
			r.Response.FormatType = ""
			return nil
		})},
		{check: "synthesizer/unknown_language", defect: "an error", change: word(func(s sdk.SynthesizeRequest, _ *sdk.SynthesizeResponse) error {
			if s.Language == "tlh" {
				return errAny
			}
			return nil
		})},
		{check: "synthesizer/no_invented_number", defect: "a share that nobody counted", change: word(func(_ sdk.SynthesizeRequest, r *sdk.SynthesizeResponse) error {
			r.Response.Content = "That is 37 % of all."
			return nil
		})},
		{check: "synthesizer/deterministic", defect: "the time", change: word(func(_ sdk.SynthesizeRequest, r *sdk.SynthesizeResponse) error {
			r.Response.Content = time.Duration(count.Add(1)).String()
			return nil
		})},
		{check: "synthesizer/at_once", defect: "calls see each other", change: func(b *broken) {
			asked := count.Load()
			b.word = func(_ sdk.SynthesizeRequest, r sdk.SynthesizeResponse) (sdk.SynthesizeResponse, error) {
				if count.Add(1) > asked+16 { // the eight outcomes in two languages that are asked alone
					r.Response.Summary += "!"
				}
				return r, nil
			}
		}},
	}
}
