package answer_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// wide is a result of columns text columns (an id in front), with cells of that
// length.
func wide(rows, columns, length int) wire.Preview {
	p := wire.Preview{Columns: []wire.Column{{Name: "id", Type: wire.Type{Kind: wire.KindInt}}}, RowCount: int64(rows)}
	for c := range columns {
		p.Columns = append(p.Columns, wire.Column{Name: fmt.Sprintf("c%d", c), Type: wire.Type{Kind: wire.KindText}})
	}
	for r := range rows {
		row := []wire.Value{wire.Int(1_000_000_000_000 + int64(r))}
		for range columns {
			row = append(row, wire.Text(strings.Repeat("é", length)))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func TestPreviewCutsInOrder(t *testing.T) {
	tests := []struct {
		name          string
		in            wire.Preview
		limits        answer.Limits
		rows, columns int
		cell          int // characters of a text cell
		partial       bool
	}{
		{"fits", wide(3, 2, 5), answer.Limits{Rows: 20, Chars: 4000}, 3, 3, 5, false},
		{"no limits", wide(300, 20, 50), answer.Limits{}, 300, 21, 50, false},
		{"rows", wide(30, 2, 5), answer.Limits{Rows: 20, Chars: 4000}, 20, 3, 5, true},
		{"columns before cells", wide(3, 30, 20), answer.Limits{Rows: 20, Chars: 1500}, 3, 8, 20, true},
		{"cells before rows", wide(5, 2, 900), answer.Limits{Rows: 20, Chars: 4000}, 5, 3, 201, true},
		{"then rows", wide(20, 7, 900), answer.Limits{Rows: 20, Chars: 2000}, 7, 8, 25, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := answer.Preview(test.in, test.limits)
			if len(out.Rows) != test.rows || len(out.Columns) != test.columns || out.Partial != test.partial || out.RowCount != test.in.RowCount {
				t.Fatalf("%d rows, %d columns, partial %t, row count %d", len(out.Rows), len(out.Columns), out.Partial, out.RowCount)
			}
			if n := utf8.RuneCountInString(out.Rows[0][1].String()); n != test.cell {
				t.Errorf("a cell of %d characters, want %d", n, test.cell)
			}
		})
	}
}

func TestPreviewDropsEmptyColumnsFirst(t *testing.T) {
	p := wide(3, 5, 30)
	for _, row := range p.Rows {
		row[2] = wire.Null()
	}
	out := answer.Preview(p, answer.Limits{Chars: 700})
	if len(out.Columns) != 5 || out.Columns[2].Name != "c2" || !out.Partial {
		t.Errorf("columns %v", out.Columns)
	}
}

func TestPreviewKeepsItsBoundAndNeverCutsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		in := wide(r.IntN(30), r.IntN(25), r.IntN(200))
		before, _ := json.Marshal(in)
		limits := answer.Limits{Rows: r.IntN(25), Chars: 200 + r.IntN(5000)}
		out := answer.Preview(in, limits)
		text, err := json.Marshal(out)
		if err != nil || utf8.RuneCount(text) > limits.Chars {
			t.Fatalf("%d characters of %d, error %v", utf8.RuneCount(text), limits.Chars, err)
		}
		for i, row := range out.Rows {
			if out.Columns[0].Name != "id" || !row[0].Equal(in.Rows[i][0]) {
				t.Fatalf("row %d: number %v, want %v", i, row[0], in.Rows[i][0])
			}
		}
		if whole := len(out.Columns) == len(in.Columns) && (len(in.Rows) == 0 || reflect.DeepEqual(out.Rows, in.Rows)); !whole && !out.Partial {
			t.Fatal("a cut preview is not partial")
		}
		if after, _ := json.Marshal(in); string(after) != string(before) {
			t.Fatal("the input was changed")
		}
	}
}

func TestTruncatedResultIsPartial(t *testing.T) {
	p := wide(2, 1, 3)
	p.Truncated, p.RowCap = true, 2
	if !answer.Preview(p, answer.Limits{}).Partial {
		t.Error("a total over a cut result would be taken for the whole")
	}
}
