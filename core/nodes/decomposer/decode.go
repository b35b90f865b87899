package decomposer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// The bounds of a decomposition. A question that people ask has a few parts; what
// is beyond is a model that does not stop.
const (
	maxSubQueries = 8
	maxSteps      = 8   // of each kind
	maxItems      = 16  // of a step
	maxColumns    = 32  // of an expected schema
	maxText       = 500 // characters of an intent or an unmapped part
	maxLimit      = 1_000_000
)

// answer is a decomposition as a model writes it.
type answer struct {
	SubQueries []struct {
		ID             string              `json:"id"`
		Intent         string              `json:"intent"`
		Datasource     schema.DatasourceID `json:"datasource"`
		ExpectedSchema []string            `json:"expected_schema"`
	} `json:"subqueries"`
	Combine []struct {
		ID     string              `json:"id"`
		Op     engineaggregator.Op `json:"op"`
		Inputs []string            `json:"inputs"`
		On     []string            `json:"on"`
	} `json:"combine"`
	Post []struct {
		Op    engineaggregator.Op `json:"op"`
		Input string              `json:"input"`
		Items []string            `json:"items"`
		N     int64               `json:"n"`
	} `json:"post"`
	Unmapped []struct {
		Text   string        `json:"text"`
		Reason reason.Reason `json:"reason"`
	} `json:"unmapped"`
}

// Decode reads a decomposition of a question about the datasources, strictly: every
// id is declared before it is used, every list is within its bound, every string
// is understood to its end. Nothing is repaired.
func Decode(text []byte, datasources []schema.DatasourceID) (Decomposition, error) {
	var a answer
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return Decomposition{}, fmt.Errorf("the decomposition is no such object: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Decomposition{}, errors.New("something follows the decomposition")
	}
	r := &reading{datasources: datasources}
	for _, step := range []func(answer) error{r.subQueries, r.combine, r.post, r.unmapped} {
		if err := step(a); err != nil {
			return Decomposition{}, err
		}
	}
	if len(r.out.SubQueries)+len(r.out.Unmapped) == 0 {
		return Decomposition{}, errors.New("the decomposition has neither sub-queries nor unmapped parts")
	}
	return r.out, nil
}

// reading is a decomposition on its way.
type reading struct {
	datasources []schema.DatasourceID
	ids         []string // declared so far
	results     []string // of those, the ids that have a result of their own
	out         Decomposition
}

// word is the form of an id.
var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,31}$`)

func (r *reading) declare(id string) error {
	switch {
	case !word.MatchString(id):
		return fmt.Errorf("%q is no id: expected a word", id)
	case slices.Contains(r.ids, id):
		return fmt.Errorf("the id %q is declared twice", id)
	}
	r.ids = append(r.ids, id)
	return nil
}

func (r *reading) known(id string) error {
	if !slices.Contains(r.results, id) {
		return fmt.Errorf("the input %q is no result of what stands before", id)
	}
	return nil
}

func short(what, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s is empty", what)
	}
	if n := utf8.RuneCountInString(text); n > maxText {
		return fmt.Errorf("%s has %d characters; at most %d are allowed", what, n, maxText)
	}
	return nil
}

func within(what string, n, most int) error {
	if n > most {
		return fmt.Errorf("there are %d %s; at most %d are allowed", n, what, most)
	}
	return nil
}

func (r *reading) subQueries(a answer) error {
	if err := within("sub-queries", len(a.SubQueries), maxSubQueries); err != nil {
		return err
	}
	for _, q := range a.SubQueries {
		err := errors.Join(r.declare(q.ID), short("the intent of "+q.ID, q.Intent), columns(q.ID, q.ExpectedSchema))
		if err != nil {
			return err
		}
		if !slices.Contains(r.datasources, q.Datasource) {
			return fmt.Errorf("the sub-query %s asks %q, which is none of the datasources", q.ID, q.Datasource)
		}
		r.results = append(r.results, q.ID)
		r.out.SubQueries = append(r.out.SubQueries, SubQuery{
			ID: q.ID, Intent: strings.TrimSpace(q.Intent), Datasource: q.Datasource, ExpectedSchema: q.ExpectedSchema,
		})
	}
	return nil
}

func columns(id string, names []string) error {
	if err := within("columns of "+id, len(names), maxColumns); err != nil {
		return err
	}
	for i, name := range names {
		if err := short("a column of "+id, name); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s has the column %q twice", id, name)
		}
	}
	return nil
}

func (r *reading) combine(a answer) error {
	if err := within("steps that combine", len(a.Combine), maxSteps); err != nil {
		return err
	}
	for _, c := range a.Combine {
		if !slices.Contains(engineaggregator.CombineOps(), c.Op) {
			return fmt.Errorf("%q does not combine results", c.Op)
		}
		if err := r.inputs(c.Op, c.Inputs); err != nil {
			return err
		}
		step := engineaggregator.Step{ID: c.ID, Op: c.Op, Inputs: c.Inputs}
		if err := errors.Join(within("columns to match on", len(c.On), maxItems), r.declare(c.ID)); err != nil {
			return err
		}
		for _, text := range c.On {
			pair, err := readPair(text, c.Inputs)
			if err != nil {
				return err
			}
			step.On = append(step.On, pair)
		}
		if err := matches(step); err != nil {
			return err
		}
		if r.out.Combine = append(r.out.Combine, step); c.Op != engineaggregator.Standalone {
			r.results = append(r.results, c.ID)
		}
	}
	return nil
}

func (r *reading) inputs(op engineaggregator.Op, ids []string) error {
	for i, id := range ids {
		if err := r.known(id); err != nil {
			return err
		}
		if slices.Contains(ids[:i], id) {
			return fmt.Errorf("%s takes %q twice", op, id)
		}
	}
	switch n := len(ids); {
	case op == engineaggregator.Standalone && n == 0,
		op == engineaggregator.Compare && n != 2,
		op != engineaggregator.Standalone && n < 2:
		return fmt.Errorf("%s does not take %d results", op, n)
	}
	return nil
}

// matches checks that a step has columns to match on exactly if it needs them.
func matches(s engineaggregator.Step) error {
	switch s.Op {
	case engineaggregator.Join, engineaggregator.LeftJoin:
		if len(s.On) == 0 {
			return fmt.Errorf("%s %s names no columns to match on", s.Op, s.ID)
		}
	case engineaggregator.Union, engineaggregator.Standalone:
		if len(s.On) > 0 {
			return fmt.Errorf("%s %s has no use for columns to match on", s.Op, s.ID)
		}
	}
	return nil
}

func (r *reading) post(a answer) error {
	if err := within("steps after combining", len(a.Post), maxSteps); err != nil {
		return err
	}
	for i, p := range a.Post {
		input := p.Input
		if input == "" {
			if input = r.last(); input == "" {
				return fmt.Errorf("%s has no result to work on", p.Op)
			}
		}
		if err := r.known(input); err != nil {
			return err
		}
		step := engineaggregator.Step{ID: fmt.Sprintf("post %d", i+1), Op: p.Op, Inputs: []string{input}}
		if err := within("items", len(p.Items), maxItems); err != nil {
			return err
		}
		if err := readItems(&step, p.Items, p.N); err != nil {
			return err
		}
		r.results = append(r.results, step.ID)
		r.out.Post = append(r.out.Post, step)
	}
	return nil
}

// last is the result before: of the last step, or the only sub-query; "" where it
// is not clear which that is.
func (r *reading) last() string {
	if n := len(r.results); n == 1 || n > len(r.out.SubQueries) {
		return r.results[n-1]
	}
	return ""
}

// unmappedReasons are those that a model can know.
var unmappedReasons = []reason.Reason{reason.ReasonNoDatasource, reason.ReasonUnsupportedDatasource}

func (r *reading) unmapped(a answer) error {
	if err := within("unmapped parts", len(a.Unmapped), maxSteps); err != nil {
		return err
	}
	for _, u := range a.Unmapped {
		if err := short("an unmapped part", u.Text); err != nil {
			return err
		}
		if !slices.Contains(unmappedReasons, u.Reason) {
			return fmt.Errorf("%q is no reason for an unmapped part", u.Reason)
		}
		r.out.Unmapped = append(r.out.Unmapped, wire.Unmapped{Part: strings.TrimSpace(u.Text), Reason: u.Reason})
	}
	return nil
}
