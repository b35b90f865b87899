package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

const (
	// textRows are shown of a result; --format table or csv shows all that were read.
	textRows = 20
	// textWidest keeps a long cell from pushing its neighbours off the screen.
	textWidest = 60
)

// Text writes a for people: what it says, its rows, its warnings, the SQL that
// ran, and who planned and worded it. Plugins name the plugin of a provider, for
// the last line; a provider without one is named alone.
func Text(w io.Writer, a wire.Answer, rows Rows, plugins map[string]string) error {
	out := &text{w: bufio.NewWriter(w)}
	out.say(a)
	for i := range a.Results {
		out.result(a, i, rows)
	}
	out.warnings(a)
	for _, q := range a.Queries {
		out.query(q)
	}
	out.who(a, plugins)
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write the answer: %w", out.err)
	}
	return nil
}

// text writes paragraphs; the first error ends all writing.
type text struct {
	w     *bufio.Writer
	begun bool
	err   error
}

func (t *text) write(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *text) paragraph() {
	if t.begun {
		t.write("\n")
	}
	t.begun = true
}

// say writes the summary, and the content unless the rows below are the same.
func (t *text) say(a wire.Answer) {
	t.paragraph()
	t.write("%s\n", escapeLines(a.Summary))
	content := strings.TrimRight(a.Content, "\n")
	if content == "" || content == a.Summary || len(a.Results) > 0 && a.FormatType == wire.FormatTable {
		return
	}
	t.paragraph()
	t.write("%s\n", escapeLines(content))
}

func (t *text) result(a wire.Answer, i int, rows Rows) {
	preview := a.Results[i]
	if t.err != nil || len(preview.Columns) == 0 || preview.RowCount == 0 {
		return
	}
	t.paragraph()
	if preview.Part != "" {
		t.write("%s:\n", Escape(preview.Part))
	}
	shown := 0
	grid := &table{w: t.w, columns: preview.Columns, widest: textWidest}
	t.err = each(a, i, rows, func(row []wire.Value) error {
		if shown++; shown > textRows {
			return errEnough
		}
		return grid.add(row)
	})
	if t.err == errEnough {
		t.err = nil
	}
	if t.err == nil {
		t.err = grid.end()
	}
	more := preview.RowCount - textRows
	switch {
	case more <= 0:
	case preview.Truncated:
		t.write("… at least %d more; --format table or --format csv shows the %d that were read\n", more, preview.RowCount)
	default:
		t.write("… %d more; --format table or --format csv shows all\n", more)
	}
}

// errEnough ends the reading of rows.
var errEnough = errors.New("enough rows")

func (t *text) warnings(a wire.Answer) {
	if len(a.Warnings) == 0 {
		return
	}
	t.paragraph()
	for _, warning := range a.Warnings {
		t.write("Note: %s\n", Escape(warning))
	}
}

func (t *text) query(q wire.Query) {
	if q.SQL == "" {
		return
	}
	t.paragraph()
	t.write("SQL on %s:\n  %s\n", Escape(q.Datasource), strings.ReplaceAll(escapeLines(q.SQL), "\n", "\n  "))
	for i, arg := range q.Args {
		t.write("  ?%d = %s\n", i+1, argument(arg))
	}
}

// argument is a bound value as people read it: text in quotes, the rest with its
// kind.
func argument(arg wire.Tagged) string {
	switch arg.Kind {
	case wire.KindNull:
		return nullText
	case wire.KindText:
		return "'" + strings.ReplaceAll(Escape(arg.Text), "'", "''") + "'"
	case wire.KindInt, wire.KindFloat, wire.KindDecimal, wire.KindBool:
		return arg.Text
	}
	return fmt.Sprintf("%s '%s'", arg.Kind, Escape(arg.Text))
}

func (t *text) who(a wire.Answer, plugins map[string]string) {
	var planners []string
	for _, q := range a.Queries {
		if q.Planner == "" {
			continue
		}
		who := named(q.Planner, plugins)
		if a.Verified != nil && q.Planner == "verified" {
			who = "verified query " + a.Verified.ID
		}
		if !slices.Contains(planners, who) {
			planners = append(planners, who)
		}
	}
	t.paragraph()
	if len(planners) > 0 {
		t.write("Planned by %s, worded by %s.\n", Escape(strings.Join(planners, ", ")), Escape(named(a.SynthesizedBy, plugins)))
		return
	}
	t.write("Worded by %s.\n", Escape(named(a.SynthesizedBy, plugins)))
}

func named(provider string, plugins map[string]string) string {
	plugin := plugins[provider]
	if plugin == "" || plugin == provider {
		return provider
	}
	return provider + " (plugin " + plugin + ")"
}
