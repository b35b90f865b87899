package pack

import (
	"fmt"
	"regexp"
	"slices"

	"golang.org/x/text/language"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// identifier is what an id may look like, so that pack/id@version reads back.
var identifier = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// builder turns a document into a Pack and collects what is wrong.
type builder struct {
	file     string
	pack     *Pack
	problems []error
}

func (b *builder) fail(format string, args ...any) {
	b.problems = append(b.problems, fmt.Errorf("%s: "+format, append([]any{b.file}, args...)...))
}

func (b *builder) build(doc document) {
	if !identifier.MatchString(doc.ID) {
		b.fail("id is %q; it must be lower case letters, digits, dots, dashes or underscores", doc.ID)
	}
	if doc.Version < 1 {
		b.fail("version is %d; versions count from 1", doc.Version)
	}
	tag, err := language.Parse(doc.Language)
	if err != nil {
		b.fail("language is %q; it must be a BCP 47 tag such as en or ko", doc.Language)
	}
	b.pack.Language = tag
	for _, w := range sorted(doc.Words) {
		b.word(w, doc.Words[w])
	}
	for _, t := range doc.Templates {
		b.template(t)
	}
	for _, p := range doc.Phrases {
		b.phrase(p)
	}
}

func (b *builder) word(w Word, text string) {
	if !slices.Contains(Words(), w) {
		b.fail("words: there is no word %q (known: %v)", w, Words())
		return
	}
	b.pack.Words[w] = text
}

func (b *builder) template(y templateYAML) {
	at := fmt.Sprintf("template %q", y.ID)
	if !identifier.MatchString(y.ID) || y.Version < 1 {
		b.fail("%s: a template needs an id and a version from 1", at)
	}
	if slices.ContainsFunc(b.pack.Templates, func(t *Template) bool { return t.name == y.ID }) {
		b.fail("%s: the id is used twice", at)
	}
	if y.Summary == "" {
		b.fail("%s: the summary is missing", at)
	}
	if y.Format != "" && !slices.Contains([]wire.FormatType{wire.FormatTable, wire.FormatList, wire.FormatText}, y.Format) {
		b.fail("%s: format is %q; it must be table, list or text", at, y.Format)
	}
	for _, problem := range y.When.problems() {
		b.fail("%s: %s", at, problem)
	}
	b.pack.Templates = append(b.pack.Templates, &Template{
		ID:   fmt.Sprintf("%s/%s@%d", b.pack.ID, y.ID, y.Version),
		name: y.ID, when: y.When, Format: y.Format,
		Summary: b.text(at+": summary", y.Summary),
		Content: b.text(at+": content", y.Content),
	})
}

func (b *builder) text(at, source string) *Text {
	t, err := ParseText(source)
	if err != nil {
		b.fail("%s: %v", at, err)
	}
	return t
}

func (b *builder) phrase(y phraseYAML) {
	key := Key{y.Code, y.Reason}
	at := fmt.Sprintf("phrase %s/%s", y.Code, y.Reason)
	if _, ok := reason.Lookup(y.Code, y.Reason); !ok {
		b.fail("%s: there is no such code with such a reason", at)
	}
	if _, twice := b.pack.Phrases[key]; twice {
		b.fail("%s: it stands there twice", at)
	}
	if y.Says == "" || y.Do == "" {
		b.fail("%s: says and do are both needed", at)
	}
	b.pack.Phrases[key] = Phrase{
		ID:   fmt.Sprintf("%s/%s.%s@%d", b.pack.ID, y.Code, y.Reason, b.pack.Version),
		Says: y.Says, Do: y.Do,
	}
}
