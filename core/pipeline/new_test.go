package pipeline_test

import (
	"errors"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk/reason"
)

func TestADeniedPlanKeepsItsID(t *testing.T) {
	f := newFixture(t, func(f *fixture) { f.service.plan = proposes(selects("staff", "salary")) })
	run := f.ask(t, t.Context(), question("customers"))
	if fail := run.Answer.Failure; fail.Code != reason.PolicyDenied || fail.PlanID == "" || strings.Contains(fail.Message, "staff") || len(run.Queries()) != 1 {
		t.Errorf("failure %+v, queries %+v", fail, run.Queries())
	}
	if q := run.Queries()[0]; q.SQL != "" || q.SecuredID != "" {
		t.Errorf("a denied plan went further: %+v", q)
	}
}

func TestFilesOfTheConfiguration(t *testing.T) {
	for name, c := range map[string]struct {
		read func(path string) ([]byte, error)
		want string
	}{
		"a file that cannot be read":      {func(string) ([]byte, error) { return nil, errors.New("gone") }, "verified query by_country: gone"},
		"a plan that is no plan":          {func(string) ([]byte, error) { return []byte(`{"form": "customers"}`), nil }, "verified query by_country: by_country.json: "},
		"a plan that lacks the parameter": {func(string) ([]byte, error) { return []byte(`{"from": "customers", "select": ["name"]}`), nil }, "verified query shop/by_country: the plan does not use the parameter {land}"},
		"a prompt that cannot be read": {func(path string) ([]byte, error) {
			if strings.HasSuffix(path, "rules.txt") {
				return nil, errors.New("gone")
			}
			return []byte(`{"from": "customers", "select": ["name"], "where": "country <> {land}"}`), nil
		}, "prompts.ast_planner: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(f *fixture) {
				f.files["rules.txt"] = "Be brief."
				f.config.Prompts = map[string]string{"ast_planner": "rules.txt"}
			})
			cfg, _, err := config.Build(f.config, f.dir)
			if err != nil {
				t.Fatal(err)
			}
			f.deps.ReadFile = c.read
			if _, err := pipeline.New(cfg, f.deps); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
