package answer

import (
	"regexp"
	"slices"

	"querent.dev/querent/sdk/wire"
)

// The bounds of charts that a reader still takes in.
const (
	maxBars   = 30   // beyond it the names under the bars overlap
	maxGroups = 60   // bars of all series together: half as wide, with no name each
	maxSeries = 8    // colours that are told apart
	maxPoints = 2000 // beyond it points share a pixel
	maxLines  = 3    // measures on one axis
	minPoints = 3    // fewer show no relation between two measures
)

// suggestChart is the chart that the shape of an answer's only result calls for,
// or nil: what is one row, cut, of too many bars or lines, or without a measure
// is read better as it stands. It looks at the columns' types, the row count and
// the rows of the preview, so the same result gives the same chart.
func suggestChart(o wire.Outcome) *wire.Chart {
	if o.Failure != nil || len(o.Results) != 1 {
		return nil
	}
	p := o.Results[0]
	if p.Truncated || p.RowCount < 2 || len(p.Rows) < 2 || len(distinct(columnNames(p))) != len(p.Columns) {
		return nil
	}
	c := sortColumns(p)
	times, categories, measures := len(c.times), len(c.categories), len(c.measures)
	switch {
	case times == 1 && categories == 0 && measures >= 1:
		return c.line()
	case times == 1 && categories == 1 && measures == 1:
		return c.lines()
	case times == 0 && categories == 1 && measures == 2 && p.RowCount > maxBars, times == 0 && categories == 0 && measures == 2:
		return c.scatter()
	case times == 0 && categories == 1 && measures >= 1:
		return c.bars()
	case times == 0 && categories == 2 && measures == 1:
		return c.groups()
	}
	return nil
}

// columns are a result's columns by what a chart can do with them.
type columns struct {
	preview                     wire.Preview
	times, categories, measures []int
}

func sortColumns(p wire.Preview) columns {
	c := columns{preview: p}
	for i, column := range p.Columns {
		switch {
		case blank(p, i):
		case isTime(p, i):
			c.times = append(c.times, i)
		case isPart(p, i):
			c.categories = append(c.categories, i)
		case column.Type.Kind.Numeric() && !key.MatchString(column.Name):
			c.measures = append(c.measures, i)
		case column.Type.Kind == wire.KindText, column.Type.Kind == wire.KindBool:
			c.categories = append(c.categories, i)
		}
	}
	return c
}

// key is the name of a number that counts nothing.
var key = regexp.MustCompile(`(?i)(^|[_ .])(id|no|number|code|zip|postal_code|phone)$|[a-z]Id$`)

// period is a text that stands for a year, quarter, month, week or day.
var period = regexp.MustCompile(`^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?|-?[QW]\d{1,2})?$`)

// calendar is the name of a whole number that stands for a year.
var calendar = regexp.MustCompile(`(?i)(^|[_ .])(year|연도|년도)$`)

// part is the name of a whole number that stands for a part of the calendar.
var part = regexp.MustCompile(`(?i)(^|[_ .])(month|quarter|week|weekday|day|hour|월|분기|주|요일|시)$`)

// small are the numbers of such parts.
var small = regexp.MustCompile(`^[0-5]?\d$`)

func isPart(p wire.Preview, column int) bool {
	return p.Columns[column].Type.Kind == wire.KindInt && part.MatchString(p.Columns[column].Name) && everyCell(p, column, small)
}

func isTime(p wire.Preview, column int) bool {
	switch kind := p.Columns[column].Type.Kind; {
	case kind.Temporal():
		return true
	case kind == wire.KindInt:
		return calendar.MatchString(p.Columns[column].Name) && everyCell(p, column, period)
	case kind == wire.KindText:
		return everyCell(p, column, period)
	}
	return false
}

// everyCell reports whether each value of the column matches.
func everyCell(p wire.Preview, column int, form *regexp.Regexp) bool {
	return !slices.ContainsFunc(p.Rows, func(row []wire.Value) bool {
		return !row[column].IsNull() && !form.MatchString(row[column].String())
	})
}

// blank reports whether no row that is shown has a value in the column.
func blank(p wire.Preview, column int) bool {
	return !slices.ContainsFunc(p.Rows, func(row []wire.Value) bool { return !row[column].IsNull() })
}

func columnNames(p wire.Preview) []string {
	names := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		names[i] = c.Name
	}
	return names
}

// line is a line for each measure over time.
func (c columns) line() *wire.Chart {
	if len(c.measures) > maxLines || c.preview.RowCount > maxPoints || c.repeats(c.times...) {
		return nil
	}
	return &wire.Chart{Kind: wire.ChartLine, X: c.axis(c.times[0]), Y: c.axes(c.measures), Sort: wire.SortX, Reason: wire.TimeAndMeasure}
}

// lines is a line for each category over time.
func (c columns) lines() *wire.Chart {
	if c.preview.RowCount > maxPoints || c.different(c.categories[0]) > maxSeries || c.repeats(c.times[0], c.categories[0]) {
		return nil
	}
	series := c.axis(c.categories[0])
	return &wire.Chart{Kind: wire.ChartLine, X: c.axis(c.times[0]), Y: c.axes(c.measures), Series: &series, Sort: wire.SortX, Reason: wire.TimeCategoryAndMeasure}
}

// bars is a bar for each category and measure.
func (c columns) bars() *wire.Chart {
	if len(c.measures) > maxLines || c.preview.RowCount > maxBars || c.repeats(c.categories...) {
		return nil
	}
	return &wire.Chart{Kind: wire.ChartBar, X: c.axis(c.categories[0]), Y: c.axes(c.measures), Sort: wire.SortResult, Reason: wire.CategoryAndMeasure}
}

// groups is a group of bars for each value of the category with more values, a
// bar in it for each of the other. They are never stacked: whether the values of
// a measure may be added up, as counts may and averages may not, a result does
// not tell.
func (c columns) groups() *wire.Chart {
	x, by := c.categories[0], c.categories[1]
	if c.different(by) > c.different(x) {
		x, by = by, x
	}
	if c.preview.RowCount > maxGroups || c.different(x) > maxBars || c.different(by) > maxSeries || c.repeats(x, by) {
		return nil
	}
	series := c.axis(by)
	return &wire.Chart{Kind: wire.ChartGroupedBar, X: c.axis(x), Y: c.axes(c.measures), Series: &series, Sort: wire.SortResult, Reason: wire.TwoCategoriesAndMeasure}
}

// scatter is a point for each row.
func (c columns) scatter() *wire.Chart {
	if c.preview.RowCount < minPoints || c.preview.RowCount > maxPoints {
		return nil
	}
	return &wire.Chart{Kind: wire.ChartScatter, X: c.axis(c.measures[0]), Y: c.axes(c.measures[1:]), Sort: wire.SortResult, Reason: wire.TwoMeasures}
}

func (c columns) axis(column int) wire.Axis {
	kind := wire.Nominal
	switch {
	case isPart(c.preview, column):
		kind = wire.Ordinal
	case slices.Contains(c.measures, column):
		kind = wire.Quantitative
	case slices.Contains(c.times, column):
		kind = wire.Temporal
		if k := c.preview.Columns[column].Type.Kind; k == wire.KindText || k == wire.KindInt {
			kind = wire.Ordinal // a month or a quarter, which sorts as it is written
		}
	}
	return wire.Axis{Column: c.preview.Columns[column].Name, Type: kind}
}

func (c columns) axes(list []int) []wire.Axis {
	out := make([]wire.Axis, len(list))
	for i, column := range list {
		out[i] = c.axis(column)
	}
	return out
}

// different counts the values of a column among the rows that are shown.
func (c columns) different(column int) int { return len(distinct(c.cells(column))) }

// repeats reports whether two of the rows that are shown agree in all columns.
func (c columns) repeats(list ...int) bool {
	rows := c.cells(list...)
	return len(distinct(slices.Clone(rows))) < len(rows)
}

// cells are the columns' cells of each row, as one text.
func (c columns) cells(list ...int) []string {
	out := make([]string, len(c.preview.Rows))
	for i, row := range c.preview.Rows {
		for _, column := range list {
			text := row[column].String()
			if row[column].IsNull() {
				text = "\x00" // no text of a database holds it
			}
			out[i] += text + "\x1f"
		}
	}
	return out
}
