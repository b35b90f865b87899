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

func TestCellsMayBeToldAsPeopleReadThem(t *testing.T) {
	seoul := time.FixedZone("", 9*60*60)
	o := wire.Outcome{
		Kind: wire.Answered, Question: "Who gave more than 5%, and when?", Language: "en",
		Results: []wire.Preview{{
			Columns: []wire.Column{{Name: "donor"}, {Name: "sum"}, {Name: "mass"}, {Name: "at"}, {Name: "seen"}},
			Rows: [][]wire.Value{{wire.Text("Twelve Monkeys"), wire.Float(346.40250000000003), wire.Float(1.5e-9),
				wire.TimestampTZ(time.Date(2024, 3, 15, 10, 20, 30, 0, seoul)), wire.Timestamp(time.Date(2024, 4, 17, 1, 2, 3, 0, seoul))}},
			RowCount: 1,
		}},
	}
	for text, shown := range map[string]bool{
		"Twelve Monkeys gave 346.4025.":             true,
		"Twelve Monkeys gave 346.40250000000003.":   true,
		"Twelve Monkeys gave 346.4.":                true, // rounded
		"Twelve Monkeys gave 346.5.":                false,
		"Twelve gave the sum.":                      false, // a name is no count
		"The mass is 1.6e-9.":                       false,
		"The mass is 1.5e-09.":                      true,
		"It was 2024-03-15T10:20:30+09:00.":         true,
		"It was 2024-03-15T10:20:30+08:00.":         false,
		"It was 2024-03-15T10:20:30Z.":              false,
		"It was on March 15, 2024, at 10:20.":       true,
		"It was on March 15, 2024, at 10:21.":       false,
		"It was seen 2024-04-17T01:02:03.":          true,
		"More than 5% were given.":                  true,
		"They gave 5 times.":                        false,
		"They gave 1%.":                             false,
		"They gave 20 times.":                       false,
		"They gave twelve times.":                   false,
		"They gave, with Twelve Monkeys, 2 dozens.": false,
	} {
		a := answer.SynthesizeSuccess(context.Background(), &writer{summary: text}, o, answer.Options{Template: template()}).Answer
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
