package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// address is an address with a user in it. What ends it is what no address holds.
var address = regexp.MustCompile(`(?i)(?:^|[^a-z0-9+.-])((?:jdbc:)?([a-z][a-z0-9+.-]{1,30})://([^\s/@"'<>` + "`" + `]*(?:@[^\s/@"'<>` + "`" + `]+)?)@[^\s"'<>` + "`" + `,;)\]}]+(?:;[a-z]+=[^\s"']+)*)`)

// parameters is an address with a password among its parameters.
var parameters = regexp.MustCompile(`(?i)(?:^|[^a-z0-9+.-])((?:jdbc:)?[a-z][a-z0-9+.:-]{1,40}://[^\s"'<>` + "`" + `]*[?;&](?:password|pwd|pass|passwd|secret|accesskey|sharedaccesskey)=([^\s"'<>&;` + "`" + `]+)[^\s"'<>` + "`" + `]*)`)

// goDSN is the form of Go's MySQL driver, oracleDSN that of Oracle's tools, bareUser
// a user with a password at a host.
var (
	goDSN     = regexp.MustCompile(`(?:^|[\s"'=(<` + "`" + `])([^\s:@/"'()=` + "`" + `]{1,64}:([^\s"'@]+(?:@[^\s"'@(]{1,64})?)@(?:tcp6?|unix)\([^)\s]+\)(?:/[^\s"']*)?)`)
	bareUser  = regexp.MustCompile(`(?:^|[\s"'=(<` + "`" + `])([A-Za-z][\w.-]{0,40}:([^\s:@/"']{5,})@[A-Za-z0-9][\w.-]*)`)
	oracleDSN = regexp.MustCompile(`(?i)(?:^|[\s"'=(<` + "`" + `]|thin:|oci:)([a-z][\w$#]{1,30}/([^\s/@"']{2,})@(?://)?[\w.-]{2,}(?::\d{2,5})?(?:[/:][\w.$-]+)?)`)
)

// pair is one key of a connection string of keys and values, with its separator.
const pair = `(?:host(?:addr|name)?|server|data source|address|addr|port|user(?: ?id|name)?|uid|database|initial catalog|db(?:name)?|sslmode|sslrootcert|encrypt|trustservercertificate|integrated security|application_?name|connect_?timeout|driver|provider|protocol|schema|search_path|charset|endpoint|sharedaccesskeyname|sharedaccesskey|accountname|accountkey|defaultendpointsprotocol|endpointsuffix|entitypath|blobendpoint|sharedaccesssignature|persist security info|multipleactiveresultsets|pooling|min pool size|max pool size|timezone|target_session_attrs|options|account|warehouse|role|service[ _]?name|password|pwd|passwd)`

// listed is a connection string of keys and values, two at least.
var listed = regexp.MustCompile(`(?i)(?:^|[^a-z0-9_.])(` + pair + `\s?=\s?` + listValue + `(?:(?:\s*;\s*|\s+)` + pair + `\s?=\s?` + listValue + `)+;?)`)

const listValue = `(?:'(?:[^'\\]|\\.)*'|"[^"]*"|\{[^}]*\}|[^\s;"']+)`

// separated is such a list with semicolons, whose values may hold blanks.
var separated = regexp.MustCompile(`(?i)(?:^|[^a-z0-9_.])(` + pair + `\s?=\s?[^;"'\r\n]+(?:;\s*` + pair + `\s?=\s?[^;"'\r\n]+)+)`)

// listedSecret is what makes such a list a secret.
var listedSecret = regexp.MustCompile(`(?i)(?:password|pwd|passwd|accountkey|sharedaccesskey|sharedaccesssignature)\s?=\s?(` + listValue + `)`)

func addresses(text string) []span {
	var out []span
	for _, m := range address.FindAllStringSubmatchIndex(text, -1) {
		if opens(strings.ToLower(text[m[4]:m[5]]), text[m[6]:m[7]]) {
			from, to := trimmed(text, m[2], m[3])
			// A question may end in an address: its mark is no part of it.
			to = from + len(strings.TrimRight(text[from:to], "?"))
			out = append(out, span{from, to, Connection})
		}
	}
	for _, m := range parameters.FindAllStringSubmatchIndex(text, -1) {
		if !example(text[m[4]:m[5]]) {
			from, to := trimmed(text, m[2], m[3])
			out = append(out, span{from, to, Connection})
		}
	}
	return out
}

func dsns(text string) []span {
	var out []span
	for _, re := range []*regexp.Regexp{goDSN, oracleDSN, bareUser} {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if password := text[m[4]:m[5]]; !example(password) && (re == goDSN || re == oracleDSN && strange(password) || re == bareUser && strong(password)) {
				from, to := trimmed(text, m[2], m[3])
				out = append(out, span{from, to + closing(text, to, m[3]), Connection})
			}
		}
	}
	return out
}

func lists(text string) []span {
	var out []span
	for _, re := range []*regexp.Regexp{listed, separated} {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if secret := listedSecret.FindStringSubmatch(text[m[2]:m[3]]); secret != nil && !example(strings.Trim(secret[1], `'"{}`)) {
				out = append(out, span{m[2], m[3], Connection})
			}
		}
	}
	return out
}

// closing is 1 where trimming took the parenthesis that belongs to the address.
func closing(text string, trimmed, end int) int {
	if trimmed < end && text[trimmed] == ')' {
		return 1
	}
	return 0
}

// databases are the schemes whose addresses are connection strings also without a
// password.
var databases = map[string]bool{
	"postgres": true, "postgresql": true, "mysql": true, "mariadb": true, "mongodb": true, "mongodb+srv": true, "redis": true, "rediss": true,
	"amqp": true, "amqps": true, "sqlserver": true, "mssql": true, "clickhouse": true, "snowflake": true, "oracle": true, "cockroachdb": true, "nats": true,
}

// opens reports whether the part of an address before its @ is a secret: a password,
// or the user of a database.
func opens(scheme, user string) bool {
	name, password, has := strings.Cut(user, ":")
	if has && password != "" {
		return !example(password)
	}
	return databases[scheme] && name != "" && !example(name) || !has && len(name) >= 20 && mixed(name)
}

// PasswordsOf are the passwords in a connection string.
func PasswordsOf(dsn string) []string {
	var out []string
	add := func(text string) {
		out = append(out, text)
		if plain, err := url.PathUnescape(text); err == nil && plain != text {
			out = append(out, plain)
		}
	}
	for _, m := range address.FindAllStringSubmatch(dsn, -1) {
		if _, password, has := strings.Cut(m[3], ":"); has {
			add(password)
		}
	}
	for _, m := range parameters.FindAllStringSubmatch(dsn, -1) {
		add(m[2])
	}
	for _, m := range goDSN.FindAllStringSubmatch(dsn, -1) {
		add(m[2])
	}
	for _, m := range listedSecret.FindAllStringSubmatch(dsn, -1) {
		add(strings.Trim(m[1], `'"{}`))
	}
	return out
}
