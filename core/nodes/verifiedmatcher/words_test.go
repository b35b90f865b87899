package verifiedmatcher

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"What's the revenue, by month?":       "whats the revenue by month",
		"revenue in 2024-03-01 of 1.5":        "revenue in 2024-03-01 of 1.5",
		"month-by-month e-mails and/or calls": "month by month e mails and or calls",
		`orders from "New York"!`:             "orders from new york",
		"2026년 1월 월별 매출":                      "2026 년 1 월 월별 매출",
		"2024q3 x2 h2o":                       "2024q3 x2 h2o",
		"주문 수는 얼마？":                           "주문 수는 얼마",
		"cafe\u0301s":                         "caf\u00e9s",
		`an "open quote`:                      "an open quote",
		`""`:                                  "",
		"   ":                                 "",
		"'single' quotes":                     "single quotes",
	} {
		var got []string
		for _, w := range split(text) {
			got = append(got, w.text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
	if words := split(`from "New  York" now`); len(words) != 3 || words[1].raw != "New  York" {
		t.Errorf("a quoted text is %+v", words)
	}
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		question, template string
		matches            bool
	}{
		{"show me the customers by country please", "customers by country", true},
		{"customer per countries", "customers by country", true},
		{"customers by counties", "customers by countries", false},
		{"customrs by country", "customers by country", false},
		{"customers by country in the US", "customers by country", false},
		{"customers by country for us", "customers by country", false},
		{"customers IN by country", "customers by country", false},
		{"HOW MANY CUSTOMERS IN ALL", "how many customers of all", true},
		{"my customers by country", "customers by country", false},
		{"flights to country", "flights in country", false},
		{"revenue by store %", "revenue by store", false},
		{"customers in Berlin by country", "customers by country", false},
		{"customers", "customers by country", false},
		{"countries by customer", "customers by country", false},
		{"products never returned", "products returned", false},
		{"products returned", "products never returned", false},
		{"customers without orders", "orders without customers", false},
		{"house sales by month", "mouse sales by month", false},
		{"lowest revenue by store", "highest revenue by store", false},
		{"average revenue by store", "revenue by store", false},
		{"", "revenue by store", false},
	} {
		got := similarity(content(split(c.question)), content(split(c.template))) > 0
		if got != c.matches {
			t.Errorf("%q against %q: matches %t, want %t", c.question, c.template, got, c.matches)
		}
	}
}

// FuzzSplit checks that splitting always ends and that its words are clean.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", `a "b c" d`, "«x» 2024-01-01", "can't 'quote'", "\xff\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := split(text)
		for _, w := range words {
			if strings.TrimSpace(w.raw) != w.raw {
				t.Errorf("word %q has space around it", w.raw)
			}
		}
		if again := split(text); !slices.Equal(words, again) {
			t.Errorf("two readings of %q", text)
		}
	})
}
