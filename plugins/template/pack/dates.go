package pack

import (
	"time"

	"github.com/go-playground/locales"
	"github.com/go-playground/locales/ar"
	"github.com/go-playground/locales/bg"
	"github.com/go-playground/locales/bn"
	"github.com/go-playground/locales/ca"
	"github.com/go-playground/locales/cs"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/el"
	"github.com/go-playground/locales/en"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/es"
	"github.com/go-playground/locales/es_419"
	"github.com/go-playground/locales/et"
	"github.com/go-playground/locales/fa"
	"github.com/go-playground/locales/fi"
	"github.com/go-playground/locales/fr"
	"github.com/go-playground/locales/fr_CA"
	"github.com/go-playground/locales/he"
	"github.com/go-playground/locales/hi"
	"github.com/go-playground/locales/hr"
	"github.com/go-playground/locales/hu"
	"github.com/go-playground/locales/id"
	"github.com/go-playground/locales/it"
	"github.com/go-playground/locales/ja"
	"github.com/go-playground/locales/ko"
	"github.com/go-playground/locales/lt"
	"github.com/go-playground/locales/lv"
	"github.com/go-playground/locales/ms"
	"github.com/go-playground/locales/nb"
	"github.com/go-playground/locales/nl"
	"github.com/go-playground/locales/pl"
	"github.com/go-playground/locales/pt"
	"github.com/go-playground/locales/pt_PT"
	"github.com/go-playground/locales/ro"
	"github.com/go-playground/locales/ru"
	"github.com/go-playground/locales/sk"
	"github.com/go-playground/locales/sl"
	"github.com/go-playground/locales/sr"
	"github.com/go-playground/locales/sv"
	"github.com/go-playground/locales/ta"
	"github.com/go-playground/locales/th"
	"github.com/go-playground/locales/tr"
	"github.com/go-playground/locales/uk"
	"github.com/go-playground/locales/ur"
	"github.com/go-playground/locales/vi"
	"github.com/go-playground/locales/zh"
	"github.com/go-playground/locales/zh_Hant"
	"golang.org/x/text/language"
)

// dateLocales are the languages whose dates are written in their own manner; the
// dates of others stand as ISO 8601 has them.
var dateLocales = []func() locales.Translator{
	ar.New, bg.New, bn.New, ca.New, cs.New, da.New, de.New, el.New, en.New, en_GB.New, es.New, es_419.New,
	et.New, fa.New, fi.New, fr.New, fr_CA.New, he.New, hi.New, hr.New, hu.New, id.New, it.New, ja.New, ko.New,
	lt.New, lv.New, ms.New, nb.New, nl.New, pl.New, pt.New, pt_PT.New, ro.New, ru.New, sk.New, sl.New, sr.New,
	sv.New, ta.New, th.New, tr.New, uk.New, ur.New, vi.New, zh.New, zh_Hant.New,
}

// dates is a locale for each of them, behind a matcher of languages.
var dates, dateMatcher = func() ([]locales.Translator, language.Matcher) {
	all := make([]locales.Translator, len(dateLocales))
	tags := make([]language.Tag, len(dateLocales))
	for i, open := range dateLocales {
		all[i] = open()
		tags[i] = language.Make(all[i].Locale())
	}
	return all, language.NewMatcher(tags)
}()

// formatDate writes a day in the style, or is iso where the language's dates are
// not known.
func formatDate(lang language.Tag, day time.Time, style DateStyle, iso string) string {
	_, i, _ := dateMatcher.Match(lang)
	wanted, _ := lang.Base()
	if found, _ := language.Make(dates[i].Locale()).Base(); found != wanted {
		return iso
	}
	switch style {
	case DateFull:
		return dates[i].FmtDateFull(day)
	case DateLong:
		return dates[i].FmtDateLong(day)
	case DateMedium:
		return dates[i].FmtDateMedium(day)
	case DateShort:
		return dates[i].FmtDateShort(day)
	}
	return iso
}
