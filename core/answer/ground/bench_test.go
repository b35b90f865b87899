package ground_test

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/sdk/wire"
)

// square is a result of 20 rows and 20 columns out of a result of count rows, with a
// true text of 2 KB about it.
func square(count int64) (ground.Evidence, string) {
	p := wire.Preview{RowCount: count, Partial: count > 20}
	p.Columns = append(p.Columns, wire.Column{Name: "region"})
	for c := range 19 {
		p.Columns = append(p.Columns, wire.Column{Name: fmt.Sprintf("measure %c", 'a'+c)})
	}
	var b strings.Builder
	for r := range 20 {
		name := fmt.Sprintf("Region %c%c", 'A'+r, 'x')
		row := []wire.Value{wire.Text(name)}
		for c := range 19 {
			row = append(row, wire.Int(int64(1000*r+37*c+11)))
		}
		p.Rows = append(p.Rows, row)
		for c := 0; c < 19 && b.Len() < 2<<10; c += 3 {
			fmt.Fprintf(&b, "%s has %s. ", name, row[c+1].String())
		}
	}
	return ground.Evidence{Results: []wire.Preview{p}, Question: "What are the measures by region?", Language: "en"}, b.String()
}

// BenchmarkGrounding is the check of an answer of 2 KB against 20 rows and columns:
// what is prepared once, and what each text costs.
func BenchmarkGrounding(b *testing.B) {
	for _, count := range []int64{20, 1_000_000} {
		e, text := square(count)
		b.Run(fmt.Sprintf("prepare/rows=%d", count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ground.New(e)
			}
		})
		b.Run(fmt.Sprintf("check/rows=%d", count), func(b *testing.B) {
			c := ground.New(e)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if v := c.Check(text); len(v) > 0 {
					b.Fatal(v)
				}
			}
		})
	}
}
