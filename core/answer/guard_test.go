package answer_test

import (
	"context"
	"testing"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// routes is an outcome whose cells hold figures of every kind.
func routes() wire.Outcome {
	column := func(name string, k wire.Kind) wire.Column { return wire.Column{Name: name, Type: wire.Type{Kind: k}} }
	share, _ := wire.Decimal("12.5")
	return wire.Outcome{
		Kind: wire.Answered, Question: "Which routes opened in 2024, and what is their share?", Language: "en",
		Results: []wire.Preview{{
			Columns:  []wire.Column{column("route", wire.KindText), column("opened", wire.KindDate), column("day", wire.KindText), column("share", wire.KindDecimal), column("zip", wire.KindText)},
			Rows:     [][]wire.Value{{wire.Text("Route 66"), wire.Date(time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC)), wire.Text("2024-04-17"), share, wire.Text("04711")}},
			RowCount: 1,
		}},
	}
}

func TestFiguresKeepTheirMeaning(t *testing.T) {
	for text, shown := range map[string]bool{
		"Route 66 opened on 2024-03-15.":                true,
		"Route 66 opened on March 15, 2024.":            true,
		"Route 66 opened on 15 March 2024.":             true,
		"Route 66은 2024년 3월 15일에 열렸습니다.":                true,
		"It opened in 2024-03, and its share is 12.5%.": true,
		"It was 2024-04-17.":                            true,
		"The zip is 04711.":                             true,
		"Route 66 opened on 2024-03-16.":                false,
		"Route 66 opened on March 16, 2024.":            false,
		"Route 66은 2024년 4월 16일에 열렸습니다.":                false,
		"There are 66 routes.":                          false, // a name is no count
		"There are 15 routes.":                          false, // nor is a day
		"There are 3 routes.":                           false,
		"Route 661 opened.":                             false,
		"The share is 12.6%.":                           false,
		"There are 4712 routes.":                        false,
	} {
		a := answer.SynthesizeSuccess(context.Background(), &writer{summary: text}, routes(), answer.Options{Template: template()}).Answer
		if (a.Summary == text) != shown {
			t.Errorf("%q: shown %t", text, !shown)
		}
	}
}

func TestOnlyCountersOfAListAreNoFigures(t *testing.T) {
	for content, shown := range map[string]bool{
		"1. Brazil\n2. Korea\n\n1. and\n2) more": true,
		"Customers:\n42. That is all.":           false,
		"1. Brazil\n3. Korea":                    false,
	} {
		a := answer.SynthesizeSuccess(context.Background(), &writer{summary: "ok", content: content}, countries(), answer.Options{Template: template()}).Answer
		if (a.Content == content) != shown {
			t.Errorf("%q: shown %t", content, !shown)
		}
	}
}

func TestCutResultIsNotCountedAsWhole(t *testing.T) {
	for text, shown := range map[string]bool{
		"There are 24 countries.":                                 false,
		"There are at least 24 countries.":                        true,
		"국가는 최소 24개입니다.":                                          true,
		"The result was cut at 24 rows; Brazil has 1313 of them.": true,
		"Brazil has 1313 customers.":                              true,
	} {
		o := countries()
		o.Results[0].Truncated, o.Results[0].RowCap = true, 24
		a := answer.SynthesizeSuccess(context.Background(), &writer{summary: text}, o, answer.Options{Template: template()}).Answer
		if (a.Summary == text) != shown {
			t.Errorf("%q: shown %t", text, !shown)
		}
	}
}
