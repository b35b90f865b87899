package answer

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/sdk/wire"
)

// unproved is the error of a text of which parts agree with nothing that was seen. Its
// text holds none of them: it goes to logs.
type unproved []ground.Violation

func (u unproved) Error() string {
	return fmt.Sprintf("%d parts of the text agree with nothing in the result", len(u))
}

// Safe says it to the asker.
func (u unproved) Safe() string { return notes.Untraced }

// ForModel says to the model that wrote the text which parts these are.
func (u unproved) ForModel() string {
	var b strings.Builder
	b.WriteString("These parts of it are not in the data, or are not what the data has for what the sentence names:\n")
	for _, v := range u[:min(len(u), maxTold)] {
		fmt.Fprintf(&b, "- %s\n", v.Error())
	}
	b.WriteString("Correct each of them from the data, or leave it out. Keep the other sentences as they are.")
	return b.String()
}

// maxTold is how many parts a model is told of: those after them mostly follow from
// these.
const maxTold = 20

// successCheck is the check of a model's text about an outcome with results.
func successCheck(o wire.Outcome, rules string) checking {
	checker := sync.OnceValue(func() checkers {
		e := ground.Evidence{Results: o.Results, Question: o.Question, Language: o.Language}
		e.Said = append(append(e.Said, o.DataNotes...), o.ResultLimits...)
		if v := o.Verified; v != nil {
			e.Said = append(e.Said, v.Description, v.VerifiedBy, v.VerifiedAt)
			e.Verbatim = append(e.Verbatim, v.ID)
		}
		for _, u := range o.Unmapped {
			e.Said = append(e.Said, u.Part, strings.ReplaceAll(string(u.Reason), "_", " "))
			e.Verbatim = append(e.Verbatim, string(u.Reason))
		}
		return checkers{ground.New(e), newSteering(rules+"\n"+failureRules, o.Results, o.Question)}
	})
	return checking{
		check:   func(r wire.AggregatedResponse) error { return checker().prove(r) },
		prepare: func() { checker() },
	}
}

// checkers are what a text about one outcome is checked with.
type checkers struct {
	facts    *ground.Checker
	steering steering
}

// prove checks the fields of a text.
func (c checkers) prove(r wire.AggregatedResponse) error {
	found := unproved(c.facts.CheckAnswer(r.Summary, r.Content))
	for _, text := range r.Warnings {
		found = append(found, c.facts.Check(text)...)
	}
	for _, text := range append([]string{r.Summary, r.Content}, r.Warnings...) {
		found = append(found, c.steering.check(text)...)
	}
	if len(found) > 0 {
		return found
	}
	return nil
}

// apology finds the excuses that a model puts in place of a reason.
var apology = regexp.MustCompile(`(?i)\b(sorry|apolog(y|ies|i[sz]e)|regret(s|fully)?|unfortunately)\b|죄송|미안|유감`)

// lacking is the error of an explanation that may still become right when it goes on.
type lacking string

func (l lacking) Error() string { return string(l) }

// failureCheck is the check of a model's explanation: it must not apologise, or say what
// the record does not, or hide the reason or the place of the failure.
func failureCheck(o wire.Outcome) checking {
	f := o.Failure
	checker := sync.OnceValue(func() checkers {
		return checkers{ground.New(failureEvidence(o)), newSteering(failureRules+"\n"+successRules, f.Partial, f.Requirement, f.Message, f.NextAction)}
	})
	return checking{prepare: func() { checker() }, check: func(r wire.AggregatedResponse) error {
		text := r.Summary + "\n" + r.Content
		if slices.ContainsFunc(append([]string{text}, r.Warnings...), apology.MatchString) {
			return errors.New("the explanation apologises")
		}
		if err := checker().prove(withoutRecord(r, f)); err != nil {
			return err
		}
		if claims := unproved(restated(text, f.Requirement, append([]string{f.Message, f.NextAction}, f.Attempted...))); len(claims) > 0 && len(f.Partial) == 0 {
			return claims
		}
		if !names(text, string(f.Reason)) {
			return lacking(fmt.Sprintf("the explanation does not name the reason %s", f.Reason))
		}
		if !names(text, string(f.Stage)) && (f.FailedStep == "" || !names(text, f.FailedStep)) {
			return lacking(fmt.Sprintf("the explanation names neither the stage %s nor the failed step", f.Stage))
		}
		return nil
	}}
}

// withoutRecord is an explanation without the sentences of the record, which hold as they
// stand.
func withoutRecord(r wire.AggregatedResponse, f *wire.Failure) wire.AggregatedResponse {
	for _, own := range []string{f.Message, f.NextAction} {
		if own != "" {
			r.Summary, r.Content = strings.ReplaceAll(r.Summary, own, ""), strings.ReplaceAll(r.Content, own, "")
		}
	}
	return r
}

// names reports whether a text has a word of the record as it stands there: "planned" does
// not name the stage plan. Korean puts its particles right behind it.
func names(text, word string) bool {
	inWord := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 || word == "" {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !inWord(text[from-1])) && (to == len(text) || !inWord(text[to])) {
			return true
		}
		at = to
	}
}

// failureEvidence is all that an explanation may speak of. The results beside a failure
// are not the whole of what was asked for.
func failureEvidence(o wire.Outcome) ground.Evidence {
	f := o.Failure
	// What was asked proves nothing: it may claim whatever it likes.
	e := ground.Evidence{Results: f.Partial, Incomplete: true, Question: cmp.Or(o.Question, f.Requirement), Language: o.Language}
	e.Said = append(e.Said, f.Message, f.NextAction)
	for _, list := range [][]string{f.Attempted, f.NotKnown, f.Choices, f.Proposals, o.DataNotes} {
		e.Said = append(e.Said, list...)
	}
	e.Verbatim = []string{f.FailedStep, string(f.Stage), string(f.Reason), string(f.Code), f.PlanID, f.TraceID, f.Datasource, f.Provider}
	return e
}
