package redact

import (
	"net/netip"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// personal are the places of personal data in a folded text.
func personal(text string, regions []string) []span {
	out := emails(text)
	numbers := clusters(text, fewestDigits)
	if len(numbers) == 0 {
		return out
	}
	out = append(out, ids(text, numbers)...)
	out = append(out, within(text, nearDigits(text, numbers, 13), cards)...)
	for _, w := range nearDigits(text, numbers, 7) {
		var taken []span
		for _, s := range out {
			if s.from < w.to && w.from < s.to {
				taken = append(taken, span{s.from - w.from, s.to - w.from, s.kind})
			}
		}
		out = append(out, within(text, []window{w}, func(part string) []span { return phones(part, regions, taken) })...)
	}
	return out
}

// fewestDigits are those of the shortest id.
const fewestDigits = 4

// email is an address as RFC 6531 has it, without comments. Of its last label only
// one script is taken: Korean particles follow an address without a space.
var email = regexp.MustCompile(`((?:[\p{L}\p{N}!#$&'*+/=?^_{|}~-][\p{L}\p{N}\p{M}.!#$&'*+/=?^_{|}~%-]{0,63}|"[^"\r\n@]{1,62}"))(@|\s?(?:\[at\]|\(at\)|\{at\})\s?)((?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?(?:\.|\s?(?:\[dot\]|\(dot\))\s?)){1,8}(?:xn--[A-Za-z0-9-]{1,59}|[A-Za-z]{2,24}|[^\x00-\x7F\p{P}\p{Z}\p{S}][\p{L}\p{M}]{1,23})|\[[0-9A-Fa-f.:]{3,45}\])`)

var dotWord = regexp.MustCompile(`\s?(?:\[dot\]|\(dot\))\s?`)

func emails(text string) []span {
	if !strings.Contains(text, "@") && !strings.Contains(text, "at]") && !strings.Contains(text, "at)") && !strings.Contains(text, "at}") {
		return nil
	}
	var out []span
	for _, m := range email.FindAllStringSubmatchIndex(text, -1) {
		domain := dotWord.ReplaceAllString(text[m[6]:m[7]], ".")
		if strings.HasPrefix(text[m[1]:], ":") && text[m[2]:m[3]] == "git" || !domainOf(domain) {
			continue
		}
		from := m[2] + len(text[m[2]:m[3]]) - len(strings.TrimLeft(text[m[2]:m[3]], "'/=*{|"))
		if local := text[from:m[3]]; local == "" || strings.HasSuffix(local, "/") {
			continue
		}
		out = append(out, span{from, m[1], Email})
	}
	return out
}

// private are the last labels of domains that no registry has and organisations use.
var private = set("internal local localdomain lan corp home intranet private test example invalid localhost onion arpa alt company")

// domainOf reports whether a text can be the domain of an address.
func domainOf(domain string) bool {
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		_, err := netip.ParseAddr(strings.TrimSuffix(literal, "]"))
		return err == nil
	}
	ascii, err := idna.ToASCII(strings.ToLower(domain))
	if err != nil {
		return false
	}
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	if private[last] {
		return true
	}
	suffix, listed := publicsuffix.PublicSuffix(ascii)
	// Where no rule of the list matches, its default rule takes any last label.
	return (listed || strings.Contains(suffix, ".")) && suffix != ascii
}

// cardNumber is 13 to 19 digits in groups.
var cardNumber = regexp.MustCompile(`(?:^|[^0-9A-Za-z.,_/#+-])([0-9](?:(?:[ .\-‑–—]| {2}| - )?[0-9]){12,18})(?:[^0-9A-Za-z_]|$)`)

func cards(text string) []span {
	var out []span
	for at := 0; at < len(text); {
		m := cardNumber.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		from, to := at+m[2], at+m[3]
		at = to
		if raw := text[from:to]; grouped(raw) && isCard(onlyDigits(raw)) {
			out = append(out, span{from, to, Card})
		}
	}
	return out
}

// grouped reports whether digits are whole or in the groups that cards have: of
// four, or of 4, 6 and 4 or 5.
func grouped(raw string) bool {
	groups := strings.FieldsFunc(raw, func(r rune) bool { return r < '0' || r > '9' })
	if len(groups) == 1 {
		return true
	}
	for i, g := range groups {
		last := i == len(groups)-1
		if len(g) != 4 && !(last && len(g) <= 5) && !(i == 1 && len(groups) == 3 && len(g) == 6) {
			return false
		}
	}
	return len(groups) <= 5
}

// issuers are the beginnings of card numbers, with the lengths that they have.
var issuers = []struct {
	low, high int // of the first four digits
	lengths   string
}{
	{4000, 4999, "13 16 19"},               // Visa
	{5100, 5599, "16"}, {2221, 2720, "16"}, // Mastercard
	{3400, 3499, "15"}, {3700, 3799, "15"}, // American Express
	{6011, 6011, "16 17 18 19"}, {6440, 6599, "16 17 18 19"}, // Discover
	{3528, 3589, "16 17 18 19"},                                                                   // JCB
	{3000, 3059, "14 16"}, {3095, 3095, "14 16"}, {3600, 3699, "14 16 19"}, {3800, 3999, "14 16"}, // Diners
	{6200, 6299, "16 17 18 19"}, {8100, 8199, "16"}, // UnionPay
	{5018, 5018, "16 18 19"}, {5020, 5020, "16 18 19"}, {5038, 5038, "16 18 19"}, {5893, 5893, "16 18 19"}, {6304, 6304, "16 18 19"}, {6759, 6763, "16 18 19"}, // Maestro
	{2200, 2204, "16"},                     // Mir
	{6060, 6069, "16"}, {5067, 5067, "16"}, // Hipercard, Elo, RuPay
	{9400, 9499, "16"}, {9200, 9299, "16"}, // Korean domestic cards
	{9792, 9792, "16"}, // Troy
}

func isCard(number string) bool {
	if !luhn(number) || strings.Count(number, number[:1]) == len(number) {
		return false
	}
	head := int(number[0]-'0')*1000 + int(number[1]-'0')*100 + int(number[2]-'0')*10 + int(number[3]-'0')
	for _, i := range issuers {
		if head >= i.low && head <= i.high {
			for _, length := range strings.Fields(i.lengths) {
				if length == decimal(len(number)) {
					return true
				}
			}
		}
	}
	return false
}

func decimal(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}
