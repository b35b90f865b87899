package redact

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// finders are all but those of gitleaks and of AWS's bare keys.
var finders = []finder{
	{vendorTokens, 8, 400, words(`sk- sk_ rk_ pk_ whsec_ ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- glptt- glrt- gldt- glft- glsoat- glcbt- glagent- glimt- gloas- akia asia agpa
aida aroa aipa anpa anva abia acca aiza ya29. gocspx- xox xapp- hf_ npm_ pypi- rubygems_ dckr_ dop_v1_ dor_v1_ doo_v1_ shpat_ shpca_ shppa_ shpss_ sg. key- sq0 eaac eaaa lin_ secret_
ntn_ figd_ glc_ glsa_ dapi hvs. hvb. hvr. .atlasv1. nvapi- gsk_ r8_ xai- pplx- age-secret qk_ sntry pmak- nrak- ops_ tfp_ sbp_ vcp_ vck_ vci_ vcr_ cfpat- :aa eyj hooks.slack
discord webhook.office hooks.zapier bkua_ tskey- 4/0a apa91b`)},
	{privateKeys, 8, 24 << 10, words("-----begin putty-user-key")},
	{signatures, 24, 400, words("sig= signature= credential= token= key= auth= code= secret=")},
	{authorizations, 24, 4 << 10, words("authorization")},
	{schemes, 8, 4 << 10, append(words("aws4-"), "bearer", "basic", "digest", "token", "negotiate", "ntlm", "apikey")},
	{cookies, 8, 4 << 10, words("cookie")},
	{sessions, 48, 1 << 10, words("sess sid csrf xsrf remember_ cf_clearance auth_token logged_in .aspnetcore.")},
	{addresses, 48, 2 << 10, words("://")},
	{dsns, 400, 400, words("@")},
	{lists, 1 << 10, 1 << 10, words("password pwd passwd accountkey sharedaccess")},
	{assignments, 96, 1 << 10, words("pass pwd kennwort contrase senha 비밀번호 비번 암호 패스워드 パスワード 密码 密碼 secret token key credential jwt bearer _auth 키 시크릿 토큰")},
	{flags, 32, 600, words("-pass storepass keypass -token -secret -api -access")},
	{spokens, 96, 600, words("password passwd identified sp_addlogin pwd> secret> token> key> requirepass masterauth sshpass redis-cli mysql mariadb mongo docker ldapsearch htpasswd smbclient sqlcmd curl wget twine stdin sudo")},
	{spokens, 400, 400, words("psql echo printf /user: :5432: :*:")},
	{userPasswords, 24, 400, words("-u --user for user login credential account as 계정 로그인")},
	{nameds, 96, 600, words("pass pwd secret token key authorization cookie sess")},
	{bares, 96, 600, words("pass pwd kennwort contrase senha 비밀번호 비번 암호 패스워드 パスワード 密码 密碼 secret token key credential jwt 인증 비밀 시크릿 토큰")},
	{shortPasses, 24, 400, words("pass pw psk")},
	{bareKeys, 64, 600, words("key")},
}

// vendorToken are the forms of tokens that begin with letters of their vendor: they
// are taken out in any length in which one may have been cut or made up.
var vendorToken = regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(` + strings.Join([]string{
	`sk-(?:proj|svcacct|admin|ant|or|lf|live|test)?-?[A-Za-z0-9_-]{14,}`,      // OpenAI, Anthropic, OpenRouter, Langfuse
	`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}`, `whsec_[A-Za-z0-9+/=]{12,}`, // Stripe
	`gh[opsur]_[A-Za-z0-9]{16,}`, `github_pat_[A-Za-z0-9_]{16,}`,
	`gl(?:pat|ptt|rt|dt|ft|soat|cbt|agent|imt|oas)-[A-Za-z0-9_.-]{12,}`,  // GitLab
	`(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{12,}`, // AWS
	`AIza[A-Za-z0-9_-]{20,}`, `ya29\.[A-Za-z0-9_-]{10,}`, `GOCSPX-[A-Za-z0-9_-]{10,}`, // Google
	`xox[abceoprs]-[A-Za-z0-9-]{8,}`, `xapp-[A-Za-z0-9-]{8,}`, // Slack
	`hf_[A-Za-z0-9]{12,}`, `npm_[A-Za-z0-9]{16,}`, `pypi-[A-Za-z0-9_-]{16,}`, `rubygems_[a-f0-9]{16,}`, `dckr_(?:pat|oat)_[A-Za-z0-9_-]{12,}`,
	`do[opr]_v1_[a-f0-9]{16,}`, `shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,}`, `SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
	`key-[a-z0-9]{32}`, `sq0[a-z]{3}-[A-Za-z0-9_-]{16,}`, `EAAC[A-Za-z0-9]{20,}`, `EAAA[A-Za-z0-9_-]{20,}`,
	`lin_(?:api|oauth)_[A-Za-z0-9]{12,}`, `(?:secret|ntn)_[A-Za-z0-9]{20,}`, `figd_[A-Za-z0-9_-]{12,}`, `gl(?:c|sa)_[A-Za-z0-9+/=_]{20,}`,
	`dapi[a-f0-9]{24,}`, `hv[sbr]\.[A-Za-z0-9_-]{16,}`, `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{20,}`, `nvapi-[A-Za-z0-9_-]{16,}`,
	`gsk_[A-Za-z0-9]{16,}`, `r8_[A-Za-z0-9]{20,}`, `xai-[A-Za-z0-9]{16,}`, `pplx-[A-Za-z0-9]{16,}`, `AGE-SECRET-KEY-1[A-Z0-9]{20,}`,
	`qk_[A-Za-z0-9]{12,}`,                           // our own keys of callers
	`AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{20,}`, // Firebase
	`bkua_[a-f0-9]{20,}`, `tskey-[a-z]+-[A-Za-z0-9]{8,}-?[A-Za-z0-9]*`, `4/0A[A-Za-z0-9_-]{20,}`,
	`https?://hooks\.zapier\.com/hooks/catch/[0-9]+/[A-Za-z0-9]{5,}`,
	`sntry[su]_[A-Za-z0-9+/=_-]{20,}`, `PMAK-[a-f0-9]{16,}-[a-f0-9]{16,}`, `NRAK-[A-Z0-9]{16,}`, `ops_eyJ[A-Za-z0-9_-]{20,}`,
	`tfp_[A-Za-z0-9_-]{20,}`, `sbp_[a-f0-9]{20,}`, `vc[pkir]_[A-Za-z0-9]{16,}`, `CFPAT-[A-Za-z0-9_-]{16,}`,
	`(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`,                         // Telegram
	`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}`, // JWT, also cut
	`https?://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{8,}`,
	`https?://(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{8,}`,
	`https?://[a-z0-9-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{16,}`,
}, "|") + `)`)

// privateKey takes a block to its end, or what there is of it when it was cut.
var privateKey = regexp.MustCompile(`-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\:,.|>-]*)|PuTTY-User-Key-File-\d:(?:[\s\S]*?Private-MAC:\s?[0-9a-f]*|[\s\S]*)`)

// awsSecret is the form of AWS's secret keys: nothing marks them but their length
// and their disorder.
var awsSecret = regexp.MustCompile(`(?:^|[^A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])`)

// longHex are the keys that are 32 hexadecimal digits with something before or behind
// them: of Twilio and of Mailchimp.
var longHex = regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(AC[0-9a-f]{32}:[0-9a-f]{32}|SK[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2})(?:[^A-Za-z0-9_]|$)`)

// hexLength is the length of such keys.
const hexLength = 32

func longHexes(text string) []span {
	var out []span
	for _, m := range longHex.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, span{m[2], m[3], Token})
	}
	return out
}

// webhookSignature is a signature in a URL that opens what it signs.
var webhookSignature = regexp.MustCompile(`(?i:[?&](?:sig|signature|access_token|api_?key|token|auth|code|client_secret|key)|\bx-(?:amz|goog)-(?:signature|credential|security-token))=([^&\s"'<>\[\]]{8,})`)

func vendorTokens(text string) []span {
	var out []span
	for _, m := range vendorToken.FindAllStringSubmatchIndex(text, -1) {
		if mixed(text[m[2]:m[3]]) {
			out = append(out, span{m[2], m[3], Token})
		}
	}
	return out
}

func privateKeys(text string) []span {
	var out []span
	for _, m := range privateKey.FindAllStringIndex(text, -1) {
		out = append(out, span{m[0], m[1], PrivateKey})
	}
	return out
}

const awsSecretLength = 40

func awsSecrets(text string) []span {
	var out []span
	for _, m := range awsSecret.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[2]:m[3]]; entropy(value) > 4.2 && cased(value) {
			out = append(out, span{m[2], m[3], Token})
		}
	}
	return out
}

func signatures(text string) []span {
	var out []span
	for _, m := range webhookSignature.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[2]:m[3]]; mixed(value) && len(value) >= 12 {
			out = append(out, span{m[2], m[3], Token})
		}
	}
	return out
}

// mixed reports whether a token holds what words do not: a digit beside letters,
// or upper-case letters inside.
func mixed(token string) bool {
	if i := strings.LastIndexAny(token, "-_."); i >= 0 && i < 8 && len(token) > i+1 {
		token = token[i+1:]
	}
	shouted := len(token) >= 16 && strings.ToUpper(token) == token
	return strings.ContainsAny(token, "0123456789") || cased(token) || shouted
}

// cased reports whether text holds both upper-case and lower-case letters beyond
// those that begin its words.
func cased(text string) bool {
	inside, lower := false, false
	for i := 1; i < len(text); i++ {
		c, before := text[i], text[i-1]
		lower = lower || c >= 'a' && c <= 'z'
		inside = inside || c >= 'A' && c <= 'Z' && (before >= 'a' && before <= 'z' || before >= '0' && before <= '9')
	}
	return inside && lower
}

// authorization is a header with its credentials, to the end of its line or quotes.
var authorization = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:proxy-|x-)?authorization["']?\s{0,3}[:=>,]{1,2}\s{0,3}\[?["']?([^"'\r\n\]]{4,})`)

// scheme is credentials behind their scheme, without the header's name.
var scheme = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])((bearer|basic|digest|token|negotiate|ntlm|apikey|aws4-hmac-sha256)\s{1,3}([a-z0-9._~+/=:-]{6,}))`)

// digest is the parameters of an HTTP digest.
var digest = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(digest\s{1,3}(?:[a-z]+\s?=\s?(?:"[^"\r\n]*"|[^,\s"]+)(?:,\s{0,3})?){2,})`)

// cookie is a header with its pairs, to the end of its line or quotes.
var cookie = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:set-)?cookies?2?["']?\s{0,3}[:=>,]{1,2}\s{0,3}\[?["']?([\w.%-]{1,80}=[^"'\r\n\]]+|[\w.%-]{1,80}="[^\r\n]+)`)

// session is a cookie of a name that holds sessions, without its header.
var session = regexp.MustCompile(`(?i)(?:^|[^a-z0-9_])((?:__(?:secure|host)-)?(?:[a-z0-9_.-]{0,20}sess(?:ion)?(?:[_-]?(?:id|token|key))?|phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|sid|csrftoken|xsrf-token|_csrf|remember_token|remember_user_token|laravel_session|wordpress_logged_in_[a-z0-9]+|cf_clearance|auth_token|\.aspnetcore\.[a-z.]{1,30})=([^;\s"'&,\[\]]{8,}))`)

// sessionField is the id of a session under its name in other forms.
var sessionField = regexp.MustCompile(`(?i)\b(?:session[ _-]?(?:id|token|key)|sessid|phpsessid|jsessionid|csrf-?token)(?:["']?\s{0,2}(?:=>|[:=])\s{0,2}["']?|\s(?:is\s)?["'“]?|(?:은|는|가|이)?\s)([A-Za-z0-9%._~+/=-]{16,})`)

func authorizations(text string) []span {
	var out []span
	for _, m := range authorization.FindAllStringSubmatchIndex(text, -1) {
		if from, to := trimmed(text, m[2], m[3]); credentials(text[from:to]) {
			out = append(out, span{from, to, Authorization})
		}
	}
	return out
}

func schemes(text string) []span {
	var out []span
	for _, m := range scheme.FindAllStringSubmatchIndex(text, -1) {
		if value := strings.TrimRight(text[m[6]:m[7]], ".:,"); schemed(strings.ToLower(text[m[4]:m[5]]), value) {
			out = append(out, span{m[2], m[6] + len(value), Authorization})
		}
	}
	for _, m := range digest.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, span{m[2], m[3], Authorization})
	}
	return out
}

func cookies(text string) []span {
	var out []span
	for _, m := range cookie.FindAllStringSubmatchIndex(text, -1) {
		from, to := trimmed(text, m[2], m[3])
		out = append(out, span{from, to, Cookie})
	}
	return out
}

func sessions(text string) []span {
	var out []span
	for _, m := range session.FindAllStringSubmatchIndex(text, -1) {
		if mixed(text[m[4]:m[5]]) {
			out = append(out, span{m[2], m[3], Cookie})
		}
	}
	for _, m := range sessionField.FindAllStringSubmatchIndex(text, -1) {
		if from, to := trimmed(text, m[2], m[3]); digits(text[from:to]) > 1 && mixed(text[from:to]) && !wordLike(text[from:to]) {
			out = append(out, span{from, to, Cookie})
		}
	}
	return out
}

// credentials reports whether what follows a header's name is more than words about
// it.
func credentials(value string) bool {
	name, rest, two := strings.Cut(value, " ")
	if two && schemeNames[strings.ToLower(name)] {
		return len(strings.TrimSpace(rest)) >= 3 && !example(strings.TrimSpace(rest))
	}
	if two { // a scheme that is not known
		return len(rest) >= 16 && !strings.ContainsAny(rest, " \t") && mixed(rest) && digits(rest) > 0 && !example(rest)
	}
	return len(value) >= 8 && mixed(value) && !example(value)
}

// schemeNames are the schemes of credentials in headers.
var schemeNames = map[string]bool{
	"bearer": true, "basic": true, "digest": true, "token": true, "negotiate": true, "ntlm": true, "apikey": true, "aws4-hmac-sha256": true, "key": true,
	"hawk": true, "oauth": true, "mac": true, "scram-sha-256": true, "bot": true, "hmac": true, "signature": true, "sharedkey": true,
}

// checksum is the digest of a content.
var checksum = regexp.MustCompile(`^(?i:sha-?\d+|md5|blake2b|crc32)[:=-]`)

// schemed reports whether a value behind the name of a scheme is credentials, and
// not the next word of a sentence.
func schemed(name, value string) bool {
	if example(value) || checksum.MatchString(value) {
		return false
	}
	switch name {
	case "basic":
		text, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			text, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
		}
		return err == nil && strings.Contains(string(text), ":")
	case "token", "digest":
		return len(value) >= 16 && mixed(value) && strings.ContainsAny(value, "0123456789")
	}
	return len(value) >= 8 && mixed(value) || len(value) >= 24
}

// trimmed is a place without the blanks and stops at its end.
func trimmed(text string, from, to int) (int, int) {
	return from, from + len(strings.TrimRight(text[from:to], " \t.,;:)}>`\\"))
}
