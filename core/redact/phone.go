package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// phoneNumber is what may be a number: digits in groups, with the signs that people
// put between them, and an extension.
var phoneNumber = regexp.MustCompile(`(?:\+\s?|\b00)?\(?[0-9]{1,5}\)?(?:(?:[ .\-/‑–—‐·~]|\) ?|\)[-./]| ?\(| - | / | ?\(0\) ?)?[0-9]{1,14}){0,7}(?:\s?(?:x|ext\.?|extension|내선)\s?[0-9]{1,6})?`)

// phoneWord says before a number, or soon behind it, that it is one.
var phoneWord = regexp.MustCompile(`(?i)(?:\b(?:tel|telephone|phone|phones|mobile|cell|cellphone|fax|call|calls|called|dial|ring|whatsapp|sms|text|contact|hotline|handy|telefon|mobil|tél|téléphone|portable|móvil|teléfono|cellulare|voicemail|telefone|telemóvel|celular|telefoon|telefono|mobiel|mobilnummer|puhelin|wa\.me)\b|тел|телефон|전화|휴대폰|핸드폰|연락처|팩스|번호로|電話|携帯|手机|电话)[^0-9+(]{0,24}$`)

// sayNot are words before a number that say what else it is.
var sayNot = regexp.MustCompile(`(?i)(?:\b(?:order|invoice|ticket|case|version|release|build|ver|isbn|issn|doi|sku|ean|upc|serial|part|item|id|ids|no|nr|ref|reference|tracking|page|pages|row|rows|line|port|pid|ip|zip|postal|postcode|plz|lot|batch|model|article|code|timestamp|epoch|coordinates|lat|lon|gtin|asin|barcode|imei|account|acct)\b[.:#]?|주문|송장|바코드|(?:주문|송장|운송장|접수|사건|문서|고객|회원|우편|상품|계좌|등록|예약|결제|승인|관리|일련|시리얼)\s?번호|버전|№|#|\$|€|£|¥|₩)\s{0,2}[:=#]?\s{0,2}$`)

// amountWord are words before an amount. An amount has no zero before it, nor groups
// of several sizes.
var amountWord = regexp.MustCompile(`(?i)\b(?:offset|size|bytes|total|sum|amount|price|revenue|qty|quantity|count|between|from|range)\b[.:#]?\s{0,2}[:=#]?\s{0,2}$`)

// telephoneGroups is how a number stands that is no amount.
var telephoneGroups = regexp.MustCompile(`^\(?0|\d[-) ]+\d+[- ]\d`)

// phones are the places of phone numbers that are not among the places taken
// already.
func phones(text string, regions []string, taken []span) []span {
	var out []span
	for at := 0; at < len(text); {
		m := phoneNumber.FindStringIndex(text[at:])
		if m == nil {
			break
		}
		from, to := at+m[0], at+m[1]
		at = max(to, at+1)
		raw := text[from:to]
		if n := digits(raw); n < 7 || n > 20 || !free(text, from, to) {
			continue
		}
		if slices.ContainsFunc(taken, func(s span) bool { return s.from < to && from < s.to }) {
			continue
		}
		if isPhone(text, from, to, regions) {
			out = append(out, span{from, to, Phone})
		}
	}
	return out
}

// free reports whether a number stands by itself: not in a word, a longer number,
// an amount or a path.
func free(text string, from, to int) bool {
	if !bounded(text, from, to) {
		return false
	}
	before, after := "", text[to:]
	if from > 0 {
		before = text[from-1 : from]
	}
	if from > 1 && strings.Contains(".,-/:", before) && text[from-2] >= '0' && text[from-2] <= '9' || before == "-" && from > 1 && wordy(rune(text[from-2])) {
		return false
	}
	if len(after) > 1 && strings.ContainsAny(after[:1], ".,-/:%") && after[1] >= '0' && after[1] <= '9' {
		return false
	}
	if len(after) > 1 && after[0] == '-' && wordy(rune(after[1])) {
		return false
	}
	return before != "$" && before != "#" && (before != "=" || phoneWord.MatchString(text[max(0, from-48):from])) && before != "@" && !strings.HasPrefix(after, "%")
}

var (
	dateLike    = regexp.MustCompile(`^\(?(?:(?:19|20)\d{2}[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-./](?:0?[1-9]|[12]\d|3[01])[-./](?:19|20)\d{2})(?:\D.*)?$`)
	compactDate = regexp.MustCompile(`^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\D?\d{4,6})?$`)
	yearRange   = regexp.MustCompile(`^(?:19|20)\d{2}\s?[-–~/]\s?(?:19|20)?\d{2}(?:\D|$)`)
	thousands   = regexp.MustCompile(`^\d{1,3}(?:[ .]\d{3}){2,}$`)
	isbn        = regexp.MustCompile(`^97[89][ -]?\d`)
	ipLike      = regexp.MustCompile(`^\d{1,3}(?:\.\d{1,3}){3}(?:[^\d.].*)?$`)
	yearNumber  = regexp.MustCompile(`^(?:19|20)\d{2}[-/]\d{3,8}$`)
	fraction    = regexp.MustCompile(`^\d+\.\d+$`)
	koreanCell  = regexp.MustCompile(`^01[016789]\d{7,8}$`)
)

func isPhone(text string, from, to int, regions []string) bool {
	raw := text[from:to]
	number := strings.NewReplacer("‑", "-", "–", "-", "—", "-", "‐", "-", "·", "-", "~", "-").Replace(raw)
	before := text[max(0, from-48):from]
	said := phoneWord.MatchString(before) || strings.HasSuffix(strings.ToLower(before), "tel:")
	if strings.HasPrefix(number, "+") || strings.HasPrefix(number, "00") && digits(number) >= 11 && !sayNot.MatchString(before) {
		number = "+" + strings.TrimLeft(strings.TrimPrefix(number, "+"), " 0")
		n, err := phonenumbers.Parse(number, "")
		return err == nil && (phonenumbers.IsValidNumber(n) || phonenumbers.IsPossibleNumber(n) && (said || digits(number) >= 10 && strings.HasPrefix(raw, "+")))
	}
	for _, other := range []*regexp.Regexp{dateLike, compactDate, yearRange, yearNumber, thousands, isbn, ipLike} {
		if other.MatchString(number) && !(said && (other == thousands || other == yearNumber && digits(number) <= 8)) {
			return false
		}
	}
	other := sayNot.MatchString(before) || amountWord.MatchString(before) && !telephoneGroups.MatchString(number)
	if (other || fraction.MatchString(number)) && !said {
		return false
	}
	return slices.ContainsFunc(regions, func(region string) bool { return national(number, region, said) })
}

// national reports whether a number is one of the region in the form in which it is
// written there. A word before it makes any form count.
func national(number, region string, said bool) bool {
	n, err := phonenumbers.Parse(number, region)
	if err != nil || !phonenumbers.IsPossibleNumber(n) || digits(number) < 7 {
		return false
	}
	valid := phonenumbers.IsValidNumber(n)
	if said {
		return valid || digits(number) >= 9 && digits(number) <= 12
	}
	groups := strings.FieldsFunc(number, func(r rune) bool { return r < '0' || r > '9' })
	switch {
	case region == "KR" && len(groups) == 3 && len(groups[1]) >= 3 && len(groups[2]) == 4 && koreanCell.MatchString(strings.Join(groups, "")):
		return true // also of a range that is not given out
	case len(groups) == 1:
		return valid && koreanCell.MatchString(number)
	case region == "US" && strings.HasPrefix(number, "(") && len(groups) >= 3:
		return digits(number) >= 10
	case !valid:
		return false
	case strings.HasPrefix(strings.TrimLeft(number, "("), "0"):
		return digits(number) >= 9 && len(groups) <= 6
	}
	written := strings.FieldsFunc(phonenumbers.Format(n, phonenumbers.NATIONAL), func(r rune) bool { return r < '0' || r > '9' })
	if len(groups) > len(written) && groups[0] == "1" && region == "US" {
		groups = groups[1:]
	}
	return len(groups) >= len(written) && slices.Equal(groups[:len(written)], written) && digits(number) >= 8
}
