package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// filler sets every field that can be reached to a value of its own, so that a
// field that a conversion forgets is missed. What never leaves the host is left out.
type filler struct{ n int }

// hostOnly is the json tag of a field that does not leave the host.
const hostOnly = "-"

var (
	valueType = reflect.TypeFor[wire.Value]()
	kindType  = reflect.TypeFor[wire.Kind]()
	rawType   = reflect.TypeFor[json.RawMessage]()
	closed    = map[reflect.Type]string{
		reflect.TypeFor[sdk.OutputMode]():   string(sdk.OutputTool),
		reflect.TypeFor[sdk.Role]():         string(sdk.RoleAssistant),
		reflect.TypeFor[sdk.FinishReason](): string(sdk.FinishLength),
		reflect.TypeFor[wire.OutcomeKind](): string(wire.CannotAnswer),
		reflect.TypeFor[wire.FormatType]():  string(wire.FormatList),
	}
)

func filled[T any]() T {
	var v T
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	return v
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Type() {
	case valueType:
		v.Set(reflect.ValueOf(wire.Text(fmt.Sprint("cell ", f.n))))
		return
	case kindType:
		v.SetUint(uint64(wire.KindDecimal))
		return
	case rawType:
		v.SetBytes(fmt.Appendf(nil, `{"n": %d}`, f.n))
		return
	}
	if name, ok := closed[v.Type()]; ok {
		v.SetString(name)
		return
	}
	f.fillKind(v)
}

func (f *filler) fillKind(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != hostOnly {
				f.fill(v.Field(i))
			}
		}
	default:
		panic("no rule for " + v.Type().String())
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%+v\nwant\n%+v", what, got, want)
	}
}

// TestNothingIsLost passes each message with every field set, in both directions.
func TestNothingIsLost(t *testing.T) {
	f := &fake{
		description: filled[sdk.Description](), health: filled[sdk.HealthState](), info: filled[sdk.ModelInfo](),
		answer: filled[sdk.GenerateResponse](), vectors: filled[sdk.EmbedResponse](), progress: filled[[]sdk.PullProgress](),
		planned: filled[sdk.PlanResponse](), text: filled[sdk.SynthesizeResponse](),
	}
	f.planned.Refusal = nil
	c, _ := serve(t, f.plugin())
	ctx := bounded(t)

	d, err := c.Describe(ctx)
	f.description.Services = []sdk.ServiceName{sdk.ServiceModel, sdk.ServicePlanner, sdk.ServiceSynthesizer}
	same(t, "Describe", d, f.description)

	cfg := filled[sdk.Configuration]()
	err = errors.Join(err, c.Configure(ctx, cfg))
	same(t, "Configure", f.configuration, cfg)

	h, e := c.Health(ctx)
	err = errors.Join(err, e)
	same(t, "Health", h, f.health)

	info, e := c.Model().ModelInfo(ctx, "m")
	err = errors.Join(err, e)
	same(t, "ModelInfo", info, f.info)

	g := filled[sdk.GenerateRequest]()
	answer, e := c.Model().Generate(ctx, g)
	err = errors.Join(err, e)
	same(t, "GenerateRequest", f.generate, g)
	same(t, "GenerateResponse", answer, f.answer)

	em := filled[sdk.EmbedRequest]()
	vectors, e := c.Model().Embed(ctx, em)
	err = errors.Join(err, e)
	same(t, "EmbedRequest", f.embed, em)
	same(t, "EmbedResponse", vectors, f.vectors)

	var progress []sdk.PullProgress
	err = errors.Join(err, c.Model().(sdk.Puller).PullModel(ctx, "m", func(p sdk.PullProgress) error {
		progress = append(progress, p)
		return nil
	}))
	same(t, "PullModel", progress, f.progress)

	p := filled[sdk.PlanRequest]()
	planned, e := c.Planner().Plan(ctx, p)
	err = errors.Join(err, e)
	same(t, "PlanRequest", f.plan, p)
	same(t, "PlanResponse", planned, f.planned)

	f.planned.Plan, f.planned.Refusal = nil, filled[sdk.PlanResponse]().Refusal
	planned, e = c.Planner().Plan(ctx, p)
	err = errors.Join(err, e)
	same(t, "a refusal", planned, f.planned)

	s := filled[sdk.SynthesizeRequest]()
	text, e := c.Synthesizer().Synthesize(ctx, s)
	err = errors.Join(err, e)
	same(t, "SynthesizeRequest", f.synthesize, s)
	same(t, "SynthesizeResponse", text, f.text)

	if err := errors.Join(err, c.Stop(ctx)); err != nil {
		t.Error(err)
	}
}

// TestWhatIsTheHostsStaysThere passes what must not leave the host.
func TestWhatIsTheHostsStaysThere(t *testing.T) {
	f := &fake{}
	c, _ := serve(t, f.plugin())
	tagged := []wire.Preview{{Columns: []wire.Column{{Name: "phone", Tag: "personal"}}}}
	_, err := c.Synthesizer().Synthesize(bounded(t), sdk.SynthesizeRequest{Outcome: wire.Outcome{Results: tagged}})
	if err != nil {
		t.Fatal(err)
	}
	got := f.synthesize.Outcome.Results
	if len(got) != 1 || len(got[0].Columns) != 1 || got[0].Columns[0].Name != "phone" || got[0].Columns[0].Tag != "" {
		t.Errorf("the plugin got %+v", got)
	}
}

// TestAbsentIsNotZero passes what is absent and what is zero.
func TestAbsentIsNotZero(t *testing.T) {
	f := &fake{}
	c, _ := serve(t, f.plugin())
	zero, no, seed := 0.0, false, int64(0)
	for _, want := range []sdk.GenerateRequest{{}, {Temperature: &zero, Thinking: &no, Seed: &seed}} {
		f.answer = sdk.GenerateResponse{}
		got, err := c.Model().Generate(bounded(t), want)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "temperature", f.generate.Temperature, want.Temperature)
		same(t, "thinking", f.generate.Thinking, want.Thinking)
		same(t, "seed", f.generate.Seed, want.Seed)
		same(t, "an empty answer", got, f.answer)
	}
	f.answer.Usage.Output = sdk.Known(0)
	if got, err := c.Model().Generate(bounded(t), sdk.GenerateRequest{}); err != nil || got.Usage != f.answer.Usage {
		t.Errorf("usage %+v, %v", got.Usage, err)
	}
	f.planned = sdk.PlanResponse{Plan: &wire.Plan{}}
	if got, err := c.Planner().Plan(bounded(t), sdk.PlanRequest{}); err != nil || got.Plan == nil || got.Refusal != nil {
		t.Errorf("an empty plan became %+v, %v", got, err)
	}
	f.text = sdk.SynthesizeResponse{}
	if got, err := c.Synthesizer().Synthesize(bounded(t), sdk.SynthesizeRequest{}); err != nil || got.Response.Warnings == nil {
		t.Errorf("no warnings must be an empty list in JSON: %+v, %v", got, err)
	}
	same(t, "an outcome without a failure", f.synthesize.Outcome, wire.Outcome{})
}

func TestTextIsRepaired(t *testing.T) {
	f := &fake{answer: sdk.GenerateResponse{Text: "a\xffb"}}
	c, _ := serve(t, f.plugin())
	got, err := c.Model().Generate(bounded(t), sdk.GenerateRequest{Model: "m\xff", Options: map[string]string{"\xff": "\xff"}})
	if err != nil || got.Text != "a\uFFFDb" || f.generate.Model != "m\uFFFD" {
		t.Errorf("%q, %q, %v", got.Text, f.generate.Model, err)
	}
}

func TestDeadlineCrosses(t *testing.T) {
	f := &fake{}
	c, _ := serve(t, f.plugin())
	want := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), want)
	defer cancel()
	if _, err := c.Model().Generate(ctx, sdk.GenerateRequest{}); err != nil {
		t.Fatal(err)
	}
	if off := f.deadline.Sub(want).Abs(); off > time.Minute {
		t.Errorf("the deadline is off by %v", off)
	}
}

func TestStream(t *testing.T) {
	chunks := []sdk.Chunk{
		{Kind: sdk.ChunkThinking, Text: "hm"}, {Kind: sdk.ChunkText, Text: "a"}, {Kind: sdk.ChunkTool, Text: "{"},
		{Kind: sdk.ChunkUsage, Usage: filled[sdk.Usage]()}, {Kind: sdk.ChunkFinish, Response: filled[sdk.GenerateResponse]()},
	}
	f := &fake{chunks: chunks}
	c, _ := serve(t, f.plugin())
	request := filled[sdk.GenerateRequest]()
	var got []sdk.Chunk
	err := c.Model().GenerateStream(bounded(t), request, func(chunk sdk.Chunk) error {
		got = append(got, chunk)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "chunks", got, chunks)
	same(t, "request", f.generate, request)

	stop := errors.New("enough")
	n := 0
	err = c.Model().GenerateStream(bounded(t), request, func(sdk.Chunk) error {
		n++
		return stop
	})
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("after %d chunks: %v", n, err)
	}
	err = c.Model().(sdk.Puller).PullModel(bounded(t), "m", func(sdk.PullProgress) error { return stop })
	if err != nil { // no progress was sent
		t.Error(err)
	}
	f.progress = []sdk.PullProgress{{}}
	err = c.Model().(sdk.Puller).PullModel(bounded(t), "m", func(sdk.PullProgress) error { return stop })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}
