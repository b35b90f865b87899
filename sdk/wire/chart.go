package wire

// ChartKind is the kind of a chart.
type ChartKind string

// The kinds of charts, a closed set.
const (
	ChartBar        ChartKind = "bar"
	ChartGroupedBar ChartKind = "grouped_bar" // a bar for each series beside each other
	ChartLine       ChartKind = "line"
	ChartScatter    ChartKind = "scatter"
)

// AxisType says how a column's values are laid out, in the words of Vega-Lite.
type AxisType string

// The types of axes, a closed set.
const (
	Nominal      AxisType = "nominal"      // names in no order
	Ordinal      AxisType = "ordinal"      // names that sort as they are written, such as 2026-03
	Temporal     AxisType = "temporal"     // dates and moments
	Quantitative AxisType = "quantitative" // numbers
)

// ChartSort is the order of what a chart shows.
type ChartSort string

// The orders, a closed set.
const (
	SortResult ChartSort = "result" // that of the result's rows
	SortX      ChartSort = "x"      // rising along x
)

// ChartReason is what about a result calls for the chart.
type ChartReason string

// The reasons for a chart, a closed set.
const (
	CategoryAndMeasure      ChartReason = "category_and_measure"
	TwoCategoriesAndMeasure ChartReason = "two_categories_and_measure"
	TimeAndMeasure          ChartReason = "time_and_measure"
	TimeCategoryAndMeasure  ChartReason = "time_category_and_measure"
	TwoMeasures             ChartReason = "two_measures"
)

// Axis is a column on an axis.
type Axis struct {
	Column string   `json:"column"` // a name of the result's columns
	Type   AxisType `json:"type"`
}

// Chart is a suggested chart of an answer's only result: which columns go where.
// It holds no data; those are the rows of the result.
type Chart struct {
	Kind   ChartKind   `json:"kind"`
	X      Axis        `json:"x"`
	Y      []Axis      `json:"y"`                // one bar, line or point for each
	Series *Axis       `json:"series,omitempty"` // the column whose values have a colour each
	Sort   ChartSort   `json:"sort"`
	Reason ChartReason `json:"reason"`
}
