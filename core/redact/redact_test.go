package redact_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/wire"
)

func TestPlaceholders(t *testing.T) {
	run := newRun(t, redact.Options{})
	for _, c := range []struct{ in, want string }{
		{"a@x.com, b@x.com, a@x.com", "[email:1], [email:2], [email:1]"},
		{"b@x.com and 010-1234-5678", "[email:2] and [phone:1]"},
		{"[email:1] stays", "[email:1] stays"},
		{"password=[password:9]", "password=[password:9]"},
	} {
		if got := run.Text(c.in); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
	}
	if got := newRun(t, redact.Options{}).Text("b@x.com"); got != "[email:1]" {
		t.Errorf("another run begins with %q", got)
	}
}

func TestPlaceholdersOfAProcessLastAndRememberNothing(t *testing.T) {
	r, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	process := r.Process()
	first, other := process.Text("a@x.com"), process.Text("b@x.com")
	if first != process.Text("a@x.com") || first == other || !strings.HasPrefix(first, "[email:") {
		t.Errorf("%q and %q", first, other)
	}
	if again := r.Process().Text("a@x.com"); again == first {
		t.Error("the placeholder of one process says what another took out")
	}
	if got := process.Restore(`"`+first+`"`, false); got != `"`+first+`"` {
		t.Errorf("a process put %q back", got)
	}
}

func TestLevels(t *testing.T) {
	const text = "see ghp_16C7e42F292c6912E7710c838347Ae178B4a, order ORD-12345678, mail a@x.com"
	for level, want := range map[redact.Level]string{
		redact.None:    text,
		redact.Secrets: "see [token:1], order ORD-12345678, mail a@x.com",
		redact.Tagged:  "see [token:1], order [order_id:1], mail a@x.com",
		redact.All:     "see [token:1], order [order_id:1], mail [email:1]",
	} {
		run := newRun(t, redact.Options{Patterns: map[redact.Kind]string{"order_id": `ORD-\d{8}`}})
		if got := run.Level(level).Text(text); got != want {
			t.Errorf("level %d gives %q, want %q", level, got, want)
		}
	}
}

func TestSinksHaveTheirLevels(t *testing.T) {
	const text = "sk-abcdEFGH1234ijklMNOP5678qrst of a@x.com"
	run := newRun(t, redact.Options{Levels: map[redact.Sink]redact.Level{redact.Answer: redact.All, redact.Prompts: redact.None}})
	for _, sink := range redact.Sinks() {
		got := run.At(sink).Text(text)
		level := redact.DefaultLevels()[sink]
		switch sink {
		case redact.Answer:
			level = redact.All
		case redact.Prompts:
			level = redact.None
		}
		if strings.Contains(got, "sk-") != (level < redact.Secrets) || strings.Contains(got, "a@x.com") != (level < redact.All) {
			t.Errorf("%s gives %q", sink, got)
		}
	}
}

func TestKnownSecretsInEveryForm(t *testing.T) {
	known := &redact.Known{}
	known.Add(`pa"ss/w rd&1`, "plainword", "shop")
	run := newRun(t, redact.Options{Secrets: known})
	for _, text := range []string{`pa"ss/w rd&1`, `pa%22ss%2Fw+rd%261`, `pa%22ss%2Fw%20rd&1`, `{"k":"pa\"ss/w rd&1"}`, `cGEic3MvdyByZCYx`, `pa\u0022ss\/w rd&1`} {
		if got := run.At(redact.Logs).Text(text); !strings.Contains(got, "[token:") || strings.Contains(got, "rd") {
			t.Errorf("%q leaves %q", text, got)
		}
	}
	// What may be an ordinary word is only taken out where no word is needed.
	for _, text := range []string{"the shop of plainword", "shop"} {
		if got := run.At(redact.Prompts).Text(text); got != text {
			t.Errorf("a prompt lost a word: %q", got)
		}
		if got := run.At(redact.Logs).Text(text); strings.Contains(got, "shop") {
			t.Errorf("a log kept a secret: %q", got)
		}
	}
}

func TestTaggedValuesGoWhereverTheyStand(t *testing.T) {
	columns := []wire.Column{{Name: "name", Tag: "personal"}, {Name: "n"}, {Name: "code", Tag: "internal"}}
	rows := [][]wire.Value{{wire.Text("Ada Lovelace"), wire.Int(7), wire.Text("X-99")}, {wire.Null(), wire.Int(8), wire.Text("ada@x.com")}}
	run := newRun(t, redact.Options{Levels: map[redact.Sink]redact.Level{redact.Answer: redact.Tagged}})
	run.TagRows(columns, rows)
	got := run.At(redact.Answer).Text("Ada Lovelace has X-99 and 7; Adamant; 에이다 Ada Lovelace는")
	if want := "[personal:1] has [internal_id:1] and 7; Adamant; 에이다 [personal:1]는"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	table := run.At(redact.Answer).Preview(wire.Preview{Columns: columns, Rows: rows})
	if v := table.Rows[0][0]; v.String() != "[personal:1]" || !table.Rows[1][0].IsNull() || table.Rows[0][1].Int() != 7 {
		t.Errorf("rows %v", table.Rows)
	}
	if rows[0][0].String() != "Ada Lovelace" {
		t.Error("the rows themselves were changed")
	}
	if table.Columns[1].Type != columns[1].Type || table.Columns[0].Type.Kind != wire.KindText {
		t.Errorf("columns %v", table.Columns)
	}
	if v := run.At(redact.ResultTable).Row(columns, rows[0])[0]; v.String() != "Ada Lovelace" {
		t.Errorf("by default a row lost %v", v)
	}
}

func TestTagOf(t *testing.T) {
	for _, c := range []struct {
		tags []string
		want string
	}{{nil, ""}, {[]string{"dimension"}, ""}, {[]string{"dimension", "personal"}, "personal"}, {[]string{"internal", "secret"}, "secret"}} {
		if got := redact.TagOf(c.tags); got != c.want {
			t.Errorf("%v gives %q", c.tags, got)
		}
	}
}

func TestCellsOfOtherTypes(t *testing.T) {
	f := newRun(t, redact.Options{}).Level(redact.All)
	decimal, err := wire.Decimal("1234567.50")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in   wire.Value
		want string
	}{
		{wire.Int(4111111111111111), "[card:1]"}, {wire.Int(1234567890), "1234567890"}, {decimal, "1234567.50"}, {wire.Null(), wire.Null().String()},
		{wire.JSON(`{"mail":"a@x.com","n":1.50}`), `{"mail":"[email:1]","n":1.50}`}, {wire.Array([]wire.Value{wire.Text("a@x.com"), wire.Int(3)}), wire.Array([]wire.Value{wire.Text("[email:1]"), wire.Int(3)}).String()},
	} {
		if got := f.Value(c.in, "").String(); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.in, got, c.want)
		}
	}
}

func TestJSONKeepsItsForm(t *testing.T) {
	run := newRun(t, redact.Options{})
	for _, c := range []struct{ in, want string }{
		{`{"b":1,"a":"kim\u0040x.com","n":1.50, "t":["x",null,12345678901234567890]}`, `{"b":1,"a":"[email:1]","n":1.50, "t":["x",null,12345678901234567890]}`},
		{`{"password":"opensesame"}`, `{"password":"[password:1]"}`},
		{`{"api_key":{"value":"abcd1234efgh"},"other":"abcd"}`, `{"api_key":{"value":"abcd1234efgh"},"other":"abcd"}`},
		{`no json: a@x.com`, `no json: [email:2]`},
		{`{"k@x.com":"<&>"}`, `{"k@x.com":"<&>"}`},
	} {
		if got := string(run.JSON([]byte(c.in))); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.in, got, c.want)
		}
	}
}

func TestDeepCopiesKeepTypes(t *testing.T) {
	a := wire.Answer{Outcome: wire.Answered, Question: "who is a@x.com?", Notes: []wire.Note{{Code: "VALUE_NOT_FOUND", Message: "a@x.com", Detail: map[string]string{"value": "a@x.com"}}},
		Queries: []wire.Query{{SQL: "SELECT 1", Args: []wire.Tagged{wire.Tag(wire.Text("a@x.com")), wire.Tag(wire.Int(3))}, Plan: &wire.Plan{Clauses: wire.Clauses{Where: "mail = 'a@x.com'"}}}}}
	got := redact.Deep(newRun(t, redact.Options{}).Level(redact.All), a)
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "a@x.com") || strings.Count(string(text), "[email:1]") != 5 || got.Outcome != wire.Answered || got.Queries[0].Args[1].Text != "3" {
		t.Errorf("%s", text)
	}
	if a.Notes[0].Detail["value"] != "a@x.com" || a.Queries[0].Plan.Where != "mail = 'a@x.com'" {
		t.Error("the answer itself was changed")
	}
}

func TestValuesArePutBackIntoPlansOnlyAsText(t *testing.T) {
	run := newRun(t, redact.Options{})
	seen := run.Text("orders of o'neil@x.com")
	if seen != "orders of [email:1]" {
		t.Fatal(seen)
	}
	for _, c := range []struct {
		in   string
		plan bool
		want string
	}{
		{`{"where":"mail = '[email:1]'"}`, true, `{"where":"mail = 'o''neil@x.com'"}`},
		{`{"where":"name = 'it''s' and mail = '[email:1]' and x"}`, true, `{"where":"name = 'it''s' and mail = 'o''neil@x.com' and x"}`},
		{`{"where":"[email:1]","select":["[email:1]"]}`, true, `{"where":"[email:1]","select":["[email:1]"]}`},
		{`{"where":"mail = '[email:7]'"}`, true, `{"where":"mail = '[email:7]'"}`},
		{`{"summary":"[email:1] has 3"}`, false, `{"summary":"o'neil@x.com has 3"}`},
	} {
		if got := run.Restore(c.in, c.plan); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.in, got, c.want)
		}
		for cut := range c.in {
			r := run.Restorer(c.plan)
			if got := r.Write(c.in[:cut]) + r.Write(c.in[cut:]) + r.Flush(); got != c.want {
				t.Fatalf("cut at %d: %s", cut, got)
			}
		}
	}
}

func TestAStreamOfWordsIsHardlyHeldBack(t *testing.T) {
	s := newRun(t, redact.Options{}).Level(redact.All).Stream()
	text := "There are many customers in the north and a few of them in the south, and nobody knows how many there were before."
	out := ""
	for _, word := range strings.SplitAfter(text, " ") {
		out += s.Write(word)
	}
	if len(text)-len(out) > 64 {
		t.Errorf("%d bytes are held back: %q", len(text)-len(out), out)
	}
	if out += s.Flush(); out != text {
		t.Errorf("%q", out)
	}
}

func TestWorkIsLinear(t *testing.T) {
	run := newRun(t, redact.Options{})
	for _, unit := range []string{"a@", "1 ", "password", "-----BEGIN PRIVATE KEY-----", "[email:1]", `\u00`, "Bearer ", "x=1;", "//:@", "eyJ."} {
		text := strings.Repeat(unit, 6_000/len(unit))
		if got := run.Text(text); len(got) == 0 {
			t.Errorf("%q gives nothing", unit)
		}
		out, stream := "", run.Level(redact.All).Stream()
		for i := 0; i < len(text); i += 8 {
			out += stream.Write(text[i:min(len(text), i+8)])
		}
		if out += stream.Flush(); len(out) == 0 {
			t.Errorf("a stream of %q gives nothing", unit)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, i := range generatedPositives()[:60] {
		text, _ := i.plain()
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		run := newRun(t, redact.Options{})
		once := run.Text(text)
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Fatalf("%q becomes invalid: %q", text, once)
		}
		if twice := run.Text(once); len(text) < 200 && strings.Count(twice, "[") > strings.Count(once, "[")+2 {
			t.Fatalf("%q, then %q, then %q", text, once, twice)
		}
		run.JSON([]byte(text))
		run.Restore(text, true)
		s := run.Level(redact.All).Stream()
		_ = s.Write(text[:len(text)/2]) + s.Write(text[len(text)/2:]) + s.Flush()
	})
}

func BenchmarkText(b *testing.B) {
	var text strings.Builder
	for text.Len() < 4<<10 {
		text.WriteString("Order 12345 of customer Acme was paid in 2024, and 17 rows of 20 are shown. | Acme | 1234.50 | 2024-03-15 | open |\n")
	}
	run := newRun(b, redact.Options{})
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		run.Text(text.String())
	}
}

func TestARunIsSharedByGoroutines(t *testing.T) {
	known := &redact.Known{}
	run := newRun(t, redact.Options{Secrets: known})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				known.Add(fmt.Sprintf("secret-of-%d-%d", i, n))
				run.Tag(redact.Personal, fmt.Sprintf("Name %d", n))
				run.Level(redact.All).Text(fmt.Sprintf("Name %d, a%d@x.com, secret-of-%d-%d", n, n, i, n))
				run.Restore(`{"a":"[email:1]"}`, false)
			}
		})
	}
	all.Wait()
	if got := run.Level(redact.All).Text("Name 3"); got == "Name 3" {
		t.Error("a tagged value is still there")
	}
}

// BenchmarkOwnText is a text that was not seen before, as a prompt with rows is.
func BenchmarkOwnText(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"cell", "United Kingdom"},
		{"prompt", strings.Repeat("The customers of Acme were 17 of 20 in 2024.\n", 40)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r, err := redact.New(redact.Options{})
			if err != nil {
				b.Fatal(err)
			}
			run, n := r.Run(), 0
			b.ReportAllocs()
			for b.Loop() {
				n++
				run.Text(bench.text + strconv.Itoa(n%997))
			}
		})
	}
}
