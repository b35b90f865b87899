package redact

import (
	"regexp"
	"strings"
	"time"
)

// idForm is a form of an id: where its digits stand, what they must satisfy, and, for
// forms that any number has, the words that must stand before it.
type idForm struct {
	kind  Kind
	re    *regexp.Regexp // group 1 is the id
	valid func(id string) bool
	words *regexp.Regexp // nil: the form alone is enough
	stems []string       // what the words begin with
	least int            // digits
}

func form(least int, kind Kind, id string, valid func(string) bool, words string) idForm {
	f := idForm{kind: kind, re: regexp.MustCompile(`(?:^|[^0-9A-Za-z_.-])(` + id + `)(?:[^0-9A-Za-z_-]|[.-](?:[^0-9A-Za-z]|$)|$)`), valid: valid, least: least}
	if words != "" {
		f.words, f.stems = regexp.MustCompile(`(?i)(?:`+words+`)`), stems(words)
	}
	return f
}

func ids(text string, numbers []cluster) []span {
	var out []span
	known := idStems()
	said := map[int]bool{}
	for _, m := range known.trie.MatchString(lowerASCII(text)) {
		for _, i := range known.finders[m.MatchString()] {
			said[i] = true
		}
	}
	for i, f := range idForms {
		if f.words != nil && !said[i] {
			continue
		}
		if parts := nearDigits(text, numbers, f.least); len(parts) > 0 {
			out = append(out, within(text, parts, f.find)...)
		}
	}
	return out
}

func (f idForm) find(text string) []span {
	if f.words != nil && !f.words.MatchString(text) {
		return nil
	}
	var out []span
	for at := 0; at < len(text); {
		m := f.re.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		from, to := at+m[2], at+m[3]
		at = to
		if f.words != nil && !f.said(text[:from]) {
			continue
		}
		if f.valid(text[from:to]) && !goesOn(text, from, to) {
			out = append(out, span{from, to, f.kind})
		}
	}
	return out
}

// said reports whether the words stand soon before a number, with no digit between.
func (f idForm) said(before string) bool {
	before = before[strings.LastIndexAny(before, "0123456789")+1:]
	if len(before) > wordRoom {
		before = before[len(before)-wordRoom:]
	}
	return f.words.MatchString(before)
}

// goesOn reports whether a number is part of a longer one in groups.
func goesOn(text string, from, to int) bool {
	behind, before := text[to:], text[:from]
	return len(behind) > 1 && (behind[0] == ' ' || behind[0] == '-') && digits(behind[1:2]) == 1 && digits(text[to-1:to]) == 1 ||
		len(before) > 1 && before[len(before)-1] == ' ' && digits(before[len(before)-2:len(before)-1]) == 1 && digits(text[from:from+1]) == 1
}

func anyID(string) bool { return true }

// koreanID reports whether a resident registration number can be one: its day, its
// century and its check digit. Numbers given since October 2020 have no check digit;
// nor are others asked for one where words say what the number is.
func koreanID(id string, said bool) bool {
	d := onlyDigits(id)
	century := map[byte]string{'1': "19", '2': "19", '5': "19", '6': "19", '3': "20", '4': "20", '7': "20", '8': "20"}[d[6]]
	born, err := time.Parse("20060102", century+d[:6])
	if err != nil {
		return false
	}
	return said || koreanSum(d) || born.After(time.Date(2020, 9, 30, 0, 0, 0, 0, time.UTC))
}

func koreanSum(d string) bool {
	sum := weighted(d, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
	check := (11 - sum%11) % 10
	foreign := (13 - sum%11) % 10 // of foreigners
	last := int(d[12] - '0')
	return last == check || d[6] >= '5' && last == foreign
}

func weighted(digits string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * int(digits[i]-'0')
	}
	return sum
}

func socialSecurity(id string) bool {
	d := onlyDigits(id)
	if d[:3] == "000" || d[:3] == "666" || d[3:5] == "00" || d[5:] == "0000" {
		return false
	}
	return d[0] != '9' || d[3] >= '5' // ITIN
}

func insurance(id string) bool {
	head := strings.ToUpper(id[:2])
	return !strings.Contains("BG GB NK KN TN NT ZZ", head)
}

func germanTax(id string) bool {
	d := onlyDigits(id)
	counts := map[byte]int{}
	for i := range 10 {
		counts[d[i]]++
	}
	repeated := 0
	for _, n := range counts {
		if n > 3 {
			return false
		}
		if n > 1 {
			repeated++
		}
	}
	if d[0] == '0' || repeated != 1 {
		return false
	}
	product := 10
	for i := range 10 {
		sum := (int(d[i]-'0') + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (11-product)%10 == int(d[10]-'0')
}

func spanishID(id string) bool {
	id = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(id))
	number := strings.NewReplacer("X", "0", "Y", "1", "Z", "2").Replace(id[:1]) + id[1:len(id)-1]
	n := 0
	for i := range len(number) {
		n = n*10 + int(number[i]-'0')
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[n%23] == id[len(id)-1]
}

// italianOdd are the values of characters at the odd places of a codice fiscale.
const italianOdd = "\x01\x00\x05\x07\x09\x0d\x0f\x11\x13\x15\x02\x04\x12\x14\x0b\x03\x06\x08\x0c\x0e\x10\x0a\x16\x19\x18\x17"

func italianCode(id string) bool {
	id = strings.ToUpper(id)
	sum := 0
	for i := range 15 {
		v := int(id[i] - 'A')
		if id[i] <= '9' {
			v = int(id[i] - '0')
		}
		if i%2 == 0 {
			v = int(italianOdd[v])
		}
		sum += v
	}
	return byte('A'+sum%26) == id[15]
}

func frenchID(id string) bool {
	id = strings.ToUpper(strings.ReplaceAll(id, " ", ""))
	body := id[:13]
	subtract := 0
	switch {
	case body[6] == 'A':
		subtract = 1_000_000
	case body[6] == 'B':
		subtract = 2_000_000
	}
	n := 0
	for i := range len(body) {
		c := body[i]
		if c == 'A' || c == 'B' {
			c = '0'
		}
		n = n*10 + int(c-'0')
	}
	key := int(id[13]-'0')*10 + int(id[14]-'0')
	return 97-(n-subtract)%97 == key
}

func brazilianID(id string) bool {
	d := onlyDigits(id)
	if strings.Count(d, d[:1]) == len(d) {
		return false
	}
	check := func(n int) int {
		sum := 0
		for i := range n {
			sum += int(d[i]-'0') * (n + 1 - i)
		}
		return sum * 10 % 11 % 10
	}
	return check(9) == int(d[9]-'0') && check(10) == int(d[10]-'0')
}

func chineseID(id string) bool {
	if _, err := time.Parse("20060102", id[6:14]); err != nil {
		return false
	}
	sum := weighted(id, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
	return "10X98765432"[sum%11] == strings.ToUpper(id)[17]
}

func polishID(id string) bool {
	return (10-weighted(id, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == int(id[10]-'0')
}

func dutchID(id string) bool {
	return weighted(id, 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0 && id != "000000000"
}

func swedishID(id string) bool {
	d := onlyDigits(id)
	d = d[len(d)-10:]
	if _, err := time.Parse("060102", d[:6]); err != nil {
		return false
	}
	return luhn(d)
}

func japaneseID(id string) bool {
	d := onlyDigits(id)
	sum := weighted(d, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
	check := 0
	if r := sum % 11; r > 1 {
		check = 11 - r
	}
	return check == int(d[11]-'0')
}

// The multiplication and permutation tables of Verhoeff's check digit.
var (
	verhoeffD = [10]string{"0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043", "8765932104", "9876543210"}
	verhoeffP = [8]string{"0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"}
)

func verhoeff(id string) bool {
	d := onlyDigits(id)
	c := byte('0')
	for i := range len(d) {
		c = verhoeffD[c-'0'][verhoeffP[i%8][d[len(d)-1-i]-'0']-'0']
	}
	return c == '0'
}

// ibanLengths are the lengths of account numbers by country, as the registry of
// ISO 13616 has them.
var ibanLengths = lengths(`AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18
FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31
MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`)

func lengths(list string) map[string]int {
	out := map[string]int{}
	for _, entry := range strings.Fields(list) {
		out[entry[:2]] = int(entry[2]-'0')*10 + int(entry[3]-'0')
	}
	return out
}

func iban(id string) bool {
	id = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(id))
	if ibanLengths[id[:2]] != len(id) {
		return false
	}
	rest := 0
	for _, c := range []byte(id[4:] + id[:4]) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
			continue
		}
		rest = (rest*10 + int(c-'0')) % 97
	}
	return rest == 1
}
