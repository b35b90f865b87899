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
	lines    lines
	pack     *Pack
	problems Problems
}

// fail notes what is wrong with the part of that line and id.
func (b *builder) fail(line int, id, format string, args ...any) {
	b.problems = append(b.problems, Problem{b.pack.File, line, id, fmt.Sprintf(format, args...)})
}

func (b *builder) build(doc document) {
	if !identifier.MatchString(doc.ID) {
		b.fail(b.lines.of("id"), "", "id is %q; it must be lower case letters, digits, dots, dashes or underscores", doc.ID)
	}
	if doc.Version < 1 {
		b.fail(b.lines.of("version"), "", "version is %d; versions count from 1", doc.Version)
	}
	b.pack.line = b.lines.of("language")
	tag, err := language.Parse(doc.Language)
	if err != nil {
		b.fail(b.pack.line, "", "language is %q; it must be a BCP 47 tag such as en or ko", doc.Language)
	}
	b.pack.Language = tag
	for _, w := range sorted(doc.Words) {
		b.word(w, doc.Words[w])
	}
	for i, t := range doc.Templates {
		b.template(i, t)
	}
	for i, p := range doc.Phrases {
		b.phrase(i, p)
	}
	for _, english := range sorted(doc.Sentences) {
		b.sentence(english, doc.Sentences[english])
	}
}

func (b *builder) word(w Word, text string) {
	if !slices.Contains(Words(), w) {
		b.fail(b.lines.of("words"), "", "words: there is no word %q (known: %v)", w, Words())
		return
	}
	b.pack.Words[w] = text
}

func (b *builder) template(i int, y templateYAML) {
	line := b.lines.of("templates", i, "id")
	id := fmt.Sprintf("template %q", y.ID)
	fail := func(format string, args ...any) { b.fail(line, id, format, args...) }
	if !identifier.MatchString(y.ID) || y.Version < 1 {
		fail("a template needs an id and a version from 1")
	}
	if slices.ContainsFunc(b.pack.Templates, func(t *Template) bool { return t.name == y.ID }) {
		fail("the id is used twice")
	}
	if y.Summary == "" {
		fail("the summary is missing")
	}
	if y.Format != "" && !slices.Contains([]wire.FormatType{wire.FormatTable, wire.FormatList, wire.FormatText}, y.Format) {
		fail("format is %q; it must be table, list or text", y.Format)
	}
	for _, problem := range y.When.problems() {
		fail("%s", problem)
	}
	t := &Template{
		ID:   fmt.Sprintf("%s/%s@%d", b.pack.ID, y.ID, y.Version),
		name: y.ID, when: y.When, Format: y.Format, file: b.pack.File, line: line,
	}
	t.Summary = b.text(b.lines.of("templates", i, "summary"), id, "summary", y.Summary)
	t.Content = b.text(b.lines.of("templates", i, "content"), id, "content", y.Content)
	b.pack.Templates = append(b.pack.Templates, t)
}

func (b *builder) text(line int, id, part, source string) *Text {
	t, err := ParseText(source)
	if err != nil {
		b.fail(line, id, "%s: %v", part, err)
		return &Text{}
	}
	t.line = line
	return t
}

func (b *builder) phrase(i int, y phraseYAML) {
	key := Key{y.Code, y.Reason}
	id := fmt.Sprintf("phrase %s/%s", y.Code, y.Reason)
	fail := func(format string, args ...any) { b.fail(b.lines.of("phrases", i, "code"), id, format, args...) }
	if _, ok := reason.Lookup(y.Code, y.Reason); !ok {
		fail("there is no such code with such a reason")
	}
	if _, twice := b.pack.Phrases[key]; twice {
		fail("it stands there twice")
	}
	if y.Says == "" || y.Do == "" {
		fail("says and do are both needed")
	}
	b.pack.Phrases[key] = Phrase{
		ID:   fmt.Sprintf("%s/%s.%s@%d", b.pack.ID, y.Code, y.Reason, b.pack.Version),
		Says: y.Says, Do: y.Do,
	}
}

func (b *builder) sentence(english, own string) {
	s, err := parseSentence(english, own)
	if err != nil {
		b.fail(b.lines.of("sentences", english), fmt.Sprintf("sentence %q", english), "%v", err)
		return
	}
	b.pack.Sentences[english] = s
}
