package ground_test

import (
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/sdk/wire"
)

// FuzzCheck checks any text, cell and question: it must end, and say of what it finds
// where it stands.
func FuzzCheck(f *testing.F) {
	f.Add("Germany has 435 customers (14.5%), 116 more than France's 319; in Q1 2025 it fell by -3.", "Germany", "How many customers, by country?")
	f.Add("독일은 435명이고 1만 2천 명 중 가장 많습니다. \"없음\" 2025년 3월 1일 (", "독일", "나라별 고객 수")
	f.Add("| 1 | A | 2 |\n|---|---|\n1. 3\n- one half of two thirds, no one more than the top five", "A", "top 5")
	f.Add("１．２３４ ۱۲ 五人 1e999 1'000_000 --5 #3 3rd 12:61 99/99/2025", "五", "2025-02-31")
	day := wire.Date(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC))
	f.Fuzz(func(t *testing.T, text, name, question string) {
		p := wire.Preview{Columns: []wire.Column{{Name: name}, {Name: "customers"}, {Name: "day"}}, RowCount: 3}
		p.Rows = [][]wire.Value{{wire.Text(name), wire.Int(435), day}, {wire.Text("France"), wire.Float(0.1), wire.Null()}, {wire.Null(), wire.Null(), day}}
		lang := []string{"en", "ko", "de", ""}[len(text)%4]
		for _, v := range ground.New(ground.Evidence{Results: []wire.Preview{p}, Question: question, Said: []string{name}, Verbatim: []string{name}, Language: lang}).Check(text) {
			if v.Item == "" || v.Clause == "" || v.Why == "" || v.Why == ground.Unread {
				t.Errorf("%q: %+v", text, v)
			}
		}
	})
}

// A text that is longer than answers are is refused without a look at it.
func TestTextsWithoutEndAreRefused(t *testing.T) {
	e, text := square(20)
	if v := ground.New(e).Check(strings.Repeat(text, 100)); len(v) != 1 {
		t.Errorf("%d violations", len(v))
	}
	long := strings.ReplaceAll(strings.Repeat(text, 14), ".", ",") // one sentence of 28 KB
	if v := ground.New(e).Check(long); v == nil {
		t.Error("a sentence without an end passes")
	}
}
