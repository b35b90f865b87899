package redact

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyWord are names of what is secret. The first group names passwords, of which
// any text may be one; of the second only what looks like a key is.
const (
	passwordWord = `pass[ _-]?words?|passwd|passwort|kennwort|pass[ _-]?phrase|passcode|pwd|contraseña|mot de passe|senha|비밀번호|비번|암호|패스워드|パスワード|密码|密碼`
	keyWord      = `secrets?|tokens?|api[ _-]?keys?|access[ _-]?keys?|account[ _-]?keys?|shared[ _-]?keys?|private[ _-]?keys?|signing[ _-]?keys?|encryption[ _-]?keys?|master[ _-]?keys?|service[ _-]?keys?|hash[ _-]?keys?|credentials?|auth[ _-]?keys?|license[ _-]?keys?|x-[a-z-]{0,20}key|session[ _-]?keys?|storage[ _-]?keys?|app[ _-]?keys?|auth[ _-]?tokens?|\b_auth|jwt|bearer|API\s?키|인증\s?키|비밀\s?키|암호화\s?키|서비스\s?키|시크릿|토큰`
)

// assignment is a name with a value: group 1 is the name from the word on, 2 a password's
// word, 3 a key's, 4 what follows the word in the name, 5 the sign between, 6 to 9
// the value, the last of them without quotes.
var assignment = regexp.MustCompile(`(?i)((?:(` + passwordWord + `)|(` + keyWord + `))((?:[_.\-][\p{L}\p{N}]{1,20}){0,3}|(?-i:[A-Z])\w{0,20}|\d{0,3}))["'` + "`" + `\])]{0,2}(?:\s(?:for|of|to|on|für|pour|para)\s[^\s:=]{1,30})?\s{0,3}(:=|=>|==|=|:|'s\s|\b(?:is|was|ist|est|es|é|used\sto\sbe)\b:?|은|는|이|가|は|—|–|->|→|[(「『“])\s{0,3}(?:[>|][+-]?\s{0,3}\n\s{0,20})?[「『“(]?(?:"([^"\r\n]+)"|'([^'\r\n]+)'|` + "`([^`\r\n]+)`" + `|([^\s"'` + "`" + `,;&<>]+))`)

// flag is a secret behind a flag of a command line.
var flag = regexp.MustCompile(`(?i)(?:^|[\s"'\[])--?(?:[a-z]+-){0,3}(?:[a-z]{0,8}(?:password|passwd|pass(?:phrase)?)|(?:auth)?token|secret|api-?key|access-?key)(?:["'],?)?\s{1,3}["']?([^\s"'-][^\s"']{2,})`)

// shortPass are the short names of passwords, which are ordinary words, too.
var shortPass = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{N}_-])(?:[a-z]{1,12}_)?(?:pass|pw|psk)["']?(?:\s{0,2}(?:=|:)\s{0,2}["']?|\s)([^\s"',;&<>]{4,})`)

// bareKey is a key of no further name: only what is plainly random counts.
var bareKey = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{N}])(?:[a-z0-9]+[_.-])*keys?["']?\s{0,2}(?:=|:)\s{0,2}["']?([A-Za-z0-9+/=_-]{16,})`)

// harmless ends the names of what is told about a secret.
var harmless = regexp.MustCompile(`(?i)^[_.\-]?(?:id|ids|name|names|type|count|counts|policy|length|min|max|limit|expiry|expires|expires_?at|expires_?in|ttl|url|uri|file|path|field|column|usage|used|total|budget|cost|per|rate|env|var|header|prefix|format|version|status|state|hint|label|required|enabled|reset|changed|updated|created|at)(?:[_.\-].*)?$`)

func assignments(text string) []span {
	var out []span
	for at := 0; at < len(text); {
		m := assignment.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += at
			}
		}
		at = m[1]
		if s, ok := assigned(text, m); ok {
			out = append(out, s)
		} else {
			at = m[11] // what is no value may hold a name with one
		}
	}
	return out
}

func flags(text string) []span {
	var out []span
	for _, m := range flag.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[2]:m[3]]; !example(value) && !stop[strings.ToLower(value)] {
			out = append(out, span{m[2], m[3], Password})
		}
	}
	return out
}

func shortPasses(text string) []span {
	var out []span
	for _, m := range shortPass.FindAllStringSubmatchIndex(text, -1) {
		if from, to := trimmed(text, m[2], m[3]); strange(text[from:to]) && !example(text[from:to]) {
			out = append(out, span{from, to, Password})
		}
	}
	return out
}

func bareKeys(text string) []span {
	var out []span
	for _, m := range bareKey.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[2]:m[3]]; random(value) {
			out = append(out, span{m[2], m[3], Token})
		}
	}
	return out
}

// assigned judges a match of assignment.
func assigned(text string, m []int) (span, bool) {
	if harmless.MatchString(text[m[8]:m[9]]) {
		return span{}, false
	}
	sign := text[m[10]:m[11]]
	name, verb := text[m[2]:m[3]], sign
	if !strings.ContainsAny(sign, "=:") || strings.HasSuffix(sign, "s:") || strings.HasSuffix(sign, "t:") {
		sign = said
	}
	for i := 12; i <= 18; i += 2 {
		if m[i] < 0 {
			continue
		}
		from, to, quoted := m[i], m[i+1], i < 18
		if !quoted {
			from, to = withoutParticle(text, from, to)
		}
		value := text[from:to]
		if example(value) {
			return span{}, false
		}
		if m[4] >= 0 {
			return span{from, to, Password}, isPassword(value, text[to:], sign, quoted) || !quoted && toldInWords(name, verb, value, text[to:])
		}
		return span{from, to, Token}, isKey(value, sign, quoted)
	}
	return span{}, false
}

// said stands for the signs that are words of a sentence.
const said = "is"

// isPassword reports whether the value of a password's name is one, and not a word
// about it.
func isPassword(value, rest, sign string, quoted bool) bool {
	low := strings.ToLower(value)
	switch {
	case stop[low] || len([]rune(value)) < 3 || !quoted && call.MatchString(value):
		return false
	case quoted:
		return sign != said || strange(value)
	case sign == "=" || sign == ":=" || sign == "=>" || sign == "==":
		return true
	case strange(value):
		return len(value) >= 4 && !unicode.IsUpper([]rune(value)[0]) || digits(value) > 0 || strings.ContainsAny(value, "!@#$%^&*+=?~_")
	case sign == ":":
		rest = strings.TrimLeft(rest, " \t")
		return rest == "" || strings.ContainsAny(rest[:1], ",;)}]\r\n\"'|/")
	}
	return false
}

// call is the beginning of a call in a program.
var call = regexp.MustCompile(`^[A-Za-z_][\w.]*\(`)

// filePath is the name of a file, which may hold a key but is none.
var filePath = regexp.MustCompile(`^(?:\.{0,2}/|~/|[A-Za-z]:\\)|\.(?:txt|ya?ml|json|pem|key|crt|env|conf|toml|lock|go|db|log|sh)(?::\d+)*$`)

// counted is a count under its name, as in tokens: in=12.
var counted = regexp.MustCompile(`^[A-Za-z_]+=[0-9]+$`)

// isKey reports whether the value of a key's name is one.
func isKey(value, sign string, quoted bool) bool {
	if counted.MatchString(value) || stop[strings.ToLower(value)] || strings.Contains(value, " ") || strings.Contains(value, "://") {
		return false
	}
	if filePath.MatchString(value) || !quoted && call.MatchString(value) {
		return false
	}
	numeric := digits(value) == len(value)
	if digits(value) == 0 && strings.ContainsFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false // words of a language
	}
	letters := strings.IndexFunc(value, unicode.IsLetter) >= 0
	switch {
	case numeric:
		return false
	case len(value) >= 8 && digits(value) > 0 && letters:
		return !wordLike(value)
	case len(value) >= 12 && cased(value):
		return !camel(value)
	case len(value) >= 20 && entropy(value) > 3.3:
		return !strings.ContainsAny(value, "_-./") || digits(value) > 0
	}
	return (quoted || sign == "=") && len(value) >= 8 && strings.ContainsAny(value, "!@#$%^&*+=?~")
}

// wordLike reports whether a value is made of words and short numbers, such as
// customers_2024 or cl100k_base, or is a date or an amount.
func wordLike(value string) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("_-./:", r) })
	words := 0
	for _, p := range parts {
		d := digits(p)
		switch {
		case d == len(p) && d <= 4, d == 0 && !cased(p), len(p) <= 6 && d > 0 && d < len(p):
			if d == 0 && len(p) >= 3 {
				words++
			}
		default:
			return false
		}
	}
	return len(parts) > 1 && words > 0
}

// camel reports whether a value is a name of a program, such as AccessTokenProvider.
func camel(value string) bool {
	if digits(value) > 0 {
		return false
	}
	runs := 0
	for i := 1; i < len(value); i++ {
		if unicode.IsUpper(rune(value[i])) && unicode.IsUpper(rune(value[i-1])) {
			return false
		}
		if unicode.IsUpper(rune(value[i])) {
			runs++
		}
	}
	return runs*4 <= len(value)
}

// strange reports whether a text holds what ordinary words do not.
func strange(value string) bool {
	return strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '.' && r != '\'' }) || cased(value)
}

// random reports whether a text is plainly made by a machine.
func random(value string) bool {
	if digits(value) < 2 || example(value) {
		return false
	}
	if hex := strings.Trim(strings.ToLower(value), "0123456789abcdef"); hex == "" {
		return len(value) >= 32
	}
	return cased(value) && entropy(value) > 3.7 && !wordLike(value)
}

func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// entropy is how many bits a character of s carries, by the characters in s.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	var bits float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// shown is what stands in the place of a secret in a text about it: a reference, a
// blank to fill in, stars.
var shown = regexp.MustCompile(`^(?:\$\{.*\}?|\$\(.*|\$[A-Za-z_][A-Za-z0-9_]*|%[A-Za-z_]+%|%[a-z]|\{\{?[^}]*\}?\}?|<[^>]*>?|\[[^\]]*\]?|:[A-Za-z_]+|[*•x.X#_-]{3,}|\*+[\w]{0,4}|[A-Za-z]{0,4}\*{3,}.*|[A-Z][A-Z_]*|\.\.\.|…)$`)

// example reports whether a value only stands for a secret.
func example(value string) bool {
	low := strings.ToLower(value)
	return shown.MatchString(value) && !placeholderPart(value) || placeholders[low]
}

// placeholderPart keeps placeholders of our own, which are left out later as what
// was taken out already.
func placeholderPart(value string) bool {
	return strings.HasPrefix(value, "[") && strings.Contains(value, "]") && !strings.HasSuffix(value, "]")
}

var placeholders = set(`redacted [redacted] hidden masked removed omitted secret-value your-password yourpassword your_password your-token your_token your-api-key your_api_key user username password pass`)

// stop are words that are said of secrets.
var stop = set(`required incorrect invalid expired missing reset must should cannot forgotten wrong empty none null nil true false yes no not unknown
optional changed unchanged protected encrypted hashed set unset needed necessary here there valid weak strong short long good bad too the a an is are was
were be been in on at to for of or and from with without by as if when where which that this it its your my our their has have had will would may can
could authentication authorization authorized unauthorized bearer basic string text field value values key keys name names type types number numbers
default defaults env environment file config configuration settings setting stored saved kept provided given supplied sent received read written
disabled enabled denied rejected refused accepted failed error errors ok okay same different new old refresh access limit limits count counts used
usage total input output cached reasoning prompt completion mismatch confirm confirmation length minimum maximum policy rotation rotated revoked
revoke generate generated create created update updated delete deleted required. manager vault store prompt prompted manual manually pending unlimited
case-sensitive 필수 필요 오류 틀림 변경 재설정 없음 있음 입력 확인`)

// words are those of a list in a text.
func words(list string) []string { return strings.Fields(list) }

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
