// Package pack reads template packs: the approved wording of one language, as
// YAML. A template is text with placeholders of a closed table; a pack can run
// nothing, and what is wrong with it is found when it is read.
//
// text/template is not used on purpose: it calls methods, loops, and finds a
// missing value only when an answer is due.
package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/language"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// maxPack is far above a pack of every reason in one language; a longer file is
// not a pack.
const maxPack = 1 << 20 // bytes

// Pack is a file of templates. It is read-only after Parse.
type Pack struct {
	ID        string
	Version   int
	Language  language.Tag
	Words     map[Word]string
	Templates []*Template
	Phrases   map[Key]Phrase
	// Sentences are what the host says in English beside the table of reasons, in
	// the pack's language, by the English. One that is missing is shown in English.
	Sentences map[string]Sentence
	// File is the name of the pack's file.
	File string
	Sum  string // SHA-256 of the file, in hex
	line int    // of its language
}

// Word is a single word that cells and lists need.
type Word string

// The words of a pack, a closed set.
const (
	WordNull  Word = "null"
	WordTrue  Word = "true"
	WordFalse Word = "false"
	WordAnd   Word = "and"
	WordMore  Word = "more" // behind a list of which rows are left out; may hold {more_rows}
)

// Words lists every word.
func Words() []Word { return []Word{WordNull, WordTrue, WordFalse, WordAnd, WordMore} }

// Key names a row of the table of reasons.
type Key struct {
	Code   reason.Code
	Reason reason.Reason
}

// Phrase is a failure in plain words, and what to do about it.
type Phrase struct {
	ID       string // pack/phrase@version
	Says, Do string
}

// Shape is the shape of a result.
type Shape string

// The shapes, a closed set.
const (
	ShapeNone   Shape = "none"   // no result at all
	ShapeEmpty  Shape = "empty"  // no rows
	ShapeScalar Shape = "scalar" // one row of one column
	ShapeRow    Shape = "row"    // one row
	ShapeList   Shape = "list"   // one column
	ShapeTable  Shape = "table"
)

// Shapes lists every shape.
func Shapes() []Shape {
	return []Shape{ShapeNone, ShapeEmpty, ShapeScalar, ShapeRow, ShapeList, ShapeTable}
}

// Facts are what a template's conditions are compared with.
type Facts struct {
	Outcome    wire.OutcomeKind
	Shape      Shape
	Code       reason.Code
	Reason     reason.Reason
	Datasource string
	Verified   string // the verified query's id
}

// Template is one wording with the conditions under which it stands.
type Template struct {
	ID      string // pack/id@version
	name    string // id within the pack
	when    conditions
	Format  wire.FormatType // "" leaves the form to the shape
	Summary *Text
	Content *Text

	file string
	line int
}

// document is the YAML of a pack.
type document struct {
	ID        string            `yaml:"id"`
	Version   int               `yaml:"version"`
	Language  string            `yaml:"language"`
	Words     map[Word]string   `yaml:"words"`
	Templates []templateYAML    `yaml:"templates"`
	Phrases   []phraseYAML      `yaml:"phrases"`
	Sentences map[string]string `yaml:"sentences"`
}

type templateYAML struct {
	ID      string          `yaml:"id"`
	Version int             `yaml:"version"`
	When    conditions      `yaml:"when"`
	Format  wire.FormatType `yaml:"format"`
	Summary string          `yaml:"summary"`
	Content string          `yaml:"content"`
}

type phraseYAML struct {
	Code   reason.Code   `yaml:"code"`
	Reason reason.Reason `yaml:"reason"`
	Says   string        `yaml:"says"`
	Do     string        `yaml:"do"`
}

// Parse reads the pack in a file of that name. All that is wrong with it is
// reported at once, as Problems: unknown keys, conditions that can never hold,
// placeholders that do not exist, ids that are missing or used twice.
func Parse(file string, content []byte) (*Pack, error) {
	if why := Unreadable(content); why != "" {
		return nil, Problems{{File: file, Message: why}}
	}
	if len(content) > maxPack {
		return nil, Problems{{File: file, Message: fmt.Sprintf("the pack has %d bytes; at most %d are read", len(content), maxPack)}}
	}
	var doc document
	d := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict())
	if err := d.Decode(&doc); err != nil {
		return nil, Problems{{File: file, Line: lineOf(err), Message: Told(err)}}
	}
	if err := d.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return nil, Problems{{File: file, Message: "a pack is one YAML document"}}
	}
	b := builder{lines: linesOf(content), pack: &Pack{
		ID: doc.ID, Version: doc.Version, File: file,
		Words: map[Word]string{}, Phrases: map[Key]Phrase{}, Sentences: map[string]Sentence{},
	}}
	sum := sha256.Sum256(content)
	b.pack.Sum = hex.EncodeToString(sum[:])
	b.build(doc)
	if err := b.problems.err(); err != nil {
		return nil, err
	}
	return b.pack, nil
}

// lineOf is the line that an error of the YAML library names, 0 for none.
func lineOf(err error) int {
	var placed yaml.Error
	if !errors.As(err, &placed) || placed.GetToken() == nil {
		return 0
	}
	return placed.GetToken().Position.Line
}
