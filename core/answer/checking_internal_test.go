package answer

import (
	"errors"
	"sync"
	"testing"

	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/wire"
)

func TestACheckIsPreparedWithThePrompt(t *testing.T) {
	var done sync.WaitGroup
	prepared := 0
	c := checking{prepare: func() { prepared++ }}
	if c.ahead(nil, &done) != nil {
		t.Error("a text without a prompt has one")
	}
	prompt := c.ahead(func() (provider.Prompt, error) { return provider.Prompt{SchemaName: "s"}, nil }, &done)
	if done.Wait(); prepared != 0 {
		t.Error("prepared before a model is asked")
	}
	for range 2 { // the models of a chain
		if p, err := prompt(); p.SchemaName != "s" || err != nil {
			t.Error(p, err)
		}
	}
	if done.Wait(); prepared != 1 {
		t.Errorf("prepared %d times", prepared)
	}
}

func TestAPanicOfThePreparationIsTheChecks(t *testing.T) {
	make := sync.OnceFunc(func() { panic("no evidence") })
	c := checking{prepare: make, check: func(wire.AggregatedResponse) error { make(); return nil }}
	var done sync.WaitGroup
	if _, err := c.ahead(func() (provider.Prompt, error) { return provider.Prompt{}, nil }, &done)(); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	defer func() {
		if recover() != "no evidence" {
			t.Error("the check did not panic")
		}
	}()
	_ = c.check(wire.AggregatedResponse{})
}

func TestATextThatHeldIsNotCheckedAgain(t *testing.T) {
	checked, wrong := 0, errors.New("wrong")
	check := checking{check: func(r wire.AggregatedResponse) error {
		if checked++; r.Content == "wrong" {
			return wrong
		}
		return nil
	}}.once()
	text := wire.AggregatedResponse{Summary: "a", Content: "b", Warnings: []string{"c"}}
	for _, c := range []struct {
		change func(r *wire.AggregatedResponse)
		times  int
		want   error
	}{
		{func(*wire.AggregatedResponse) {}, 1, nil},
		{func(*wire.AggregatedResponse) {}, 1, nil},
		{func(r *wire.AggregatedResponse) { r.Summary = "A" }, 2, nil},
		{func(r *wire.AggregatedResponse) { r.Content = "B" }, 3, nil},
		{func(r *wire.AggregatedResponse) { r.Warnings = []string{"C"} }, 4, nil},
		{func(r *wire.AggregatedResponse) { r.Content = "wrong" }, 5, wrong},
		{func(r *wire.AggregatedResponse) { r.Content = "wrong" }, 6, wrong},
	} {
		r := text
		c.change(&r)
		if err := check(r); err != c.want || checked != c.times {
			t.Errorf("%+v: %v after %d checks, want %v after %d", r, err, checked, c.want, c.times)
		}
	}
}
