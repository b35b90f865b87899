package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"querent.dev/querent/core/plan"
)

const (
	// keptForms is more than the forms that are asked for: one for each node, some of
	// them for each choice of datasources.
	keptForms = 64
	// mostViolations bounds what a model is told: the rest follows from the first.
	mostViolations = 8
	// deepestForm is far above the forms that are asked for.
	deepestForm = 32
)

// forms are the compiled schemas by their text; one that does not compile is nil.
var forms = newForms()

func newForms() *lru.Cache[string, *jsonschema.Schema] {
	c, err := lru.New[string, *jsonschema.Schema](keptForms)
	if err != nil {
		panic(err) // it refuses sizes below one alone
	}
	return c
}

func formOf(schema json.RawMessage) *jsonschema.Schema {
	if known, ok := forms.Get(string(schema)); ok {
		return known
	}
	form := compiled(schema)
	forms.Add(string(schema), form)
	return form
}

// formURL names a schema inside the compiler. It is absolute, since a relative one
// would be looked for in the working directory.
const formURL = "querent:///form.json"

func compiled(schema json.RawMessage) *jsonschema.Schema {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(formURL, tree); err != nil {
		return nil
	}
	form, err := c.Compile(formURL)
	if err != nil {
		return nil
	}
	return form
}

// fits says everything in which an object differs from a schema, a line each, and
// refuses keys that stand twice and numbers of no use. A schema that does not compile checks nothing but
// these: it is the host's own, or a plan's, which is checked by its reader.
func fits(schema json.RawMessage, object []byte) error {
	if err := unreadable(object); err != nil {
		return err
	}
	form := formOf(schema)
	if form == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		return fmt.Errorf("the answer cannot be read: %w", err)
	}
	var invalid *jsonschema.ValidationError
	if err := form.Validate(value); errors.As(err, &invalid) {
		return errors.New(strings.Join(violations(invalid, nil), "\n"))
	}
	return nil
}

var english = message.NewPrinter(language.English)

func violations(e *jsonschema.ValidationError, found []string) []string {
	if len(found) >= mostViolations {
		return found
	}
	if len(e.Causes) == 0 {
		place := "the object"
		if len(e.InstanceLocation) > 0 {
			place = strings.Join(e.InstanceLocation, ".")
		}
		return append(found, fmt.Sprintf("- %s: %s", place, e.ErrorKind.LocalizedString(english)))
	}
	for _, cause := range e.Causes {
		found = violations(cause, found)
	}
	return found
}

// unreadable refuses an object in which a key stands twice, since readers differ in
// which of the two they take, and one with a number that takes long to work out.
func unreadable(object []byte) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var open []map[string]bool // nil for a list
	key := false               // the next text is a key
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the end; what cannot be read is for its reader to say
		}
		switch token {
		case json.Delim('{'):
			open, key = append(open, map[string]bool{}), true
		case json.Delim('['):
			open, key = append(open, nil), false
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			key = len(open) > 0 && open[len(open)-1] != nil
		default:
			inObject := len(open) > 0 && open[len(open)-1] != nil
			if name, ok := token.(string); ok && key && inObject {
				if open[len(open)-1][name] {
					return fmt.Errorf("- the key %q stands twice", name)
				}
				open[len(open)-1][name] = true
				key = false
				continue
			}
			if n, ok := token.(json.Number); ok && endless(string(n)) {
				return errors.New("- a number is too long, or its exponent is too large")
			}
			key = inObject
		}
		if len(open) > deepestForm {
			return errors.New("- the answer nests too deep")
		}
	}
}

// The largest numbers of a schema's check, which works them out to the last digit: a
// thousand digits, which no figure of a database has, cost it next to nothing.
const (
	longestNumber   = 1000 // bytes
	longestExponent = 3    // digits
)

// endless reports whether a number has more digits than any answer needs, as 1e999999
// does.
func endless(number string) bool {
	exponent := number[1+strings.IndexAny(number, "eE"):] // all of it where there is none
	return len(number) > longestNumber || len(exponent) < len(number) && len(strings.TrimLeft(exponent, "+-")) > longestExponent
}

// violationText is what is wrong with an output, in words for the model.
func violationText(violation error) string {
	var told interface{ ForModel() string }
	if errors.As(violation, &told) {
		return told.ForModel()
	}
	var inPlan *plan.Error
	if errors.As(violation, &inPlan) {
		return inPlan.Error()
	}
	return violation.Error()
}
