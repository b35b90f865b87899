package decomposer_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/nodes/globalplanner"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var both = []schema.DatasourceID{"shop", "crm"}

const (
	twoParts = `{"subqueries":[{"id":"a","intent":"sales","datasource":"shop","expected_schema":["no","total"]},{"id":"b","intent":"clients","datasource":"crm","expected_schema":["no","region"]}],`
	joined   = twoParts + `"combine":[{"id":"j","op":"join","inputs":["a","b"],"on":["b.no = a.no"]}],`
	noMore   = `"unmapped":[]}`
)

func TestDecode(t *testing.T) {
	got, err := decomposer.Decode([]byte(joined+`"post":[
		{"op":"filter","input":"","items":["total >= 1.50","region <> 'it''s'","`+"`odd name`"+` is not null","active = TRUE"],"n":0},
		{"op":"aggregate","input":"","items":["region as land","SUM( total ) as sum of all","count(*)"],"n":0},
		{"op":"project","input":"","items":["land","sum of all as `+"`a total`"+`"],"n":0},
		{"op":"sort","input":"","items":["land DESC","count"],"n":0},
		{"op":"limit","input":"","items":[],"n":3}],
		"unmapped":[{"text":" the weather ","reason":"no_datasource"}]}`), both)
	if err != nil {
		t.Fatal(err)
	}
	want := decomposer.Decomposition{
		SubQueries: []decomposer.SubQuery{
			{ID: "a", Intent: "sales", Datasource: "shop", ExpectedSchema: []string{"no", "total"}},
			{ID: "b", Intent: "clients", Datasource: "crm", ExpectedSchema: []string{"no", "region"}},
		},
		Combine: []engineaggregator.Step{{ID: "j", Op: engineaggregator.Join, Inputs: []string{"a", "b"}, On: []engineaggregator.Pair{{Left: "no", Right: "no"}}}},
		Post: []engineaggregator.Step{
			{ID: "post 1", Op: engineaggregator.Filter, Inputs: []string{"j"}, Where: []engineaggregator.Condition{
				{Column: "total", Compare: ">=", Literal: "1.50"}, {Column: "region", Compare: "<>", Literal: "it's", Quoted: true},
				{Column: "odd name", Compare: engineaggregator.IsNotNull}, {Column: "active", Compare: "=", Literal: "true"},
			}},
			{ID: "post 2", Op: engineaggregator.Summarize, Inputs: []string{"post 1"}, Group: []engineaggregator.Item{{Column: "region", Label: "land"}},
				Measure: []engineaggregator.Measure{{Func: "sum", Column: "total", Label: "sum of all"}, {Func: "count", Column: "*"}}},
			{ID: "post 3", Op: engineaggregator.Project, Inputs: []string{"post 2"}, Columns: []engineaggregator.Item{{Column: "land"}, {Column: "sum of all", Label: "a total"}}},
			{ID: "post 4", Op: engineaggregator.Sort, Inputs: []string{"post 3"}, Order: []engineaggregator.Order{{Column: "land", Desc: true}, {Column: "count"}}},
			{ID: "post 5", Op: engineaggregator.Limit, Inputs: []string{"post 4"}, N: 3},
		},
		Unmapped: []wire.Unmapped{{Part: "the weather", Reason: reason.ReasonNoDatasource}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestPairsAreTurnedToTheirInputs(t *testing.T) {
	for on, want := range map[string]engineaggregator.Pair{
		"no":            {Left: "no", Right: "no"},
		"x = y":         {Left: "x", Right: "y"},
		"a.x = b.y":     {Left: "x", Right: "y"},
		"b.y = a.x":     {Left: "x", Right: "y"},
		"b.y = x":       {Left: "x", Right: "y"},
		"y = a.x":       {Left: "x", Right: "y"},
		"`a b` = `c d`": {Left: "a b", Right: "c d"},
	} {
		got, err := decomposer.Decode([]byte(twoParts+fmt.Sprintf(`"combine":[{"id":"j","op":"join","inputs":["a","b"],"on":[%q]}],"post":[],`, on)+noMore), both)
		if err != nil || got.Combine[0].On[0] != want {
			t.Errorf("%s: %+v, %v", on, got.Combine, err)
		}
	}
}

func TestWhatIsNoDecomposition(t *testing.T) {
	combine := func(entries string) string { return twoParts + `"combine":[` + entries + `],"post":[],` + noMore }
	post := func(entries string) string { return joined + `"post":[` + entries + `],` + noMore }
	part := `{"id":"%s","intent":"x","datasource":"shop","expected_schema":[]},`
	for name, c := range map[string]struct{ text, want string }{
		"no object":              {`[]`, "no such object"},
		"an unknown key":         {`{"subquery":[]}`, "no such object"},
		"something behind":       {joined + `"post":[],` + noMore + `{}`, "something follows"},
		"nothing":                {`{"subqueries":[],"combine":[],"post":[],"unmapped":[]}`, "neither sub-queries nor unmapped"},
		"too many":               {`{"subqueries":[` + strings.TrimSuffix(strings.Repeat(part, 9), ",") + `]}`, "there are 9 sub-queries"},
		"another datasource":     {`{"subqueries":[{"id":"a","intent":"x","datasource":"hr","expected_schema":[]}]}`, `asks "hr"`},
		"no intent":              {`{"subqueries":[{"id":"a","intent":" ","datasource":"shop","expected_schema":[]}]}`, "the intent of a is empty"},
		"an endless intent":      {`{"subqueries":[{"id":"a","intent":"` + strings.Repeat("x", 501) + `","datasource":"shop","expected_schema":[]}]}`, "501 characters"},
		"an id of several words": {`{"subqueries":[{"id":"a b","intent":"x","datasource":"shop","expected_schema":[]}]}`, `"a b" is no id`},
		"an id twice":            {`{"subqueries":[` + fmt.Sprintf(part, "a") + strings.TrimSuffix(fmt.Sprintf(part, "a"), ",") + `]}`, "declared twice"},
		"a column twice":         {`{"subqueries":[{"id":"a","intent":"x","datasource":"shop","expected_schema":["n","n"]}]}`, `the column "n" twice`},
		"an unknown operation":   {combine(`{"id":"j","op":"merge","inputs":["a","b"],"on":[]}`), `"merge" does not combine`},
		"an unknown input":       {combine(`{"id":"j","op":"union","inputs":["a","z"],"on":[]}`), `the input "z" is no result`},
		"an input twice":         {combine(`{"id":"j","op":"union","inputs":["a","a"],"on":[]}`), `takes "a" twice`},
		"itself":                 {combine(`{"id":"j","op":"union","inputs":["a","j"],"on":[]}`), `the input "j" is no result`},
		"a circle":               {combine(`{"id":"j","op":"union","inputs":["a","k"],"on":[]},{"id":"k","op":"union","inputs":["b","j"],"on":[]}`), `the input "k" is no result`},
		"what stands alone":      {combine(`{"id":"s","op":"standalone","inputs":["a"],"on":[]},{"id":"k","op":"union","inputs":["b","s"],"on":[]}`), `the input "s" is no result`},
		"one to union":           {combine(`{"id":"j","op":"union","inputs":["a"],"on":[]}`), "union does not take 1 results"},
		"join without columns":   {combine(`{"id":"j","op":"join","inputs":["a","b"],"on":[]}`), "names no columns"},
		"union by columns":       {combine(`{"id":"j","op":"union","inputs":["a","b"],"on":["no"]}`), "has no use for columns"},
		"a pair of three":        {combine(`{"id":"j","op":"join","inputs":["a","b"],"on":["x = y = z"]}`), "is no pair"},
		"a pair of one":          {combine(`{"id":"j","op":"join","inputs":["a","b"],"on":["a.x = a.y"]}`), "about one input alone"},
		"a pair of others":       {combine(`{"id":"j","op":"join","inputs":["a","b"],"on":["c.x = b.y"]}`), `"c" in`},
		"after what":             {twoParts + `"combine":[],"post":[{"op":"limit","input":"","items":[],"n":1}],` + noMore, "no result to work on"},
		"after an unknown":       {post(`{"op":"limit","input":"q","items":[],"n":1}`), `the input "q" is no result`},
		"no limit":               {post(`{"op":"limit","input":"j","items":[],"n":0}`), "from 1 to"},
		"an endless limit":       {post(`{"op":"limit","input":"j","items":[],"n":2000000}`), "from 1 to"},
		"a sort of nothing":      {post(`{"op":"sort","input":"j","items":[],"n":0}`), "sort has no items"},
		"a sort of n":            {post(`{"op":"sort","input":"j","items":["a"],"n":2}`), "no use for n"},
		"a function":             {post(`{"op":"project","input":"j","items":["upper(a)"],"n":0}`), "is no column"},
		"an aggregate":           {post(`{"op":"aggregate","input":"j","items":["median(a)"],"n":0}`), "neither a column nor an aggregate"},
		"a condition of two":     {post(`{"op":"filter","input":"j","items":["a = 1 or b = 2"],"n":0}`), "is not understood"},
		"a column against one":   {post(`{"op":"filter","input":"j","items":["a > b"],"n":0}`), "is not understood"},
		"a comma to sort by":     {post(`{"op":"sort","input":"j","items":["a, b"],"n":0}`), "no column to sort by"},
		"combine after":          {post(`{"op":"union","input":"j","items":["a"],"n":0}`), "no operation on one result"},
		"an unknown reason":      {joined + `"post":[],"unmapped":[{"text":"x","reason":"restricted_datasource"}]}`, "no reason"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decomposer.Decode([]byte(c.text), both); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// What is decoded can always be planned.
func FuzzDecode(f *testing.F) {
	f.Add(joined + `"post":[{"op":"aggregate","input":"","items":["region","sum(total) as t"],"n":0},{"op":"limit","input":"j","items":[],"n":2}],` + noMore)
	f.Add(twoParts + `"combine":[{"id":"s","op":"standalone","inputs":["a"],"on":[]},{"id":"c","op":"compare","inputs":["a","b"],"on":["no"]}],"post":[{"op":"filter","input":"c","items":["x is null"],"n":0}],` + noMore)
	f.Add(`{"subqueries":[],"combine":[],"post":[],"unmapped":[{"text":"x","reason":"unsupported_datasource"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := decomposer.Decode([]byte(text), both)
		if err != nil || len(d.SubQueries) == 0 {
			return
		}
		first, err := globalplanner.Node{}.Run(context.Background(), globalplanner.Input{Decomposition: d})
		if err != nil || len(first.Terminal) == 0 || len(first.Steps) != len(d.Combine)+len(d.Post) {
			t.Fatalf("%s\n%+v\n%+v, %v", text, d, first, err)
		}
		again, err := globalplanner.Node{}.Run(context.Background(), globalplanner.Input{Decomposition: d})
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("planned twice, %+v became %+v (%v)", first, again, err)
		}
	})
}
