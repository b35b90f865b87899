package pack_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/wire"
)

func TestNumbersInTheMannerOfTheLanguage(t *testing.T) {
	for _, c := range []struct{ lang, digits, want string }{
		{"en", "1234567", "1,234,567"}, {"ko", "1234567", "1,234,567"}, {"de", "1234567.50", "1.234.567,50"},
		{"fr", "-1234.5", "-1\u202f234,5"}, {"hi", "12345678", "1,23,45,678"}, {"en", "0.10", "0.10"}, {"en", "-0.5", "-0.5"},
		{"en", "123456789012345678901234567890.10", "123,456,789,012,345,678,901,234,567,890.10"},
		{"en", "9223372036854775807", "9,223,372,036,854,775,807"},
		{"de", "1e+21", "1e+21"}, {"de", "NaN", "NaN"}, {"en", "1.", "1."}, {"en", ".5", ".5"}, {"en", "", ""},
	} {
		if got := pack.FormatNumber(language.Make(c.lang), c.digits); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.digits, c.lang, got, c.want)
		}
	}
}

// Whatever the number, its digits are those that were there.
func TestNoDigitIsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		digits := fmt.Sprint(1 + random.IntN(9))
		for range random.IntN(40) {
			digits += fmt.Sprint(random.IntN(10))
		}
		if random.IntN(2) == 0 {
			digits += "."
			for range 1 + random.IntN(30) {
				digits += fmt.Sprint(random.IntN(10))
			}
		}
		if random.IntN(2) == 0 {
			digits = "-" + digits
		}
		if got := strings.ReplaceAll(pack.FormatNumber(language.English, digits), ",", ""); got != digits {
			t.Fatalf("%s became %s", digits, got)
		}
	}
}

func TestDatesAndAmountsOfMoney(t *testing.T) {
	exact := func(digits string) wire.Value {
		v, err := wire.Decimal(digits)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	day := wire.Date(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		lang, source string
		cell         wire.Value
		want         string
	}{
		{"en", "{value|date=long}", day, "January 31, 2026"},
		{"ko", "{value|date=long}", day, "2026년 1월 31일"},
		{"ko-KR", "{value|date=full}", day, "2026년 1월 31일 토요일"},
		{"de-AT", "{value|date=long}", day, "31. Januar 2026"},
		{"ja", "{value|date=medium}", day, "2026/01/31"},
		{"en", "{value|date=short}", day, "1/31/26"},
		{"sw", "{value|date=long}", day, "2026-01-31"}, // not among the known
		{"en", "{value|date=long}", wire.Int(7), "7"},
		{"en", "{value|date=long}", wire.Null(), ""},
		{"en", "{value|currency=USD}", exact("1234.5"), "$1,234.50"},
		{"en", "{value|currency=USD}", exact("-0.125"), "-$0.125"},
		{"ko", "{value|currency=KRW}", wire.Int(1234567), "₩1,234,567"},
		{"de", "{value|currency=EUR}", exact("123456789012345678901234567890.10"), "123.456.789.012.345.678.901.234.567.890,10\u00a0€"},
		{"en", "{value|currency=USD|date=long}", day, "January 31, 2026"},
		{"en", "{value|currency=USD}", wire.Text("x"), "x"},
	} {
		text, err := pack.ParseText(c.source)
		if err != nil {
			t.Fatalf("%s: %v", c.source, err)
		}
		got := text.Render(pack.Values{pack.Cell: {Text: c.cell.String(), Cell: c.cell}}, language.Make(c.lang))
		if got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.source, c.lang, got, c.want)
		}
	}
}
