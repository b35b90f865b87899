package answer

import (
	"math"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/sdk/wire"
)

func TestNoPreviewIsLargerThanItMayBe(t *testing.T) {
	values := []wire.Value{
		{}, wire.Bool(true), wire.Bool(false), wire.Int(math.MinInt64), wire.Int(7), wire.Float(-math.MaxFloat64), wire.Float(math.SmallestNonzeroFloat64),
		wire.Float(math.NaN()), wire.Float(math.Inf(-1)), wire.Text(""), wire.Text("Seoul"), wire.Text("<&>\"\\\x00\x1f\u2028대한\xff\xfe"), wire.Text(strings.Repeat("\xff", 100)),
		wire.Bytes([]byte("\x00\x01\x02")), wire.JSON(`{"a":"<b>"}`), wire.JSON("{"), wire.JSON("\xff"), wire.Date(time.Unix(0, 0)),
		wire.Array(nil), wire.Array([]wire.Value{{}, {}, {}}), wire.Array([]wire.Value{wire.Text("<"), wire.Array([]wire.Value{wire.Bool(false), wire.Text("")})}),
	}
	p := wire.Preview{SubQuery: "q<1", Part: "the \xff", Columns: []wire.Column{{Name: "<n>"}}, RowCount: math.MaxInt64, RowCap: math.MaxInt64}
	for range 3 {
		for _, v := range values {
			p.Rows = append(p.Rows, []wire.Value{v})
			one := p
			one.Rows = [][]wire.Value{{v}, {v, v}, {}}
			for _, p := range []wire.Preview{p, one} {
				if got, most := size(p), atMost(p); got > most {
					t.Errorf("%v: %d characters, and at most %d", v, got, most)
				}
			}
		}
	}
	p.Rows = p.Rows[:0]
	for range 20 {
		p.Rows = append(p.Rows, []wire.Value{wire.Text("Republic of Korea"), wire.Int(1313)})
	}
	if got, most := size(p), atMost(p); most > 2*got {
		t.Errorf("of %d characters at most %d", got, most)
	}
}
