package sanity_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/sanity"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const tunes = `
create table Genre (GenreId integer primary key, Name text);
insert into Genre values (1,'Rock'),(2,'Pop'),(3,'Alternative & Punk'),(4,'Polo'),(5,'Jazz');
create table Word (Text text);
insert into Word with recursive n(i) as (select 1 union all select i+1 from n where i < 3000) select case when i % 2 = 0 then printf('pin %d', i) else printf('top %d', i) end from n;
insert into Word values ('quay'), ('pink');
create table Track (TrackId integer primary key, Title text, GenreId integer references Genre, Seconds integer, Composer text, Country text, Secret text);
insert into Track values (1,'One',1,200,null,'Peru','alpha'),(2,'Two',1,100,null,'Chile','beta'),(3,'Three',2,50,null,'Peru','gamma');
`

// world is a database with rules for who may read what of it.
type world struct {
	datasource.Datasource
	catalog *schema.Catalog
	policy  *policy.Policy
	asked   []sqlgen.Statement
	fails   error // of every question after the first
}

func (w *world) Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error) {
	w.asked = append(w.asked, s)
	if w.fails != nil && len(w.asked) > 1 {
		return nil, w.fails
	}
	return w.Datasource.Query(ctx, s, l)
}

var (
	reader = policy.Caller{Name: "kim", Roles: []string{"reader"}}
	peru   = policy.Caller{Name: "lee", Roles: []string{"peru"}}
)

func newWorld(t testing.TB) *world {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tunes.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(tunes); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := sqlite.Open(sqlite.Options{ID: "tunes", Path: path, Columns: map[string]config.ColumnConfig{
		"main.Track.Secret": {Tags: []string{"personal"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Close() })
	cat, err := source.Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Compile(map[config.RoleName]config.Role{
		"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}},
		"peru": {
			Tables:     config.TableRules{Allow: []string{"*.*.*"}},
			RowFilters: map[string]string{"*.*.Track": "Country = 'Peru'"},
			Masks:      map[string]config.Mask{"*.*.Track.Secret": {Kind: "null"}},
			Columns:    config.ColumnRules{AggregateOnly: []string{"*.*.Track.Composer"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &world{Datasource: source, catalog: cat, policy: rules}
}

// notes runs a plan and gives what is odd about its result.
func (w *world) notes(t testing.TB, text string, caller policy.Caller, lang string) []wire.Note {
	t.Helper()
	p, err := plan.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	clock := plan.Clock{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	view, err := w.policy.View(w.catalog, caller)
	if err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(p, plan.Scope{Catalog: w.catalog, Visible: view, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := w.policy.Secure(w.catalog, q, caller)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := sqlgen.Render(secured, w.catalog.Dialect, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := w.Query(t.Context(), statement, datasource.Limits{Rows: 100, Bytes: 1 << 20, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := result.Store(t.Context(), rows, statement.Columns(), result.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	c := &sanity.Checker{Policy: w.policy}
	return c.Notes(t.Context(), w, sanity.Input{Secured: secured, Catalog: w.catalog, Caller: caller, Clock: clock, Language: lang, Result: kept})
}

func messages(notes []wire.Note, code reason.Warning) []string {
	var out []string
	for _, n := range notes {
		if n.Code == code {
			out = append(out, n.Message)
		}
	}
	return out
}

func TestValuesThatAreNotThere(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, plan string
		want       []string
	}{
		{"a condition", `{"from":"Genre g","where":"g.Name = 'Polka'","select":["g.Name"]}`, []string{"There is no Genre with Name 'Polka'. Did you mean 'Polo'?"}},
		{"nothing like it", `{"from":"Genre g","where":"g.Name = 'Zydeco'","select":["g.Name"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"the other way round", `{"from":"Genre g","where":"'Zydeco' = g.Name and g.GenreId > 0","select":["g.Name"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"another case", `{"from":"Genre g","where":"g.Name = 'ROCK'","select":["g.Name"]}`, []string{"There is no Genre with Name 'ROCK'. It is written 'Rock'."}},
		{"a part of a name", `{"from":"Genre g","where":"g.Name = 'Punk'","select":["g.Name"]}`, []string{"There is no Genre with Name 'Punk'. Did you mean 'Alternative & Punk'?"}},
		{"a list", `{"from":"Genre g","where":"g.Name in ('Zydeco','Tango')","select":["g.Name"]}`,
			[]string{"There is no Genre with Name 'Zydeco'.", "There is no Genre with Name 'Tango'."}},
		{"a quote in the value", `{"from":"Genre g","where":"g.Name = 'D''n''B'","select":["g.Name"]}`, []string{"There is no Genre with Name 'D'n'B'."}},
		{"the condition of a join", `{"from":"Track t","joins":["Genre g on g.GenreId = t.GenreId and g.Name = 'Zydeco'"],"select":["t.Title"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"a semi join", `{"from":"Track t","joins":["semi Genre g on g.GenreId = t.GenreId and g.Name = 'Zydeco'"],"select":["t.Title"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"a total of nothing", `{"from":"Track t","joins":["Genre g"],"where":"g.Name = 'Zydeco'","select":["sum(t.Seconds) as s","count(*) as n"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"an aggregate's own condition", `{"from":"Genre g","select":["count(*) filter (where g.Name = 'Zydeco') as n"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"a membership", `{"with":[{"name":"b","op":"select","from":"Genre g","where":"g.Name = 'Zydeco'","select":["g.GenreId"]}],"from":"Track t","where":"in(t.GenreId, b)","select":["t.Title"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"a column of a block", `{"with":[{"name":"b","op":"select","from":"Genre g","select":["g.Name as n"]}],"from":"b","where":"b.n = 'Zydeco'","select":["b.n"]}`, []string{"There is no Genre with Name 'Zydeco'."}},
		{"both of an intersection", `{"with":[{"name":"a","op":"select","from":"Genre g","where":"g.Name = 'Rock'","select":["g.GenreId"]},{"name":"b","op":"select","from":"Genre g","where":"g.Name = 'Tango'","select":["g.GenreId"]},{"name":"i","op":"intersect","of":["a","b"]}],"from":"i","select":["i.GenreId"]}`, []string{"There is no Genre with Name 'Tango'."}},

		{"a value that is there", `{"from":"Track t","joins":["Genre g"],"where":"g.Name = 'Jazz'","select":["t.Title"]}`, nil},
		{"rows", `{"from":"Genre g","where":"g.Name in ('Rock','Zydeco')","select":["g.Name"]}`, nil},
		{"an alternative", `{"from":"Genre g","where":"g.Name = 'Zydeco' or g.GenreId = 99","select":["g.Name"]}`, nil},
		{"a negation", `{"from":"Genre g","where":"not (g.Name = 'Zydeco') and g.GenreId = 99","select":["g.Name"]}`, nil},
		{"not in a list", `{"from":"Genre g","where":"g.Name not in ('Zydeco') and g.GenreId = 99","select":["g.Name"]}`, nil},
		{"an anti join", `{"from":"Track t","joins":["anti Genre g on g.Name = 'Zydeco'"],"where":"t.TrackId = 99","select":["t.Title"]}`, nil},
		{"a left join", `{"from":"Track t","joins":["left Genre g on g.Name = 'Zydeco'"],"where":"t.TrackId = 99","select":["t.Title"]}`, nil},
		{"a number", `{"from":"Track t","where":"t.TrackId = 99","select":["t.Title"]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := messages(w.notes(t, c.plan, reader, "en"), reason.ValueNotFound)
			if !slices.Equal(got, c.want) {
				t.Errorf("the notes are %q, want %q", got, c.want)
			}
		})
	}
}

func TestColumnsWithoutAValue(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, plan string
		caller     policy.Caller
		want       []string
	}{
		{"one of two", `{"from":"Track t","select":["t.Title","t.Composer as author"]}`, reader, []string{"The column 'author' has no value in any row."}},
		{"of a block", `{"with":[{"name":"b","op":"select","from":"Track t","select":["t.Composer as c"]}],"from":"b","select":["b.c as c"]}`, reader, []string{"The column 'c' has no value in any row."}},
		{"no rows", `{"from":"Track t","where":"t.TrackId = 99","select":["t.Composer"]}`, reader, nil},
		{"a value in one row", `{"from":"Track t","select":["case when t.TrackId = 3 then 1 else null end as x"]}`, reader, nil},
		{"what access rules mask", `{"from":"Track t","select":["t.Title","t.Secret"]}`, peru, nil},
		{"what they mask in a block", `{"with":[{"name":"b","op":"select","from":"Track t","select":["t.Secret as s"]}],"from":"b","select":["b.s as s"]}`, peru, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := messages(w.notes(t, c.plan, c.caller, "en"), reason.AllNullColumn)
			if !slices.Equal(got, c.want) {
				t.Errorf("the notes are %q, want %q", got, c.want)
			}
		})
	}
}

// TestQuestionsObeyAccessRules asks as someone who sees the rows of one country,
// and neither secrets nor composers.
func TestQuestionsObeyAccessRules(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, where string
		caller      policy.Caller
		want        []string
	}{
		{"a row that is filtered out is not there", "t.Title = 'Two'", peru, []string{"There is no Track with Title 'Two'."}},
		{"nor is it near", "t.Title = 'Twos'", peru, []string{"There is no Track with Title 'Twos'."}},
		{"for others it is", "t.Title = 'Twos'", reader, []string{"There is no Track with Title 'Twos'. Did you mean 'Two'?"}},
		{"what is masked is not named", "t.Secret = 'alpho'", peru, []string{"There is no Track with Secret 'alpho'."}},
		{"nor is what is personal", "t.Secret = 'alpho'", reader, []string{"There is no Track with Secret 'alpho'."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := messages(w.notes(t, `{"from":"Track t","where":"`+c.where+`","select":["t.TrackId"]}`, c.caller, "en"), reason.ValueNotFound)
			if !slices.Equal(got, c.want) {
				t.Errorf("the notes are %q, want %q", got, c.want)
			}
		})
	}
}

func TestNotesInKoreanAndForPrograms(t *testing.T) {
	w := newWorld(t)
	got := w.notes(t, `{"from":"Genre g","where":"g.Name = 'Polka'","select":["g.Name"]}`, reader, "ko-KR")
	want := `[{"code":"VALUE_NOT_FOUND","message":"Genre에 Name 값이 'Polka'인 행이 없습니다. 비슷한 값: 'Polo'.","detail":{"column":"Name","suggestion":"Polo","table":"Genre","value":"Polka"}}]`
	if text, err := json.Marshal(got); err != nil || string(text) != want {
		t.Errorf("got %s, want %s (%v)", text, want, err)
	}
	got = w.notes(t, `{"from":"Track t","select":["t.Composer"]}`, reader, "ko")
	if len(got) != 1 || got[0].Message != "'Composer' 열은 모든 행에서 값이 비어 있습니다." || got[0].Detail["column"] != "Composer" {
		t.Errorf("got %+v", got)
	}
}

// TestQuestionsAreFewAndMayFail asks for more values than are looked for, and of a
// database that answers no more.
func TestQuestionsAreFewAndMayFail(t *testing.T) {
	w := newWorld(t)
	const many = `{"from":"Genre g","where":"g.Name in ('q1','q2','q3','q4','q5','q6','q7','q8','q9','q10','q11')","select":["g.Name"]}`
	if got := w.notes(t, many, reader, "en"); len(got) != 8 {
		t.Errorf("%d values were looked for: %v", len(got), got)
	}
	if asked := len(w.asked) - 1; asked > 16 {
		t.Errorf("%d questions were asked", asked)
	}
	for _, s := range w.asked {
		if strings.Contains(s.SQL(), "q1") {
			t.Errorf("a value stands in the SQL: %s", s.SQL())
		}
	}
	w.asked, w.fails = nil, errors.New("gone")
	if got := w.notes(t, many, reader, "en"); len(got) != 0 {
		t.Errorf("notes without an answer: %v", got)
	}
}

// TestNearValuesOfALongList finds what begins alike where there are too many values
// to compare them all, and nothing where too many begin alike.
func TestNearValuesOfALongList(t *testing.T) {
	w := newWorld(t)
	for value, want := range map[string]string{
		"quai": "There is no Word with Text 'quai'. Did you mean 'quay'?",
		"pini": "There is no Word with Text 'pini'.",
		"zzz":  "There is no Word with Text 'zzz'.",
	} {
		got := w.notes(t, `{"from":"Word w","where":"w.Text = '`+value+`'","select":["w.Text"]}`, reader, "en")
		if len(got) != 1 || got[0].Message != want {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
}

// TestALongValueIsCutInNotes keeps what a plan wrote from flooding a prompt.
func TestALongValueIsCutInNotes(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 500)
	got := w.notes(t, `{"from":"Genre g","where":"g.Name = '`+long+`'","select":["g.Name"]}`, reader, "en")
	if len(got) != 1 || len(got[0].Message) > 120 || len(got[0].Detail["value"]) > 80 {
		t.Errorf("got %+v", got)
	}
}
