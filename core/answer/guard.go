package answer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"querent.dev/querent/sdk/wire"
)

// checkSuccess refuses a text with a number that is neither in the preview, nor
// a row count or limit, nor in the question or the host's notes.
func checkSuccess(o wire.Outcome, r wire.AggregatedResponse) error {
	known := numberSet{}
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
	return known.check(r)
}

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
	known := numberSet{}
	known.add(o.Question, f.Requirement, f.FailedStep, f.Message, f.NextAction, f.PlanID, f.TraceID, f.Datasource, f.Provider)
	for _, list := range [][]string{f.Attempted, f.NotKnown, f.Choices, f.Proposals, o.DataNotes} {
		known.add(list...)
	}
	known.addPreviews(f.Partial)
	return known.check(r)
}

// numberSet holds numbers in their canonical spelling.
type numberSet map[string]bool

func (s numberSet) add(texts ...string) {
	for _, text := range texts {
		for _, n := range numbers(text) {
			s[n] = true
		}
	}
}

func (s numberSet) addPreviews(list []wire.Preview) {
	for _, p := range list {
		s.add(fmt.Sprint(p.RowCount), fmt.Sprint(len(p.Rows)))
		if p.RowCap > 0 {
			s.add(fmt.Sprint(p.RowCap))
		}
		for _, c := range p.Columns {
			s.add(c.Name)
		}
		for _, row := range p.Rows {
			for _, v := range row {
				s.add(v.String())
			}
		}
	}
}

// check finds a number of the text that is not in the set.
func (s numberSet) check(r wire.AggregatedResponse) error {
	for _, text := range append([]string{r.Summary, listNumber.ReplaceAllString(r.Content, "")}, r.Warnings...) {
		if strings.ContainsFunc(norm.NFKC.String(text), foreignDigit) {
			return errors.New("the text holds digits of a script that cannot be checked")
		}
		for _, n := range numbers(text) {
			if !s[n] {
				return fmt.Errorf("the number %s is not in the result", n)
			}
		}
	}
	return nil
}

func foreignDigit(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }

var (
	// listNumber is the counter of a numbered list, which states nothing.
	listNumber = regexp.MustCompile(`(?m)^\s*\d{1,2}[.)]\s`)
	// number is an optional minus, then digits, perhaps in groups of three, then
	// a fraction.
	number = regexp.MustCompile(`[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`)
)

// numbers are the numbers in text, canonically spelled: "1,200.50" is 1200.5. A
// hyphen between digits or letters is no minus.
func numbers(text string) []string {
	text = norm.NFKC.String(text)
	var out []string
	for _, at := range number.FindAllStringIndex(text, -1) {
		out = append(out, canonical(text[at[0]:at[1]], text[:at[0]]))
	}
	return out
}

func canonical(n, before string) string {
	digits := strings.TrimLeft(n, "-−")
	negative := digits != n && !endsInWord(before)
	digits = strings.ReplaceAll(digits, ",", "")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative && whole != "0" {
		return "-" + whole
	}
	return whole
}

func endsInWord(before string) bool {
	last := []rune(before)
	if len(last) == 0 {
		return false
	}
	r := last[len(last)-1]
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
