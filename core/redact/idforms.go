package redact

import (
	"regexp/syntax"
	"sync"
	"time"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// idForms are the national ids and bank accounts that are known.
var idForms = []idForm{
	form(13, NationalID, `\d{6}\s?[-–]\s?[1-8]\d{6}`, func(s string) bool { return koreanID(s, false) }, ""),
	form(13, NationalID, `\d{6}\s?[-–—]\s?[1-8]\d{6}|\d{6} ?[1-8]\d{6}`, func(s string) bool { return koreanID(s, true) }, `주민|외국인\s?등록|\brrn\b|resident registration|resident number`),
	form(13, NationalID, `\d{6}[1-8]\d{6}`, func(s string) bool { return koreanID(s, false) && koreanSum(onlyDigits(s)) }, ""),
	form(9, NationalID, `\d{3}-\d{2}-\d{4}`, socialSecurity, ""),
	form(9, NationalID, `\d{3}[- .]?\d{2}[- .]?\d{4}`, socialSecurity, `\bssn\b|social security|\bitin\b|taxpayer`),
	form(6, NationalID, `[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z][A-CEGHJ-NPR-TW-Za-ceghj-npr-tw-z] ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d]`, insurance, ""),
	form(6, NationalID, `[A-Za-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d]`, anyID, `national insurance|\bnino\b|\bni\s(?:no|number|nr)`),
	form(11, NationalID, `\d{2} ?\d{3} ?\d{3} ?\d{3}`, germanTax, `steuer-?\s?(?:id|identifikations|nummer)|idnr|tax id|\btin\b`),
	form(11, NationalID, `\d{2} \d{3} \d{3} \d{3}`, germanTax, ""),
	form(8, NationalID, `\d{8}[ -]?[A-HJ-NP-TV-Za-hj-np-tv-z]`, spanishID, ""),
	form(7, NationalID, `[XYZxyz][ -]?\d{7}[ -]?[A-HJ-NP-TV-Za-hj-np-tv-z]`, spanishID, ""),
	form(4, NationalID, `[A-Za-z]{6}[0-9LMNP-Vlmnp-v]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9LMNP-Vlmnp-v]{2}[A-Za-z][0-9LMNP-Vlmnp-v]{3}[A-Za-z]`, italianCode, ""),
	form(13, NationalID, `[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[ABab]) ?\d{3} ?\d{3} ?\d{2}`, frenchID, ""),
	form(11, NationalID, `\d{3}\.\d{3}\.\d{3}-\d{2}`, brazilianID, ""),
	form(11, NationalID, `\d{3}\.?\d{3}\.?\d{3}-?\d{2}`, brazilianID, `\bcpf\b`),
	form(17, NationalID, `[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[0-9Xx]`, chineseID, ""),
	form(11, NationalID, `\d{11}`, polishID, `\bpesel\b`),
	form(9, NationalID, `\d{9}`, dutchID, `\bbsn\b|burgerservice|sofi-?nummer`),
	form(9, NationalID, `\d{3}[- ]?\d{3}[- ]?\d{3}`, func(s string) bool { return luhn(onlyDigits(s)) }, `\bsin\b|social insurance`),
	form(10, NationalID, `(?:19|20)?\d{6}[-+]\d{4}`, swedishID, ""),
	form(12, NationalID, `[2-9]\d{3} ?\d{4} ?\d{4}`, verhoeff, `aadhaa?r|uidai`),
	form(12, NationalID, `[2-9]\d{3} \d{4} \d{4}`, verhoeff, ""),
	form(4, NationalID, `[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]`, anyID, `\bpan\b|permanent account|income tax`),
	form(12, NationalID, `\d{4}[ -]?\d{4}[ -]?\d{4}`, japaneseID, `my\s?number|マイナンバー|個人番号|individual number`),
	form(6, NationalID, `(?:\d{2}-)?\d{2}-\d{6}-\d{2}|[A-Za-z]{0,5}\d{5,13}[A-Za-z]{0,3}`, anyID, `운전면허|면허\s?번호|driver'?s? licen[cs]e|driving licen[cs]e|führerschein|permis de conduire`),
	form(4, NationalID, `[A-Z0-9]{8,9}`, func(s string) bool { return digits(s) >= 4 }, `passport(?: (?:no|number|nr))?\.?:?|여권(?:\s?번호)?|reisepass|passeport|pasaporte`),
	form(7, NationalID, `\d{2}[- ]?\d{6}[- ]?[A-Z][- ]?\d{3}|[STFGMstfgm]\d{7}[A-Za-z]|[A-Z]{1,2}\d{6,9}|\d{3}\.\d{4}\.\d{4}\.\d{2}`, anyID, `\bnric\b|\bfin\b|\bid card|\bidentity card|\bahv\b|\bhkid\b|personalausweis|\bnational id|身分證`),
	form(7, NationalID, `[A-Z]{0,2}\d{7,14}[A-Z]?`, anyID, `\bnational id(?:entity)?(?:entification)?(?: number| no\.?| card)?|\bcitizen id|건강보험증|\bidentity number`),
	form(8, NationalID, `[STFGM]\d{7}[A-Z]`, singaporeanID, ""),
	form(8, NationalID, `\d{3} ?\d{3} ?\d{2,3}`, anyID, `\btfn\b|tax file number`),
	form(10, NationalID, `\d{4} ?\d{5} ?\d`, anyID, `\bmedicare\b`),
	form(6, NationalID, `[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d`, mexicanDay, ""),
	form(6, NationalID, `[A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}`, anyID, `\brfc\b`),
	form(11, NationalID, `\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`, belgianID, ""),
	form(9, NationalID, `\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]`, finnishID, ""),
	form(10, BankAccount, `\d{2,6}(?:-\d{2,7}){1,3}|\d{10,14}`, koreanAccount, `계좌|은행|뱅크|농협|신협|우체국|새마을금고|예금주`),
	form(6, BankAccount, `\d{6,17}`, anyID, `\baccount (?:number|no\.?|nr\.?|#)|\bacct (?:number|no\.?|#)|bank account|kontonummer|numéro de compte|número de cuenta|口座番号`),
	form(9, BankAccount, `\d{9}`, routing, `\brouting\b|\baba\b`),
	form(6, BankAccount, `\d{2}-\d{2}-\d{2}`, anyID, `sort code`),
	form(10, BankAccount, `[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?`, iban, ""),
	form(10, BankAccount, `[a-z]{2}\d{2}(?:[ ]?[a-z0-9]{4}){2,7}(?:[ ]?[a-z0-9]{1,3})?`, iban, `iban`),
}

// idStems finds the beginnings of the words of forms: most texts have none, and are
// not looked at by their expressions.
var idStems = sync.OnceValue(func() lookup {
	l := lookup{finders: map[string][]int{}}
	builder := ahocorasick.NewTrieBuilder()
	for i, f := range idForms {
		for _, stem := range f.stems {
			if l.finders[stem] == nil {
				builder.AddString(stem)
			}
			l.finders[stem] = append(l.finders[stem], i)
		}
	}
	l.trie = builder.Build()
	return l
})

// stems are what the alternatives of an expression begin with, in lower case.
func stems(words string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range words + "|" {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, stem(words[from:i]))
				from = i + 1
			}
		}
	}
	return out
}

// stem is the text with which all that an expression matches begins.
func stem(expression string) string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic("redact: " + err.Error()) // it is part of the program
	}
	for _, part := range append([]*syntax.Regexp{parsed}, parsed.Sub...) {
		if part.Op == syntax.OpLiteral {
			return string(part.Rune)
		}
	}
	panic("redact: the word " + expression + " begins with no text")
}

// singaporeanID reports whether the last letter is that of the digits.
func singaporeanID(id string) bool {
	sum := weighted(id[1:8], 2, 7, 6, 5, 4, 3, 2)
	switch id[0] {
	case 'S':
		return "JZIHGFEDCBA"[sum%11] == id[8]
	case 'T':
		return "JZIHGFEDCBA"[(sum+4)%11] == id[8]
	case 'F':
		return "XWUTRQPNMLK"[sum%11] == id[8]
	case 'G':
		return "XWUTRQPNMLK"[(sum+4)%11] == id[8]
	}
	return "KLJNPQRTUWX"[10-(sum+3)%11] == id[8]
}

// mexicanDay reports whether the day of birth of a CURP is one.
func mexicanDay(id string) bool {
	_, err := time.Parse("060102", id[4:10])
	return err == nil
}

func belgianID(id string) bool {
	d := onlyDigits(id)
	check := func(body string) bool {
		rest := 0
		for i := range len(body) {
			rest = (rest*10 + int(body[i]-'0')) % 97
		}
		return 97-rest == int(d[9]-'0')*10+int(d[10]-'0')
	}
	return check(d[:9]) || check("2"+d[:9])
}

func finnishID(id string) bool {
	if _, err := time.Parse("020106", id[:6]); err != nil {
		return false
	}
	rest := 0
	for _, c := range []byte(id[:6] + id[7:10]) {
		rest = (rest*10 + int(c-'0')) % 31
	}
	return "0123456789ABCDEFHJKLMNPRSTUVWXY"[rest] == id[10]
}

// koreanAccount reports whether a number behind the word for an account, or the name
// of a bank, can be one: it is long enough, and no date, phone or business number.
func koreanAccount(id string) bool {
	return digits(id) >= 10 && digits(id) <= 15 && !dateLike.MatchString(id) && !compactDate.MatchString(id) && !koreanCell.MatchString(onlyDigits(id))
}

func routing(id string) bool { return weighted(id, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0 }
