package synth

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/wire"
)

// body writes the preview rows as text, and how many rows it does not show.
func (w *wording) body(p wire.Preview, shape pack.Shape, form wire.FormatType, v pack.Values) string {
	var lines []string
	switch {
	case shape == pack.ShapeEmpty || shape == pack.ShapeScalar:
		return ""
	case form == wire.FormatTable || form == "" && shape == pack.ShapeTable:
		lines = w.table(p)
	case shape == pack.ShapeRow && len(p.Rows) == 1:
		lines = w.pairs(p)
	default:
		lines = w.list(p)
	}
	if v[pack.MoreRows].Text != "" {
		lines = append(lines, w.lang.More(v))
	}
	return strings.Join(lines, "\n")
}

// pairs are the cells of one row, each behind its name.
func (w *wording) pairs(p wire.Preview) []string {
	lines := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		lines[i] = "- " + plain(c.Name) + ": " + w.exact(p.Rows[0][i])
	}
	return lines
}

// list is a line for each row.
func (w *wording) list(p wire.Preview) []string {
	lines := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		cells := make([]string, len(row))
		for j, v := range row {
			cells[j] = w.exact(v)
		}
		lines[i] = "- " + strings.Join(cells, ", ")
	}
	return lines
}

// table is the rows in columns, numbers to the right, under a line of names.
func (w *wording) table(p wire.Preview) []string {
	grid := [][]string{make([]string, len(p.Columns))}
	for i, c := range p.Columns {
		grid[0][i] = plain(c.Name)
	}
	for _, row := range p.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = w.exact(v)
		}
		grid = append(grid, cells)
	}
	widths := make([]int, len(p.Columns))
	for _, cells := range grid {
		for i, text := range cells {
			widths[i] = max(widths[i], columnsOf(text))
		}
	}
	lines := make([]string, 0, len(grid)+1)
	for n, cells := range grid {
		lines = append(lines, align(cells, widths, p.Columns))
		if n == 0 {
			lines = append(lines, rule(widths))
		}
	}
	return lines
}

func align(cells []string, widths []int, columns []wire.Column) string {
	var line strings.Builder
	for i, text := range cells {
		if i > 0 {
			line.WriteString("  ")
		}
		gap := strings.Repeat(" ", widths[i]-columnsOf(text))
		if columns[i].Type.Kind.Numeric() {
			line.WriteString(gap + text)
		} else {
			line.WriteString(text + gap)
		}
	}
	return strings.TrimRight(line.String(), " ")
}

func rule(widths []int) string {
	parts := make([]string, len(widths))
	for i, n := range widths {
		parts[i] = strings.Repeat("-", n)
	}
	return strings.Join(parts, "  ")
}

// columnsOf is the width of text on a terminal: East Asian letters take two
// columns, marks that combine with the letter before take none.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
