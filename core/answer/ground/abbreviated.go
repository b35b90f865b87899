package ground

import (
	"regexp"
	"strings"
)

// shortWords are the words that names of columns shorten, in full.
var shortWords = map[string]string{
	"yr": "year", "yrs": "years", "qtr": "quarter", "mth": "month", "mths": "months", "wk": "week", "dow": "weekday", "dt": "date",
	"qty": "quantity", "cnt": "count", "amt": "amount", "num": "number", "tot": "total", "rev": "revenue", "cust": "customer", "emp": "employee", "prod": "product", "ctry": "country",
}

var wordOfName = regexp.MustCompile(`[A-Za-z]+`)

// inFull is a column's name with its shortened words in full: order_year for order_yr.
func inFull(name string) string {
	return wordOfName.ReplaceAllStringFunc(name, func(w string) string {
		full := shortWords[strings.ToLower(w)]
		switch {
		case full == "":
			return w
		case w[0] >= 'A' && w[0] <= 'Z':
			return strings.ToUpper(full[:1]) + full[1:]
		}
		return full
	})
}
