package audit

import (
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// answer checks the answer's words.
func (c *checking) answer() {
	words := c.r.Answer.Words
	if words == nil {
		c.say(Unchecked, "answer", "its words are not in this receipt")
		return
	}
	if own, err := TextHash(words.AggregatedResponse); err != nil || own != c.r.Answer.TextHash {
		c.say(Broken, "answer text", "its words have another hash than the receipt says")
	} else {
		c.say(Checked, "answer text", "")
	}
	c.strict()
	c.templates()
}

// strict checks the hash of the answer's JSON.
func (c *checking) strict() {
	const what = "answer"
	a, err := c.r.answered()
	if errors.Is(err, errNoRows) {
		c.say(Unchecked, what, "%v", err)
		return
	}
	own := ""
	if err == nil {
		own, err = AnswerHash(a)
	}
	if err != nil {
		c.say(Broken, what, "%v", err)
		return
	}
	c.same(what, c.r.Answer.Hash, own)
}

// templates words the answer again, if templates did.
func (c *checking) templates() {
	const what = "words of the templates"
	a := c.r.Answer
	switch {
	case len(a.TemplateIDs) == 0:
		c.say(Unchecked, what, "the answer was worded by %s, which does not word it twice in the same way", a.SynthesizedBy)
		return
	case c.with.Words == nil:
		c.say(Unchecked, what, "needs the template packs")
		return
	}
	got, ids, err := c.with.Words(c.r)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, errNoRows):
		c.say(Unchecked, what, "%v", err)
	case err != nil:
		c.say(Unchecked, what, "the templates could not be asked: %v", err)
	case !slices.Equal(ids, a.TemplateIDs):
		c.differs(what, "the answer says that it was made by %v, and now %v make it", a.TemplateIDs, ids)
	default:
		own, err := TextHash(got)
		if err != nil {
			c.say(Broken, what, "%v", err)
			return
		}
		c.same(what, a.TextHash, own)
	}
}

// part compares a part with the whole receipt.
func (c *checking) part() {
	const what = "what was left out"
	p := c.r.Part
	switch {
	case p == nil:
		return
	case c.with.Whole == nil:
		c.say(Unchecked, what, "this is a part of a receipt: needs the whole one%s", map[bool]string{true: " and the key"}[p.Redacted])
		return
	case c.with.Whole.Hash != p.WholeHash:
		c.say(Broken, what, "the receipt that it was compared with is another one")
		return
	}
	if own, err := c.with.Whole.hash(); err != nil || own != c.with.Whole.Hash {
		c.say(Broken, what, "the receipt that it was compared with was changed")
		return
	}
	if !p.Redacted {
		c.say(Checked, what, "")
		return
	}
	if !c.with.Key.Known() {
		c.say(Unchecked, what, "needs the deployment's key (%s)", c.r.KeyID)
		return
	}
	if err := c.standIns(); err != nil {
		c.say(Broken, what, "%v", err)
		return
	}
	c.say(Checked, what, "the keyed hashes are those of what the whole receipt says")
}

// standIns compares each keyed hash with that of the value in the whole receipt.
func (c *checking) standIns() error {
	whole := c.with.Whole
	d := &redactor{key: c.with.Key, whole: whole}
	if c.r.Question.HMAC != d.mac("question", whole.Question.Text) {
		return errors.New("the question is another one")
	}
	for name, value := range c.r.Caller.Attributes {
		if own, ok := whole.Caller.Attributes[name]; !ok || value != "hmac:"+d.mac("caller.attributes."+name, own) {
			return fmt.Errorf("the attribute %s of the caller is another one", name)
		}
	}
	if len(c.r.Queries) != len(whole.Queries) {
		return errors.New("the number of queries is another one")
	}
	for i, q := range c.r.Queries {
		if len(q.Args) != len(whole.Queries[i].Args) {
			return fmt.Errorf("%s: the number of arguments is another one", q.SubQuery)
		}
		for n, a := range q.Args {
			own := argText(whole.Queries[i].Args[n].Tagged)
			if a.HMAC != "" && a.HMAC != d.mac(argAt(i, n), own) || a.HMAC == "" && argText(a.Tagged) != own {
				return fmt.Errorf("%s: argument %d is another one", q.SubQuery, n+1)
			}
		}
	}
	return nil
}

// errNoRows is why an answer cannot be put together again.
var errNoRows = errors.New("the rows that it shows are not in this receipt")

// TextHash is the hash of an answer's words.
func TextHash(words wire.AggregatedResponse) (string, error) {
	text, err := canonical(words)
	if err != nil {
		return "", err
	}
	return digest(text), nil
}

// AnswerHash is the hash of an answer's strict JSON, with the rows that it shows.
func AnswerHash(a wire.Answer) (string, error) {
	h := newHashWriter()
	if err := answer.WriteJSON(h, a, func(int) (answer.RowReader, error) { return nil, nil }); err != nil {
		return "", err
	}
	return h.sum(), nil
}

// answered is the answer as it was given, put together of what the receipt holds.
func (r *Receipt) answered() (wire.Answer, error) {
	a, w := r.Answer, r.Answer.Words
	results, err := r.Previews()
	if err != nil {
		return wire.Answer{}, err
	}
	out := wire.Answer{
		Outcome: a.Outcome, Question: r.Question.Text, Language: r.Question.Language, AggregatedResponse: w.AggregatedResponse,
		Truncated: w.Truncated, Notes: w.Notes, Results: results, Chart: w.Chart, Queries: r.queries(), Verified: w.Verified, Unmapped: w.Unmapped,
		SynthesizedBy: a.SynthesizedBy, TemplateIDs: a.TemplateIDs, FallbackReason: a.FallbackReason,
	}
	if w.Failure != nil {
		f := *w.Failure
		if w.Partial {
			f.Partial, out.Results = results, nil
		}
		out.Failure = &f
	}
	return out, nil
}

// Previews are the results as the answer showed them. The error says that the
// receipt does not hold their rows.
func (r *Receipt) Previews() ([]wire.Preview, error) {
	var out []wire.Preview
	for _, res := range r.Results {
		if res.Rows == nil {
			return nil, errNoRows
		}
		rows, err := res.values()
		if err != nil {
			return nil, err
		}
		out = append(out, wire.Preview{
			SubQuery: res.SubQuery, Part: res.Part, Columns: res.Columns, Rows: rows, RowCount: res.RowCount,
			Partial: res.Partial, Truncated: res.Truncated, RowCap: res.RowCap,
		})
	}
	return out, nil
}

// queries are those that the answer names.
func (r *Receipt) queries() []wire.Query {
	var out []wire.Query
	for _, q := range r.Queries {
		w := wire.Query{
			SubQuery: q.SubQuery, Datasource: q.Datasource, PlanID: q.PlanID, SecuredID: q.SecuredID, Plan: q.Plan, SQL: q.SQL, Planner: q.Planner,
		}
		for _, a := range q.Args {
			w.Args = append(w.Args, a.Tagged)
		}
		out = append(out, w)
	}
	return out
}
