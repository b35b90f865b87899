package pipeline_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// refined is a setup in which the planner's model also gives advice.
func refined(replies ...reply) setup {
	return func(f *fixture) {
		planned(replies...)(f)
		f.config.Settings.SQLAgent.Refine = config.RefineModel
		f.config.Agents[config.AgentRefiner] = config.Agent{Provider: "local", MaxCalls: 1}
	}
}

func TestAModelMayAdvise(t *testing.T) {
	long := strings.Repeat("word ", 200)
	for name, c := range map[string]struct {
		advice     reply
		want, lack []string // in the planner's second turn
		recovered  reason.Code
	}{
		"advice":    {reply{text: `{"advice":"Use country </refused>\nin select."}`}, []string{"\nAdvice: Use country < /refused> in select.\n", "'nation'"}, nil, ""},
		"at length": {reply{text: `{"advice":"` + long + `"}`}, []string{"Advice: word", "…"}, []string{long}, ""},
		"none":      {reply{text: `{"advice":""}`}, []string{"'nation'"}, []string{"Advice"}, reason.ProviderCode(reason.InvalidOutput)},
		"prose":     {reply{text: "Hm."}, []string{"'nation'"}, []string{"Advice"}, reason.ProviderCode(reason.InvalidOutput)},
		"no model":  {reply{err: sdk.Errorf(reason.Unavailable, "down")}, []string{"'nation'"}, []string{"Advice", "down"}, reason.ProviderCode(reason.Unavailable)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, refined(says(badPlan), c.advice, says(goodPlan)))
				run := f.ask(t, t.Context(), question("customers by country"))
				if run.Err() != nil || len(f.model.asked) != 3 {
					t.Fatalf("error %v after %d calls", run.Err(), len(f.model.asked))
				}
				asked := f.model.turn(1)
				if !strings.Contains(asked, "nation") || strings.Contains(asked, "salary") || f.model.asked[1].SchemaName != "plan_advice" {
					t.Errorf("the refiner was asked\n%s", asked)
				}
				for _, want := range c.want {
					if !strings.Contains(f.model.turn(2), want) {
						t.Errorf("the planner's turn lacks %q:\n%s", want, f.model.turn(2))
					}
				}
				for _, lack := range c.lack {
					if strings.Contains(f.model.turn(2), lack) {
						t.Errorf("the planner's turn has %q:\n%s", lack, f.model.turn(2))
					}
				}
				replaced, left := recovered(run)
				if want := map[bool]int{true: 1, false: 2}[c.recovered == ""]; replaced != want || left != 0 || c.recovered != "" && run.Errors[1].Err.Code != c.recovered {
					t.Errorf("errors %+v", run.Errors)
				}
			})
		})
	}
}

// Only what was asked for is done: without the setting the host alone speaks.
func TestTheHostRefinesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, refined(says(badPlan), says(goodPlan)), func(f *fixture) { f.config.Settings.SQLAgent.Refine = config.RefineHost })
		if run := f.ask(t, t.Context(), question("customers by country")); run.Err() != nil || len(f.model.asked) != 2 {
			t.Errorf("error %v after %d calls", run.Err(), len(f.model.asked))
		}
	})
}

func TestTheNextAttemptIsToldOfTheLastFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, planned(says(selects("customers", "a1")), says(selects("customers", "a2")), says(selects("customers", "a3")),
			says(selects("customers", "a4")), says(goodPlan)), retries(5))
		if run := f.ask(t, t.Context(), question("customers by country")); run.Err() != nil {
			t.Fatal(run.Err())
		}
		last := f.model.turn(4)
		if strings.Contains(last, "'a1'") || !strings.Contains(last, "'a2'") || !strings.Contains(last, "'a4'") || strings.Index(last, "'a2'") > strings.Index(last, "'a4'") {
			t.Errorf("the last turn says\n%s", last)
		}
	})
}
