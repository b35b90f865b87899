package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/wire"
)

// Arguments says which arguments of statements a redacted receipt leaves out.
type Arguments = config.AuditArguments

// Redaction says what a redacted receipt leaves out.
type Redaction struct {
	Arguments Arguments // "" is config.ArgumentsText
	// Find gives the personal data in a text, as places of bytes in their order
	// that do not overlap. Nil finds none but the arguments that are left out.
	Find func(text string) [][2]int
}

// ForAsker is the part of a whole receipt that who asked may see: without the
// rules of the policy, and with that part of the structure alone that the asker may
// see, or none where filters or masks are in the SQL. Where redaction took something
// out of the answer, it is without its words and rows, too.
func (r *Receipt) ForAsker(key Key) (*Receipt, error) {
	p := r.part()
	p.reduce(r)
	p.withoutTaken()
	return p.Sealed(key)
}

// AsGiven is r if redaction took nothing out of the answer, and else without the
// answer's words and rows.
func (r *Receipt) AsGiven(key Key) (*Receipt, error) {
	if r.Answer.Given == nil {
		return r, nil
	}
	p := r.part()
	p.withoutTaken()
	return p.Sealed(key)
}

func (r *Receipt) withoutTaken() {
	if r.Answer.Given != nil {
		r.withoutContent()
	}
}

// withoutContent takes out the words and the rows.
func (r *Receipt) withoutContent() {
	if r.Answer.Words != nil {
		r.Answer.Words = nil
		r.withhold("answer.words")
	}
	for i := range r.Results {
		if r.Results[i].Rows != nil {
			r.Results[i].Rows = nil
			r.withhold(fmt.Sprintf("results[%d].rows", i))
		}
	}
}

// part is a copy of r that can be changed at its top and in its queries and
// results.
func (r *Receipt) part() Receipt {
	p := *r
	p.Part = &Part{WholeHash: r.Hash}
	if r.Part != nil {
		own := *r.Part
		own.Withheld = slices.Clone(own.Withheld)
		p.Part = &own
	}
	p.Queries, p.Results = slices.Clone(r.Queries), slices.Clone(r.Results)
	return p
}

func (r *Receipt) withhold(field string) {
	if !slices.Contains(r.Part.Withheld, field) {
		r.Part.Withheld = append(r.Part.Withheld, field)
	}
}

func (r *Receipt) withoutBasis() {
	for i := range r.Queries {
		if r.Queries[i].Basis != nil {
			r.Queries[i].Basis = nil
			r.withhold(fmt.Sprintf("queries[%d].basis", i))
		}
	}
}

// Redacted is r for those who may not see the data that it names: keyed hashes
// stand where arguments and personal data stood, and rows and words are left out. It
// needs a key: a hash without one could be tried out.
func (r *Receipt) Redacted(key Key, how Redaction) (*Receipt, error) {
	if !key.Known() {
		return nil, errors.New("a redacted receipt needs the deployment's key, which stands in for what is left out: set audit.key (querent audit keygen makes one)")
	}
	if r.Part != nil && r.Part.Redacted {
		return nil, errors.New("the receipt is redacted already")
	}
	if how.Arguments == "" {
		how.Arguments = config.ArgumentsText
	}
	p := r.part()
	p.Part.Redacted, p.Part.Arguments = true, how.Arguments
	red := &redactor{key: key, how: how, whole: r}
	for i := range p.Queries {
		red.query(&p, i)
	}
	p.Question = red.question(r.Question)
	p.Caller.Attributes = maps.Clone(r.Caller.Attributes)
	for name, value := range p.Caller.Attributes {
		p.Caller.Attributes[name] = "hmac:" + red.mac("caller.attributes."+name, value)
	}
	red.content(&p)
	return p.Sealed(key)
}

// redactor is one making of a redacted receipt.
type redactor struct {
	key   Key
	how   Redaction
	whole *Receipt
	gone  []string // texts that were left out, which must not stand elsewhere
}

// mac stands for a value at a place of the receipt. The run is in it, so that the
// same value in two receipts is not told by its hash.
func (d *redactor) mac(at, value string) string {
	return d.key.mac(purposeValue, d.whole.RunID, at, value)
}

func (d *redactor) query(p *Receipt, i int) {
	q := &p.Queries[i]
	if q.Plan != nil {
		plain := *q.Plan
		plain.Reasoning = ""
		q.Plan = &plain
	}
	q.Args = slices.Clone(q.Args)
	var texts []string
	replaced := false
	for n := range q.Args {
		a := &q.Args[n]
		if !d.leaves(d.whole.Queries[i], a.Tagged) {
			continue
		}
		replaced = true
		texts = append(texts, a.Text)
		*a = Arg{Tagged: wire.Tagged{Kind: a.Kind}, HMAC: d.mac(argAt(i, n), argText(a.Tagged))}
	}
	d.gone = append(d.gone, texts...)
	if q.Plan != nil && (replaced || d.how.Arguments != config.ArgumentsNone) {
		d.plan(p, i, texts)
	}
}

// argText is an argument as it is hashed.
func argText(t wire.Tagged) string {
	text, _ := canonical(t) // kinds and texts always encode
	return string(text)
}

func argAt(query, arg int) string {
	return "queries[" + strconv.Itoa(query) + "].args[" + strconv.Itoa(arg) + "]"
}

// hiddenArg is what already stands for an argument that its caller may not see.
const hiddenArg = "(hidden)"

// leaves reports whether an argument is left out.
func (d *redactor) leaves(q Query, a wire.Tagged) bool {
	textual := a.Kind == wire.KindText || a.Kind == wire.KindJSON || a.Kind == wire.KindBytes || a.Kind == wire.KindUUID || a.Kind == wire.KindArray
	switch {
	case a.Kind == wire.KindNull, a.Kind == wire.KindText && a.Text == hiddenArg:
		return false
	case d.how.Arguments == config.ArgumentsAll:
		return true
	case d.how.Arguments == config.ArgumentsTagged:
		return textual && q.tagged()
	}
	return textual && d.how.Arguments == config.ArgumentsText
}

// tagged reports whether a table that the query reads has a tagged column, or may
// have one.
func (q Query) tagged() bool {
	if q.Basis == nil {
		return true
	}
	return slices.ContainsFunc(q.Basis.Tables, func(t Table) bool {
		return slices.ContainsFunc(t.Columns, func(c Column) bool { return len(c.Tags) > 0 })
	})
}

// plan replaces the texts in a plan, as long as the same SQL comes of it; else the
// plan is withheld.
func (d *redactor) plan(p *Receipt, i int, texts []string) {
	q := &p.Queries[i]
	if d.how.Arguments == config.ArgumentsTagged && !d.whole.Queries[i].tagged() {
		return
	}
	plain, gone := withoutTexts(*q.Plan, texts)
	d.gone = append(d.gone, gone...)
	if len(gone) == 0 && d.how.Arguments != config.ArgumentsAll {
		return
	}
	q.Plan = &plain
	written, err := d.whole.render(i, plain)
	if err != nil || written.sql != q.SQL || !sameArgs(q.Args, written.args) || d.how.Arguments == config.ArgumentsAll {
		q.Plan = nil
		p.withhold(fmt.Sprintf("queries[%d].plan", i))
	}
}

// sameArgs reports whether the arguments that are there are those of a statement.
func sameArgs(args []Arg, again []wire.Value) bool {
	if len(args) != len(again) {
		return false
	}
	for i, a := range args {
		if a.HMAC == "" && argText(a.Tagged) != argText(wire.Tag(again[i])) {
			return false
		}
	}
	return true
}

// question is the question with placeholders for what Find finds and for what was
// left out elsewhere.
func (d *redactor) question(q Question) Question {
	q.HMAC = d.mac("question", q.Text)
	for n, s := range d.spans(q.Text) {
		at := Placeholder{Text: fmt.Sprintf("[redacted %d]", n+1), HMAC: d.mac(fmt.Sprintf("question[%d]", n), q.Text[s[0]:s[1]])}
		q.Redacted = append(q.Redacted, at)
	}
	// From the end, so that the places before stay right.
	spans := d.spans(q.Text)
	for n := len(spans) - 1; n >= 0; n-- {
		q.Text = q.Text[:spans[n][0]] + q.Redacted[n].Text + q.Text[spans[n][1]:]
	}
	return q
}

// spans are the places to replace in a text, in order and apart.
func (d *redactor) spans(text string) [][2]int {
	var found [][2]int
	if d.how.Find != nil {
		found = d.how.Find(text)
	}
	lower := strings.ToLower(text)
	for _, gone := range d.gone {
		found = append(found, occurrences(lower, strings.ToLower(strings.Trim(gone, "%_ ")), len(text))...)
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	var out [][2]int
	for _, s := range found {
		if last := len(out) - 1; last >= 0 && s[0] < out[last][1] {
			out[last][1] = max(out[last][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

// occurrences are the places of part in a text whose lower case is lower. Where the
// lower case has another length than the text, no place can be told, and all of
// the text is one.
func occurrences(lower, part string, length int) [][2]int {
	var out [][2]int
	for at := 0; part != ""; {
		i := strings.Index(lower[at:], part)
		if i < 0 {
			break
		}
		if len(lower) != length {
			return [][2]int{{0, length}}
		}
		out = append(out, [2]int{at + i, at + i + len(part)})
		at += i + len(part)
	}
	return out
}

// content takes out rows and words, which say what the arguments say.
func (d *redactor) content(p *Receipt) {
	p.withoutContent()
	if p.Steps != nil {
		p.Steps = nil
		p.withhold("steps")
	}
	for i := range p.Results {
		p.Results[i].Part = ""
	}
}
