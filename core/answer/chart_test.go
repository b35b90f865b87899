package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// charted is a result of n rows: name:kind, a column each, whose cells count up
// within the kind's number of different values.
func charted(n int64, columns ...string) wire.Preview {
	p := wire.Preview{RowCount: n}
	for _, c := range columns {
		name, kind, _ := strings.Cut(c, ":")
		kind, _, _ = strings.Cut(kind, "%")
		known, err := wire.ParseKind(kind)
		if err != nil {
			panic(err)
		}
		p.Columns = append(p.Columns, wire.Column{Name: name, Type: wire.Type{Kind: known}})
	}
	for i := range min(n, 20) {
		row := make([]wire.Value, len(columns))
		for j, c := range columns {
			different, each := int64(1000), int64(1)
			if _, rule, ok := strings.Cut(c, "%"); ok {
				if _, err := fmt.Sscanf(rule, "%d/%d", &different, &each); err != nil {
					panic(err)
				}
			}
			row[j] = cell(p.Columns[j], i/each%different)
		}
		p.Rows = append(p.Rows, row)
	}
	p.Partial = int64(len(p.Rows)) < n
	return p
}

func cell(c wire.Column, i int64) wire.Value {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(i))
	switch {
	case c.Type.Kind == wire.KindDate:
		return wire.Date(day)
	case c.Name == "year":
		return wire.Int(2000 + i)
	case c.Name == "month" && c.Type.Kind == wire.KindText:
		return wire.Text(time.Date(2026, time.Month(1+i), 1, 0, 0, 0, 0, time.UTC).Format("2006-01"))
	case c.Type.Kind == wire.KindInt:
		return wire.Int(i + 1)
	case c.Type.Kind == wire.KindFloat:
		return wire.Float(float64(i) / 2)
	case c.Type.Kind == wire.KindNull:
		return wire.Null()
	}
	return wire.Text(fmt.Sprintf("%s %d", c.Name, i))
}

func chartOf(t *testing.T, list ...wire.Preview) *wire.Chart {
	t.Helper()
	o := wire.Outcome{Kind: wire.Answered, Question: "q", Language: "en", Results: list}
	return answer.SynthesizeSuccess(context.Background(), nil, o, answer.Options{Charts: true}).Answer.Chart
}

func TestCharts(t *testing.T) {
	for _, c := range []struct {
		name   string
		result wire.Preview
		want   string // kind x:type y… /series sort
	}{
		{"category and measure", charted(5, "country:text", "customers:int"), "bar country:nominal customers:quantitative by result"},
		{"measure before category", charted(5, "customers:int", "country:text"), "bar country:nominal customers:quantitative by result"},
		{"keys are no measures", charted(5, "customer_id:int", "country:text", "customers:int"), "bar country:nominal customers:quantitative by result"},
		{"three measures", charted(5, "country:text", "a:int", "b:float", "c:int"), "bar country:nominal a:quantitative b:quantitative c:quantitative by result"},
		{"part of the calendar", charted(12, "month:int", "revenue:float"), "bar month:ordinal revenue:quantitative by result"},
		{"dates", charted(400, "day:date", "revenue:float"), "line day:temporal revenue:quantitative by x"},
		{"months", charted(12, "month:text", "revenue:float"), "line month:ordinal revenue:quantitative by x"},
		{"years", charted(12, "year:int", "revenue:float"), "line year:ordinal revenue:quantitative by x"},
		{"time, category and measure", charted(12, "month:text%6/1", "plan:text%2/6", "revenue:float"), "line month:ordinal revenue:quantitative of plan:nominal by x"},
		{"two categories", charted(12, "plan:text%2/1", "city:text%6/2", "riders:int"), "grouped_bar city:nominal riders:quantitative of plan:nominal by result"},
		{"two measures", charted(200, "age:int", "income:float"), "scatter age:quantitative income:quantitative by result"},
		{"many names with two measures", charted(200, "name:text", "age:int", "income:float"), "scatter age:quantitative income:quantitative by result"},

		{"scalar", charted(1, "n:int"), ""},
		{"one row", charted(1, "country:text", "customers:int"), ""},
		{"no row", charted(0, "country:text", "customers:int"), ""},
		{"too many categories", charted(31, "country:text", "customers:int"), ""},
		{"too many measures", charted(5, "country:text", "a:int", "b:int", "c:int", "d:int"), ""},
		{"too many series", charted(20, "month:text%2/1", "plan:text%10/2", "revenue:float"), ""},
		{"too many points", charted(2001, "day:date", "revenue:float"), ""},
		{"too few points", charted(2, "age:int", "income:float"), ""},
		{"text alone", charted(5, "name:text", "city:text"), ""},
		{"keys alone", charted(5, "name:text", "order_id:int"), ""},
		{"one measure", charted(5, "age:int"), ""},
		{"the same name twice", charted(5, "n:int", "n:int", "city:text"), ""},
		{"categories that repeat", charted(6, "city:text%2/1", "riders:int"), ""},
		{"moments that repeat", charted(6, "day:date%2/1", "riders:int"), ""},
		{"a measure without a value", charted(6, "city:text", "riders:null"), ""},
		{"three categories", charted(6, "a:text", "b:text", "c:text", "n:int"), ""},
		{"two times", charted(6, "day:date", "year:int", "n:int"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spelled(chartOf(t, c.result)); got != c.want {
				t.Errorf("chart %q, want %q", got, c.want)
			}
		})
	}
}

func spelled(c *wire.Chart) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s:%s", c.Kind, c.X.Column, c.X.Type)
	for _, y := range c.Y {
		text += fmt.Sprintf(" %s:%s", y.Column, y.Type)
	}
	if c.Series != nil {
		text += fmt.Sprintf(" of %s:%s", c.Series.Column, c.Series.Type)
	}
	return text + " by " + string(c.Sort)
}

func TestNoChart(t *testing.T) {
	cut := charted(5, "country:text", "customers:int")
	cut.Truncated, cut.RowCap = true, 5
	if c := chartOf(t, cut); c != nil {
		t.Errorf("a cut result has the chart %+v", c)
	}
	whole := charted(5, "country:text", "customers:int")
	if c := chartOf(t, whole, whole); c != nil {
		t.Errorf("two results have the chart %+v", c)
	}
	o := wire.Outcome{Kind: wire.Answered, Results: []wire.Preview{whole}}
	if c := answer.SynthesizeSuccess(context.Background(), nil, o, answer.Options{}).Answer.Chart; c != nil {
		t.Errorf("with charts off there is %+v", c)
	}
}

// A chart in strict JSON is valid, and stands where the schema's reader expects it.
func TestChartsInJSON(t *testing.T) {
	o := wire.Outcome{Kind: wire.Answered, Question: "q", Language: "en", Results: []wire.Preview{charted(12, "plan:text%2/1", "city:text%6/2", "riders:int")}}
	a := answer.SynthesizeSuccess(context.Background(), nil, o, answer.Options{Charts: true}).Answer
	var out strings.Builder
	if err := answer.WriteJSON(&out, a, nil); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if err := compile(t).Validate(got); err != nil {
		t.Error(err)
	}
	want := `"chart":{"kind":"grouped_bar","x":{"column":"city","type":"nominal"},"y":[{"column":"riders","type":"quantitative"}],` +
		`"series":{"column":"plan","type":"nominal"},"sort":"result","reason":"two_categories_and_measure"},"queries"`
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s lacks %s", out.String(), want)
	}
}
