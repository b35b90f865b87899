package engineaggregator_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/sdk/reason"
)

// What a join makes of one row stands in several, and must not be added up unseen.
func TestAggregatesThatCountRowsTwiceAreNoted(t *testing.T) {
	const (
		spent   = "customer:int | spent:dec\n1 | 10.00\n2 | 5.00"
		clients = "no:int | region:text | budget:dec\n1 | North | 7.00\n2 | North | 8.00"
		moved   = "no:int | region:text | budget:dec\n1 | North | 7.00\n1 | South | 7.00\n2 | North | 8.00"
		monthly = "customer:int | spent:dec\n1 | 10.00\n1 | 20.00\n2 | 5.00"
		regions = "region:text | boss:text\nNorth | Ada\nNorth | Bo\nSouth | Cy"
	)
	join := step{Op: engineaggregator.Join, Inputs: []string{"q1", "q2"}, On: []pair{{"customer", "no"}}}
	summarize := func(calls ...string) step {
		s := step{Op: engineaggregator.Summarize}
		for _, call := range calls {
			f, column, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
			s.Measure = append(s.Measure, engineaggregator.Measure{Func: f, Column: column})
		}
		return s
	}
	all := summarize("sum(spent)", "avg(budget)", "count(*)", "max(spent)", "min(budget)")
	everything := engineaggregator.Item{Column: "budget", Label: "money"}
	for name, c := range map[string]struct {
		parts []string
		steps []step
		noted []string
	}{
		"one to one":                          {[]string{spent, clients}, []step{join, all}, nil},
		"many to one":                         {[]string{monthly, clients}, []step{join, all}, []string{"avg(budget)"}},
		"one to many":                         {[]string{spent, moved}, []step{join, all}, []string{"sum(spent)"}},
		"one to many, where it does not show": {[]string{spent, strings.ReplaceAll(moved, "\n1", "\n3")}, []step{join, all}, nil},
		"left join":                           {[]string{spent, moved}, []step{{Op: engineaggregator.LeftJoin, On: join.On}, all}, []string{"sum(spent)"}},
		"many to many":                        {[]string{monthly, moved}, []step{join, all}, []string{"sum(spent)", "avg(budget)", "count(*)"}},
		"behind other steps": {[]string{monthly, clients}, []step{
			join, {Op: engineaggregator.Sort, Order: []engineaggregator.Order{{Column: "spent"}}},
			{Op: engineaggregator.Project, Columns: []engineaggregator.Item{everything, {Column: "spent"}}},
			{Op: engineaggregator.Limit, N: 3}, summarize("sum(money)", "sum(spent)"),
		}, []string{"sum(money)"}},
		"in one of a union": {[]string{monthly, clients}, []step{
			join, {Op: engineaggregator.Project, Columns: []engineaggregator.Item{{Column: "budget"}}},
			{Op: engineaggregator.Project, Inputs: []string{"q2"}, Columns: []engineaggregator.Item{{Column: "budget"}}},
			{Op: engineaggregator.Union, Inputs: []string{"s3", "s2"}}, summarize("sum(budget)"),
		}, []string{"sum(budget)"}},
		"aggregated before": {[]string{monthly, clients}, []step{
			{Op: engineaggregator.Summarize, Inputs: []string{"q1"}, Group: []engineaggregator.Item{{Column: "customer"}}, Measure: []engineaggregator.Measure{{Func: "sum", Column: "spent", Label: "spent"}}},
			{Op: engineaggregator.Join, Inputs: []string{"s1", "q2"}, On: join.On}, all,
		}, nil},
		"a chain of joins": {[]string{"region:text | spent:dec\nNorth | 1.00\nSouth | 2.00", "region:text | budget:dec\nNorth | 7.00\nSouth | 8.00", regions},
			[]step{{Op: engineaggregator.Join, On: []pair{{"region", "region"}}}, all}, []string{"sum(spent)", "avg(budget)"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, refuse := range []bool{false, true} {
				in := engineaggregator.Input{Language: "ko-KR", Steps: slices.Clone(c.steps)}
				for i, p := range c.parts {
					in.Parts = append(in.Parts, part(t, fmt.Sprintf("q%d", i+1), p, datasource.CutNone))
				}
				for i := range in.Steps {
					s := &in.Steps[i]
					s.ID = fmt.Sprintf("s%d", i+1)
					if s.Inputs == nil && i > 0 {
						s.Inputs = []string{fmt.Sprintf("s%d", i)}
					}
					if s.Inputs == nil {
						for _, p := range in.Parts {
							s.Inputs = append(s.Inputs, p.ID)
						}
					}
				}
				in.Terminal = []string{fmt.Sprintf("s%d", len(in.Steps))}
				out, err := (&engineaggregator.Node{RefuseFanOut: refuse}).Run(t.Context(), in)
				if refuse && len(c.noted) > 0 {
					if !errors.Is(err, &reason.Error{Code: reason.AggregatorFailed}) || !strings.Contains(reason.From(err).SafeMessage, c.noted[0]) {
						t.Errorf("error %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { out.Terminal[0].Result.Close() })
				var noted []string
				for _, n := range out.Notes {
					noted = append(noted, n.Detail["aggregate"])
					if n.Code != reason.JoinFanOut || !strings.HasPrefix(n.Message, n.Detail["aggregate"]+": 고유하지") {
						t.Errorf("note %+v", n)
					}
				}
				if !slices.Equal(noted, c.noted) {
					t.Errorf("noted %q, want %q", noted, c.noted)
				}
			}
		})
	}
}
