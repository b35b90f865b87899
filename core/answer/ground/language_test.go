package ground_test

import "testing"

// In languages that are not read, figures, dates and the names of rows still are.
func TestOtherLanguages(t *testing.T) {
	c := newCheckers(t)
	for _, test := range []struct {
		id, lang, text string
		holds          bool
	}{
		{"countries", "de", "Deutschland hat 435 Kunden, Frankreich 319.", true},
		{"countries", "de", "In Deutschland gibt es 436 Kunden.", false},
		{"countries", "de", "Frankreich hat 435 Kunden.", false},
		{"countries", "fr", "L'Allemagne compte 435 clients et la France 319.", true},
		{"countries", "fr", "La France compte 435 clients.", false},
		{"countries", "es", "Alemania tiene 435 clientes.", true},
		{"countries", "es", "Hay 435 clientes en la Atlántida.", false},
		{"countries", "ja", "ドイツの顧客は435人です。", true},
		{"countries", "ja", "フランスの顧客は四百三十五人です。", false},
		{"months", "de", "Im Januar 2025 betrug der Umsatz 68.780,85.", true},
		{"months", "de", "Im Januar 2025 betrug der Umsatz 45.876,42.", false},
		{"months", "de", "Im Januar 2024 betrug der Umsatz 68.780,85.", false},
		{"months", "fr", "En décembre 2025, le chiffre était de 192\u202f251,71.", true},
		{"customers", "de", "Es gibt 3.000 Kunden.", true},
		{"customers", "de", "Es gibt 3,000 Kunden.", false},
		{"never", "de", "Es gibt 344 Kunden.", true},
		{"never", "de", "Der Kunde „Max Mustermann“ hat nie bestellt.", false},
	} {
		if v := c.check(t, text{test.id, test.lang, test.text}); (len(v) == 0) != test.holds {
			t.Errorf("%s: %q: %v", test.lang, test.text, v)
		}
	}
}
