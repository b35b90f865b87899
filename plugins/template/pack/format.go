package pack

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bojanz/currency"
	"golang.org/x/text/language"

	"querent.dev/querent/sdk/wire"
)

// DateStyle is how a date is written.
type DateStyle string

// The styles of dates, those of CLDR, a closed set.
const (
	DateFull   DateStyle = "full" // with the day of the week
	DateLong   DateStyle = "long"
	DateMedium DateStyle = "medium"
	DateShort  DateStyle = "short"
)

// DateStyles lists every style.
func DateStyles() []DateStyle { return []DateStyle{DateFull, DateLong, DateMedium, DateShort} }

// style is how a template asks for a cell to be written.
type style struct {
	date     DateStyle // "": as it is
	currency string    // of ISO 4217; "": a plain number
}

// parseStyle reads date=STYLE and currency=CODE, divided by bars.
func parseStyle(name Field, source string) (*style, error) {
	s := &style{}
	for _, part := range strings.Split(source, "|") {
		key, value, _ := strings.Cut(part, "=")
		switch {
		case key == "date" && slices.Contains(DateStyles(), DateStyle(value)):
			s.date = DateStyle(value)
		case key == "date":
			return nil, fmt.Errorf("{%s}: there is no style of dates %q (known: %v)", name, value, DateStyles())
		case key == "currency" && currency.IsValid(value):
			s.currency = value
		case key == "currency":
			return nil, fmt.Errorf("{%s}: there is no currency %q; write a code of ISO 4217, such as EUR", name, value)
		default:
			return nil, fmt.Errorf("{%s}: %q is no way to write a value; write date=STYLE or currency=CODE", name, part)
		}
	}
	return s, nil
}

// write is the cell in the style, or the text where the style is not for its kind.
func (s *style) write(v Value, lang language.Tag) string {
	cell := v.Cell
	switch {
	case s.date != "" && cell.Kind() == wire.KindDate:
		if day, err := time.Parse(time.DateOnly, cell.String()); err == nil {
			return formatDate(lang, day, s.date, v.Text)
		}
	case s.currency != "" && cell.Kind().Numeric():
		return formatAmount(lang, cell.Rounded(), s.currency)
	}
	return v.Text
}

// FormatNumber groups the digits and sets the decimal sign as the language does.
// No digit is added or lost, whatever the precision: the number never becomes a
// float. What is not plain digits (an exponent, NaN) stays as it is, and so does a
// number of more than 38 digits.
func FormatNumber(lang language.Tag, digits string) string {
	return format(lang, digits, "", 0)
}

// formatAmount is an amount of money, with at least the digits that its currency
// has and all those that are there.
func formatAmount(lang language.Tag, digits, code string) string {
	own, _ := currency.GetDigits(code)
	return format(lang, digits, code, own)
}

// anyCurrency is what the library takes a plain number for. It is not shown.
const anyCurrency = "EUR"

// maxDigits is how many digits the library keeps. A longer number stands as it is.
const maxDigits = 38

func format(lang language.Tag, digits, code string, least uint8) string {
	_, fraction, _ := strings.Cut(digits, ".")
	if !plainDigits(digits) || len(digits) > maxDigits {
		return digits
	}
	f := currency.NewFormatter(currency.NewLocale(lang.String()))
	f.MinDigits = max(least, uint8(len(fraction)))
	f.MaxDigits = f.MinDigits
	if code == "" {
		code, f.CurrencyDisplay = anyCurrency, currency.DisplayNone
	}
	amount, err := currency.NewAmount(digits, code)
	if err != nil {
		return digits
	}
	return f.Format(amount)
}

// plainDigits reports whether text is an optional sign, digits and an optional
// point among them.
func plainDigits(text string) bool {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return whole != "" && strings.Trim(whole+fraction, "0123456789") == "" && (!pointed || fraction != "")
}
