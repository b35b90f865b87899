package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken are passwords that other forms mark: a clause of SQL, an element of XML, a
// command that takes one.
var spoken = regexp.MustCompile(`(?i)\b(?:password|passwd|identified\s(?:with\s\w+\s)?(?:by|as))(?:\s{1,3}|\s?=\s?|\s{0,3}\(\s?|\s=\s)N?(?:'([^'\r\n]{3,})'|"([^"\r\n]{3,})")` +
	`|\bsp_(?:addlogin|password)\s+(?:@\w+\s*=\s*)?N?'[^']*'\s*,\s*(?:@\w+\s*=\s*)?N?'([^'\r\n]+)'` +
	`|<(?:[\w-]+:)?[\w.-]*(?:password|passwd|pwd|secret|token|api-?key|access-?key|credential)(?:\s[^>]*)?>\s*([^<\s][^<\r\n]+)<` +
	`|\b(?:requirepass|masterauth|sshpass\s+-p|redis-cli(?:\s+-[hpn]\s+\S+)*\s+-a)\s*['"]?([^\s'"-][^\s'"]{3,})` +
	`|\bnet\s+use\s[^\r\n]{0,80}/user:\S+\s+['"]?([^\s'"/-][^\s'"]{3,})` +
	`|\bpsql\s[^\r\n|;]{0,120}?\s-W\s?['"]?([^\s'"-][^\s'"]{4,})|\b(?:echo|printf)\s+(?:-n\s+)?['"]?([^\s'"|]{4,})['"]?\s*\|[^|\r\n]{0,80}(?:--?(?:password-)?stdin|passwd|sudo\s+-S)` +
	`|\b(?:sudo|passwd|su)\b[^\r\n|]{0,40}<<<\s*['"]?([^\s'"]{4,})`)

// program is a command of a program that takes a password behind a short flag, and
// shortFlag such a flag with what stands behind it.
var (
	program   = regexp.MustCompile(`(?i)\b(?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh|mongodump|docker\s+login|ldapsearch|htpasswd|smbclient|sqlcmd|curl|wget|twine)\s[^\r\n|;]*`)
	shortFlag = regexp.MustCompile(`(?:^|\s)-(?:p|w|P|u)\s?['"]?([^\s'"-][^\s'"]{3,})`)
)

// userPassword is a user with a password behind a colon or a slash, where a word or a
// flag says that a user stands there; pgpass is a line of a file of passwords.
var (
	userPassword = regexp.MustCompile(`(?i)(?:(?:^|\s)(?:-u|--user|--proxy-user)[ =]['"]?|\b(?:for|user|login|credentials?|account|as)\b:?\s|(?:계정|로그인|접속)(?:\s?정보)?(?:은|는)?:?\s)([a-z][\w.-]{0,40})\s?[:/]\s?([^\s'"/\\][^\s'"/]{4,})`)
	pgpass       = regexp.MustCompile(`(?:^|\s)[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.*-]+:([^\s:]{4,})`)
)

// named is a value whose name is the value of another field, before it.
var named = regexp.MustCompile(`(?i)\b(?:key|name|id|field|header|env)["']?\s{0,2}[:=]\s{0,2}["']?[\w.-]{0,40}?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|authorization|cookie|sess(?:ion)?(?:id)?)([\w.-]{0,30})["']?[,;]?\s{0,20}["']?value["']?\s{0,2}[:=]\s{0,2}(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s"',;&<>]+))`)

// announced is a password's word with what stands behind it in its line.
var announced = regexp.MustCompile(`(?i)(?:` + passwordWord + `)([^\r\n]{1,60}\S*)`)

// keyOf is a key by its use with a value behind it. Group 1 is the use.
var keyOf = regexp.MustCompile(`(?i)\b([a-z]{2,14})[ _-]key:?\s(?:is\s)?["'“(]?([A-Za-z0-9+/=_.~-]{16,})`)

// plainUses are uses of keys that are no secrets.
var plainUses = set(`cache primary foreign sort partition idempotency unique join object row lock public route routing message index lookup hash shard
group natural surrogate composite alternate candidate business dedup redis map json dictionary trace event`)

// bare is a value right behind the word for what it is. Group 1 is a password's, 2 a
// key's.
var bare = regexp.MustCompile(`(?i)(?:(?:` + passwordWord + `)\s{1,3}["'“「『]?([^\s"'”」』)\],;<>]{6,})|(?:` + keyWord + `|PrivateKey|[a-z]{2,12}Key)\s{1,3}["'“「『(]?([A-Za-z0-9+/=_.~-]{16,}))`)

func spokens(text string) []span {
	out := groups(spoken, text, func(value string) bool { return true })
	for _, m := range program.FindAllStringIndex(text, -1) {
		out = append(out, within(text, []window{{m[0], m[1]}}, func(line string) []span {
			return groups(shortFlag, line, func(value string) bool {
				return strange(value) && digits(value) < len(value) && !strings.Contains(value, "://")
			})
		})...)
	}
	return append(out, groups(pgpass, text, strong)...)
}

// groups are the places of the groups of an expression that may be passwords.
func groups(re *regexp.Regexp, text string, may func(value string) bool) []span {
	var out []span
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] < 0 {
				continue
			}
			if value := text[m[i]:m[i+1]]; !example(value) && !stop[strings.ToLower(value)] && may(value) {
				out = append(out, span{m[i], m[i+1], Password})
			}
		}
	}
	return out
}

func userPasswords(text string) []span {
	if !strings.ContainsAny(text, ":/") {
		return nil
	}
	var out []span
	for _, m := range userPassword.FindAllStringSubmatchIndex(text, -1) {
		if from, to := trimmed(text, m[4], m[5]); strong(text[from:to]) && !example(text[from:to]) {
			out = append(out, span{from, to, Password})
		}
	}
	return out
}

func nameds(text string) []span {
	var out []span
	for _, m := range named.FindAllStringSubmatchIndex(text, -1) {
		for i := 4; i < len(m); i += 2 {
			if m[i] < 0 || harmless.MatchString(text[m[2]:m[3]]) {
				continue
			}
			value := text[m[i]:m[i+1]]
			if !example(value) && !stop[strings.ToLower(value)] && (strange(value) && len(value) >= 6 || i < 8 && len(value) >= 8) && digits(value) < len(value) {
				out = append(out, span{m[i], m[i+1], Token})
			}
		}
	}
	return out
}

func bares(text string) []span {
	var out []span
	for _, m := range bare.FindAllStringSubmatchIndex(text, -1) {
		if m[2] >= 0 {
			if from, to := withoutParticle(text, m[2], m[3]); strong(text[from:to]) && !example(text[from:to]) {
				out = append(out, span{from, to, Password})
			}
			continue
		}
		if from, to := trimmed(text, m[4], m[5]); disordered(text[from:to]) {
			out = append(out, span{from, to, Token})
		}
	}
	for _, m := range keyOf.FindAllStringSubmatchIndex(text, -1) {
		if from, to := trimmed(text, m[4], m[5]); disordered(text[from:to]) && !plainUses[strings.ToLower(text[m[2]:m[3]])] {
			out = append(out, span{from, to, Token})
		}
	}
	for _, m := range announced.FindAllStringSubmatchIndex(text, -1) {
		for _, w := range word.FindAllStringIndex(text[m[2]:m[3]], -1) {
			if from, to := withoutParticle(text, m[2]+w[0], m[2]+w[1]); odd(text[from:to]) && !example(text[from:to]) {
				out = append(out, span{from, to, Password})
			}
		}
	}
	return out
}

// word is a word, without the quotes and brackets around it.
var word = regexp.MustCompile(`[^\s"'“”「」『』()\[\]{}<>,;=|` + "`" + `]{6,64}`)

// odd reports whether a text can hardly be anything but a password: it is strong with
// a sign inside that no name, address or pattern of characters has there.
func odd(value string) bool {
	return strong(value) && strings.ContainsAny(value[:len(value)-1], "!#$%^&*~+@") && !strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "#") &&
		!strings.Contains(value, "a-z") && !strings.Contains(value, "0-9") && !strings.Contains(value, ":") && !(strings.Contains(value, "@") && strings.Contains(value, ".")) || strong(value) && strings.HasSuffix(value, "!") && digits(value) > 1
}

// strong reports whether a text is what people are asked to make a password of:
// letters and digits, with a sign or with letters of both cases.
func strong(value string) bool {
	if len(value) < 6 || digits(value) == 0 || strings.Contains(value, "/") || filePath.MatchString(value) || call.MatchString(value) {
		return false
	}
	lower := strings.ContainsFunc(value, unicode.IsLower)
	upper := strings.ContainsFunc(value, unicode.IsUpper)
	return (lower || upper) && strings.ContainsAny(value, "!@#$%^&*?~+") || lower && upper
}

// disordered reports whether a text is one that only a machine makes: of both cases,
// of hexadecimal digits, or of base 32.
func disordered(value string) bool {
	if random(value) {
		return true
	}
	return digits(value) >= 2 && strings.ToUpper(value) == value && !strings.ContainsAny(value, "_-.:/") && entropy(value) > 3.3 && digits(value) < len(value)
}

// withoutParticle is a place without the stops at its end and without the few letters
// of another script that are glued to it: a Korean particle.
func withoutParticle(text string, from, to int) (int, int) {
	from, to = trimmed(text, from, to)
	ascii := to
	for letters := 0; letters < mostParticle && ascii > from; letters++ {
		r, size := utf8.DecodeLastRuneInString(text[from:ascii])
		if r < utf8.RuneSelf {
			break
		}
		ascii -= size
	}
	if ascii-from >= 4 && strange(text[from:ascii]) && text[ascii-1] < utf8.RuneSelf {
		return trimmed(text, from, ascii)
	}
	return from, to
}

// mostParticle is how many letters a particle has, with the verb that may follow it.
const mostParticle = 6
