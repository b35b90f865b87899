package answer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"querent.dev/querent/sdk/wire"
)

// checkSuccess refuses a text with a number, in figures or in words, that is
// neither in the preview, nor a row count or limit, nor in the question or the
// host's notes.
func checkSuccess(o wire.Outcome, r wire.AggregatedResponse) error {
	if err := checkBounds(o.Results, r); err != nil {
		return err
	}
	return checkFigures(r, func(known *facts) {
		known.add(o.Question)
		known.add(o.DataNotes...)
		known.add(o.ResultLimits...)
		if v := o.Verified; v != nil {
			known.add(v.ID, v.Description, v.VerifiedBy, v.VerifiedAt)
		}
		for _, u := range o.Unmapped {
			known.add(u.Part)
		}
		known.addPreviews(o.Results)
	})
}

// checkFigures refuses a text with a number that is none of the facts. They are
// collected only when the text holds a number at all.
func checkFigures(r wire.AggregatedResponse, collect func(*facts)) error {
	var known *facts
	for _, text := range append([]string{r.Summary, withoutCounters(r.Content)}, r.Warnings...) {
		text = norm.NFKC.String(text)
		if !ascii(text) && (strings.ContainsFunc(text, foreignDigit) || hasForeignWords(text)) {
			return errors.New("the text holds numbers of a script that cannot be checked")
		}
		if len(numbers(text)) == 0 {
			continue
		}
		if known == nil {
			known = newFacts()
			collect(known)
		}
		if err := known.check(text); err != nil {
			return err
		}
	}
	return nil
}

func foreignDigit(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }

// apology finds the excuses that a model puts in place of a reason.
var apology = regexp.MustCompile(`(?i)\b(sorry|apolog(y|ies|i[sz]e)|regret(s|fully)?|unfortunately)\b|죄송|미안|유감`)

// checkFailure refuses an explanation that hides the reason or the place of the
// failure, that apologises, or that holds a number of its own.
func checkFailure(o wire.Outcome, r wire.AggregatedResponse) error {
	f := o.Failure
	text := r.Summary + "\n" + r.Content
	if !strings.Contains(text, string(f.Reason)) {
		return fmt.Errorf("the explanation does not name the reason %s", f.Reason)
	}
	if !strings.Contains(text, string(f.Stage)) && (f.FailedStep == "" || !strings.Contains(text, f.FailedStep)) {
		return fmt.Errorf("the explanation names neither the stage %s nor the failed step", f.Stage)
	}
	if found := apology.FindString(text); found != "" {
		return fmt.Errorf("the explanation apologises (%q)", found)
	}
	return checkFigures(r, func(known *facts) {
		known.add(o.Question, f.Requirement, f.FailedStep, f.Message, f.NextAction, f.PlanID, f.TraceID, f.Datasource, f.Provider)
		for _, list := range [][]string{f.Attempted, f.NotKnown, f.Choices, f.Proposals, o.DataNotes} {
			known.add(list...)
		}
		known.addPreviews(f.Partial)
	})
}

// hedged finds the words that say of a count that there may be more.
var hedged = regexp.MustCompile(`(?i)at least|or more|more than|cut|limit|incomplete|이상|최소|적어도|제한|잘렸|잘린|mindestens|au moins|al menos`)

// checkBounds refuses a text that gives the row count of a cut result as if it
// were the whole.
func checkBounds(list []wire.Preview, r wire.AggregatedResponse) error {
	for _, text := range []string{r.Summary, r.Content} {
		for _, p := range list {
			if p.Truncated && slices.Contains(numbers(text), fmt.Sprint(p.RowCount)) && !hedged.MatchString(text) {
				return fmt.Errorf("the text gives %d as the row count of a result that was cut there", p.RowCount)
			}
		}
	}
	return nil
}
