package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"querent.dev/querent/sdk/wire"
)

const (
	// sampleRows are measured before the first is written. Later rows that are
	// wider push their line out: that is better than holding a large result.
	sampleRows = 1000
	columnGap  = "  "
	nullText   = "NULL"
)

// terminal counts columns as a terminal of any locale does: ambiguous characters
// are narrow, so that output does not depend on LANG.
var terminal = func() *runewidth.Condition {
	c := runewidth.NewCondition()
	c.EastAsianWidth = false
	return c
}()

// Table writes the rows of every result as an aligned table, row by row. Floats
// are rounded to the digits that people read; CSV and JSON keep them all.
func Table(w io.Writer, a wire.Answer, rows Rows) error {
	for i, result := range a.Results {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return fmt.Errorf("write a table: %w", err)
			}
		}
		t := &table{w: bufio.NewWriter(w), columns: result.Columns}
		err := each(a, i, rows, t.add)
		if err == nil {
			err = t.end()
		}
		if err != nil {
			return fmt.Errorf("write a table: %w", err)
		}
	}
	return nil
}

// table aligns rows. Rows wait until sampleRows are there or the end is.
type table struct {
	w       *bufio.Writer
	columns []wire.Column
	// widest bounds a cell; 0 means any width.
	widest  int
	waiting [][]string
	widths  []int // set once the head is written
}

func (t *table) add(row []wire.Value) error {
	cells := make([]string, len(t.columns))
	for i := range cells {
		cells[i] = t.cell(row[i])
	}
	if t.widths != nil {
		return t.line(cells)
	}
	t.waiting = append(t.waiting, cells)
	if len(t.waiting) < sampleRows {
		return nil
	}
	return t.begin()
}

func (t *table) end() error {
	if t.widths == nil {
		if err := t.begin(); err != nil {
			return err
		}
	}
	return t.w.Flush()
}

func (t *table) begin() error {
	head := make([]string, len(t.columns))
	t.widths = make([]int, len(t.columns))
	for i, c := range t.columns {
		head[i] = Escape(c.Name)
		t.widths[i] = terminal.StringWidth(head[i])
		for _, row := range t.waiting {
			t.widths[i] = max(t.widths[i], terminal.StringWidth(row[i]))
		}
	}
	rule := make([]string, len(t.columns))
	for i, width := range t.widths {
		rule[i] = strings.Repeat("-", width)
	}
	for _, row := range append([][]string{head, rule}, t.waiting...) {
		if err := t.line(row); err != nil {
			return err
		}
	}
	t.waiting = nil
	return nil
}

func (t *table) line(cells []string) error {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(columnGap)
		}
		fill := strings.Repeat(" ", max(0, t.widths[i]-terminal.StringWidth(cell)))
		if t.columns[i].Type.Kind.Numeric() {
			b.WriteString(fill + cell)
		} else {
			b.WriteString(cell + fill)
		}
	}
	_, err := t.w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	return err
}

func (t *table) cell(v wire.Value) string {
	if v.IsNull() {
		return nullText
	}
	text := Escape(v.Rounded())
	if t.widest > 0 && terminal.StringWidth(text) > t.widest {
		text = terminal.Truncate(text, t.widest, "…")
	}
	return text
}

// Escape is text on one line with everything written out that a terminal would
// act on or that would hide what is there: control characters, changes of the
// writing direction, bytes that are no UTF-8.
func Escape(text string) string {
	if strings.IndexFunc(text, acts) < 0 && utf8.ValidString(text) {
		return text
	}
	return escape(text, acts)
}

// escapeLines is Escape that keeps line breaks.
func escapeLines(text string) string {
	return escape(text, func(r rune) bool { return r != '\n' && acts(r) })
}

func escape(text string, replace func(rune) bool) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !replace(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// acts reports whether a terminal may act on r. Joiners inside words and emoji
// are text.
func acts(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) ||
		unicode.Is(unicode.Cf, r) && r != zeroWidthNonJoiner && r != zeroWidthJoiner
}
