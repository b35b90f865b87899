package content

import (
	"math"
	"strconv"
)

// DoubleDigits writes a double as the decimal that it stands for. Calculations
// leave an error behind the 15 digits that a double holds in any case; a number
// without a fraction has no error to hide.
func DoubleDigits(f float64) string {
	clean := withoutNoise(f)
	if f == math.Trunc(f) {
		clean = f
	}
	return strconv.FormatFloat(clean, 'f', -1, 64)
}

// withoutNoise is f to 15 digits.
func withoutNoise(f float64) float64 {
	clean, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		return f // rounding up has left the range of doubles
	}
	return clean
}
