package redact_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// maker makes texts of a fixed seed: the corpus is the same everywhere.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hex    = "0123456789abcdef"
	base62 = lower + upper + digits
)

func (m maker) text(alphabet string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[m.IntN(len(alphabet))])
	}
	return b.String()
}

// token is random base 62 with a digit and both cases in it.
func (m maker) token(n int) string { return m.text(base62, n-3) + "7qZ" }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// frames are what texts stand in; %s is the text.
var frames = []string{
	"%s", "The request failed: %s", "got %s from the server", `{"detail":"%s","ok":false}`, "error=%q", "[ERROR] node ast_planner: %s (attempt 2)",
	"'%s'", "Use %s please.", "값은 %s 입니다", "(%s)", "see: %s, and try again", "1. %s\n2. done",
}

func (m maker) framed(kind, marked string) item {
	f := strings.Replace(m.pick(frames...), "%q", `"%s"`, 1)
	if strings.Contains(marked, `"`) {
		f = m.pick("%s", "got %s from the server", "[ERROR] node ast_planner: %s")
	}
	return item{kind, fmt.Sprintf(f, marked)}
}

// tokens are forms of keys of vendors.
func (m maker) tokens() []string {
	return []string{
		"sk-" + m.token(48), "sk-proj-" + m.token(40), "sk-ant-api03-" + m.token(60), "ghp_" + m.token(36), "gho_" + m.token(36), "github_pat_" + m.token(22) + "_" + m.token(40),
		"glpat-" + m.token(20), "AKIA" + m.text(upper+"234567", 16), "ASIA" + m.text(upper+"234567", 16), "AIza" + m.token(35), "ya29." + m.token(50), "GOCSPX-" + m.token(28),
		"xoxb-" + m.text(digits, 11) + "-" + m.text(digits, 12) + "-" + m.token(24), "xoxp-" + m.text(digits, 12) + "-" + m.token(20), "sk_live_" + m.token(24), "rk_test_" + m.token(24),
		"whsec_" + m.token(32), "hf_" + m.token(34), "npm_" + m.token(36), "SG." + m.token(22) + "." + m.token(43), "dop_v1_" + m.text(hex, 64), "shpat_" + m.text(hex, 32),
		"qk_" + m.token(43), "hvs." + m.token(24), "dapi" + m.text(hex, 32), "glsa_" + m.token(32) + "_" + m.text(hex, 8), "lin_api_" + m.token(40), "pypi-AgEIcHlwaS5vcmc" + m.token(60),
		m.jwt(), m.text(digits, 9) + ":AA" + m.token(33), "key-" + m.text(hex, 32), "nvapi-" + m.token(60), "gsk_" + m.token(52), "xai-" + m.token(80), "r8_" + m.token(37),
		m.text(base62, 18) + "K7/" + m.text(base62, 16) + "9zQ", // a secret key of AWS
	}
}

func (m maker) jwt() string {
	e := base64.RawURLEncoding
	return e.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + e.EncodeToString([]byte(`{"sub":"`+m.text(digits, 10)+`"}`)) + "." + m.token(43)
}

func (m maker) credentials() []item {
	user, pass, host := m.pick("app", "reporter", "sa", "svc_shop"), m.text(lower, 5)+m.text(digits, 3)+m.pick("", "!", "-x"), m.pick("db.internal", "10.0.3.7", "localhost", "pg-1.example.com")
	port, db := m.pick("5432", "3306", "6379"), m.pick("shop", "sales", "app_prod")
	basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + pass))
	c := func(marked string) item { return item{"connection", marked} }
	a := func(marked string) item { return item{"authorization", marked} }
	k := func(marked string) item { return item{"cookie", marked} }
	p := func(marked string) item { return item{"password", marked} }
	t := func(marked string) item { return item{"token", marked} }
	session, token := m.token(26), m.token(32)
	return []item{
		c(fmt.Sprintf("cannot connect to «%s://%s:%s@%s:%s/%s»", m.pick("postgres", "postgresql", "mysql", "mongodb", "mongodb+srv", "redis", "amqp", "sqlserver", "clickhouse"), user, pass, host, port, db)),
		c(fmt.Sprintf("dsn «%s:%s@tcp(%s:%s)/%s»?parseTime=true", user, pass, host, port, db)),
		c(fmt.Sprintf("«host=%s port=%s user=%s password=%s dbname=%s»", host, port, user, pass, db)),
		c(fmt.Sprintf("connect «password='%s' host=%s user=%s»: refused", pass, host, user)),
		c(fmt.Sprintf("«Server=%s,1433;Database=%s;User Id=%s;Password=%s»;Encrypt=true", host, db, user, pass)),
		c(fmt.Sprintf("url is «jdbc:%s://%s:%s/%s?user=%s&password=%s»", m.pick("postgresql", "mysql", "mariadb"), host, port, db, user, pass)),
		c(fmt.Sprintf("«jdbc:sqlserver://%s:1433;databaseName=%s;user=%s;password=%s»", host, db, user, pass)),
		c(fmt.Sprintf("«redis://:%s@%s:6379/0»", pass, host)), c(fmt.Sprintf("GET «https://%s:%s@%s/v1/models» failed", user, pass, host)),
		c(fmt.Sprintf("«DefaultEndpointsProtocol=https;AccountName=%s;AccountKey=%s==;EndpointSuffix=core.windows.net»", db, m.token(86))),
		c(fmt.Sprintf("\"dsn\": \"«postgres://%s:%s@%s/%s?sslmode=require»\"", user, pass, host, db)),
		a("Authorization: «Bearer " + token + "»"), a("authorization: «bearer " + m.jwt() + "»"), a("sent \"Authorization\": \"«Basic " + basic + "»\""), a("> Authorization: «Basic " + basic + "»"),
		a("Proxy-Authorization: «Basic " + basic + "»"), a(fmt.Sprintf(`Authorization: Digest username="%s", realm="x", nonce="«%s»", response="«%s»"`, user, m.text(hex, 32), m.text(hex, 32))),
		a("map[Authorization:[«Bearer " + token + "»]]"), a("the header Bearer «" + token + "» was refused"), a("Authorization: AWS4-HMAC-SHA256 Credential=AKIA" + m.text(upper, 16) + "/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=«" + m.text(hex, 64) + "»"),
		a("curl -H 'Authorization: «Token " + m.text(hex, 40) + "»' https://api.example.com"), a("X-Authorization: «" + token + "»"),
		k("Cookie: «session=" + session + "; theme=dark»"), k("Set-Cookie: «sid=" + session + "»; Path=/; HttpOnly"), k("set-cookie: «PHPSESSID=" + m.text(hex, 26) + "»; path=/"),
		k("\"Cookie\": \"«JSESSIONID=" + m.text(hex+"ABCDEF", 32) + "»\""), k("connect.sid=«" + session + "»"), k("the cookie __Host-session=«" + session + "» was sent"), k("Cookie: a=b; csrftoken=«" + session + "»"),
		p("password=«" + pass + "»"), p("password: «" + pass + "»"), p("PGPASSWORD=«" + pass + "» psql"), p(`{"user":"` + user + `","password":"«` + pass + `»"}`), p("db_password = '«" + pass + "»'"), p("the password is «" + pass + "»"),
		p("--password «" + pass + "»"), p("비밀번호: «" + pass + "»"), p("비밀번호는 «" + pass + "» 입니다"), p("Passwort: «" + pass + "»"), p("pwd=«" + pass + "»;"), p("login with passphrase: \"«" + m.pick("correct horse battery", "open the gate now") + "»\""),
		p("SPRING_DATASOURCE_PASSWORD=«" + pass + "»"), p("password «:= \"" + pass + "\"»"), p(`\"password\":\"«` + pass + `»\"`),
		t("api_key=«" + token + "»"), t("apiKey: '«" + token + "»'"), t("X-Api-Key: «" + token + "»"), t(`"client_secret": "«` + token + `»"`), t("AWS_SECRET_ACCESS_KEY=«" + m.text(base62, 30) + "/" + m.token(9) + "»"),
		t("OPENAI_API_KEY=«" + token + "»"), t("token: «" + m.text(hex, 40) + "»"), t("access_token=«" + token + "»&scope=all"), t("https://api.example.com/v1?api_key=«" + token + "»"), t("secret = «" + token + "»"), t("refresh_token: «" + token + "»"),
		t("https://hooks.slack.com/services/«T" + m.text(upper+digits, 8) + "/B" + m.text(upper+digits, 8) + "/" + m.token(24) + "»"), t("encryption_key=«" + m.text(hex, 64) + "»"), t("?sv=2024&sig=«" + m.token(43) + "»%3D"),
	}
}

func (m maker) privateKey() string {
	kind := m.pick("RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED ")
	return "-----BEGIN " + kind + "PRIVATE KEY-----\n«" + m.token(64) + "\n" + m.token(64) + "»\n-----END " + kind + "PRIVATE KEY-----"
}

func (m maker) email() string {
	return m.pick(
		m.text(lower, 6)+"@example.com", m.pick("kim", "lee", "anna")+"."+m.text(lower, 5)+"@"+m.text(lower, 6)+".co.kr", m.text(lower, 4)+"+tag@mail."+m.text(lower, 5)+".org",
		strings.ToUpper(m.text(lower, 5))+"@Example.DE", m.text(lower, 3)+"_"+m.text(digits, 2)+"@sub.example.museum", "김철수@예시.한국", "müller@bücher.example", "用户@例子.中国", m.text(lower, 5)+"@xn--bcher-kva.example",
		"o'"+m.text(lower, 5)+"@example.ie", m.text(lower, 5)+"@corp.internal", m.text(digits, 6)+"@qq.com", "x@y.io")
}

// phone is a number in one of the forms of its region.
func (m maker) phone() string {
	region := m.pick("US", "KR", "GB", "DE", "FR", "JP")
	if region == "KR" && m.IntN(2) == 0 {
		return m.pick("010-", "010 ", "010.", "010") + "" + m.korean()
	}
	if region == "US" && m.IntN(2) == 0 {
		return fmt.Sprintf(m.pick("(%s) %s-%s", "%s-%s-%s", "%s.%s.%s", "+1 %s %s %s", "1-%s-%s-%s"), m.pick("212", "415", "206", "312"), "5"+m.text("23456789", 1)+m.text(digits, 1), m.text(digits, 4))
	}
	return m.international(region)
}

func (m maker) korean() string {
	return m.text("23456789", 1) + m.text(digits, 3) + "-" + m.text(digits, 4)
}

func (m maker) international(region string) string {
	n := phonenumbers.GetExampleNumberForType(region, []phonenumbers.PhoneNumberType{phonenumbers.MOBILE, phonenumbers.FIXED_LINE}[m.IntN(2)])
	form := []phonenumbers.PhoneNumberFormat{phonenumbers.INTERNATIONAL, phonenumbers.E164, phonenumbers.RFC3966, phonenumbers.NATIONAL}[m.IntN(4)]
	return phonenumbers.Format(n, form)
}

// card is a number of an issuer with its check digit.
func (m maker) card() string {
	head, length := m.pick("4", "51", "55", "2221", "34", "37", "6011", "65", "3528", "36", "62", "9410"), 16
	switch head {
	case "34", "37":
		length = 15
	case "36":
		length = 14
	}
	number := withLuhn(head + m.text(digits, length-1-len(head)))
	if length == 15 {
		return m.pick(number, number[:4]+" "+number[4:10]+" "+number[10:], number[:4]+"-"+number[4:10]+"-"+number[10:])
	}
	if length == 14 {
		return m.pick(number, number[:4]+" "+number[4:10]+" "+number[10:])
	}
	sep := m.pick("", " ", "-", ".")
	return strings.Join([]string{number[:4], number[4:8], number[8:12], number[12:]}, sep)
}

func withLuhn(body string) string { return body + string(rune('0'+luhnDigit(body))) }

func luhnDigit(body string) int {
	sum := 0
	for i := range len(body) {
		d := int(body[len(body)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return (10 - sum%10) % 10
}

func (m maker) koreanID() string {
	born := fmt.Sprintf("%02d%02d%02d", m.IntN(100), 1+m.IntN(12), 1+m.IntN(28)) + m.pick("1", "2") + m.text(digits, 5)
	sum := 0
	for i, w := range []int{2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5} {
		sum += w * int(born[i]-'0')
	}
	id := born + string(rune('0'+(11-sum%11)%10))
	return m.pick(id[:6]+"-"+id[6:], id[:6]+"-"+id[6:], id)
}

func (m maker) spanishID() string {
	n := 10_000_000 + m.IntN(89_999_999)
	return fmt.Sprintf("%08d%s%c", n, m.pick("", "-"), "TRWAGMYFPDXBNJZSQVHLCKE"[n%23])
}

func (m maker) iban() string {
	body := m.pick("DE", "ES") // with only digits behind it
	length := map[string]int{"DE": 22, "ES": 24}[body]
	digits := m.text(digits, length-4)
	rest := 0
	for _, c := range digits + numbers(body) + "00" {
		rest = (rest*10 + int(c-'0')) % 97
	}
	whole := fmt.Sprintf("%s%02d%s", body, 98-rest, digits)
	if m.IntN(2) == 0 {
		return whole
	}
	var groups []string
	for len(whole) > 4 {
		groups, whole = append(groups, whole[:4]), whole[4:]
	}
	return strings.Join(append(groups, whole), " ")
}

func numbers(letters string) string {
	var b strings.Builder
	for _, c := range letters {
		fmt.Fprint(&b, int(c-'A')+10)
	}
	return b.String()
}

func generatedPositives() []item {
	m := newMaker(1)
	var out []item
	for range 6 {
		for _, t := range m.tokens() {
			out = append(out, m.framed("token", "«"+t+"»"))
		}
		out = append(out, m.credentials()...)
		out = append(out, item{"key", m.privateKey()}, item{"key", "key: " + strings.ReplaceAll(m.privateKey(), "\n", `\n`)})
	}
	for range 80 {
		out = append(out, m.framed("email", "«"+m.email()+"»"), m.framed("phone", "«"+m.phone()+"»"), m.framed("card", "«"+m.card()+"»"))
	}
	for range 40 {
		out = append(out, m.framed("national_id", "«"+m.koreanID()+"»"), m.framed("national_id", "«"+m.spanishID()+"»"), m.framed("bank_account", "«"+m.iban()+"»"),
			m.framed("national_id", fmt.Sprintf("«%03d-%02d-%04d»", 1+m.IntN(665), 1+m.IntN(99), 1+m.IntN(9999))), m.framed("phone", "«"+m.abroad(m.pick("IT", "ES", "BR", "IN", "CN", "AU", "SE", "NL", "PL", "CH"))+"»"))
	}
	return out
}

// abroad is a number of a region whose national forms are not configured.
func (m maker) abroad(region string) string {
	for {
		if n := m.international(region); strings.Contains(n, "+") {
			return n
		}
	}
}

func generatedLookalikes() []item {
	m := newMaker(2)
	var out []item
	add := func(kind, form string, args ...any) { out = append(out, item{kind, fmt.Sprintf(form, args...)}) }
	for range 16 {
		n := m.IntN(90_000) + 10_000
		year, month, day := 1990+m.IntN(40), 1+m.IntN(12), 1+m.IntN(28)
		card := withLuhn("4" + m.text(digits, 14))
		wrong := card[:15] + string(rune('0'+(card[15]-'0'+1)%10))
		add("order", "Order ORD-%d-%d was shipped", year, n)
		add("order", "주문 %d-%06d 건이 있습니다", year, n)
		add("number", "order number %d%d", n, n)
		add("date", "between %04d-%02d-%02d and %04d-%02d-%02d", year, month, day, year+1, month, day)
		add("date", "%02d.%02d.%04d, %02d/%02d/%04d", day, month, year, month, day, year)
		add("date", "%04d%02d%02d%02d%02d%02d.log", year, month, day, 12, 30, 45)
		add("time", "%04d-%02d-%02dT12:30:45.%03dZ took %d ms", year, month, day, m.IntN(1000), n)
		add("version", "version %d.%d.%d-rc.%d of libpq", m.IntN(20), m.IntN(20), m.IntN(20), m.IntN(5))
		add("version", "Chrome/%d.0.%d.%d Safari/537.36", 100+m.IntN(40), m.IntN(9999), m.IntN(200))
		add("ip", "from %d.%d.%d.%d:%d", 1+m.IntN(254), m.IntN(255), m.IntN(255), 1+m.IntN(254), n%60000)
		add("uuid", "id %s-%s-%s-%s-%s", m.text(hex, 8), m.text(hex, 4), m.text(hex, 4), m.text(hex, 4), m.text(hex, 12))
		add("hash", "plan_id p_%s, secured_id s_%s", m.text(hex, 32), m.text(hex, 32))
		add("hash", "commit %s", m.text(hex, 40))
		add("hash", "sha256:%s", m.text(hex, 64))
		add("trace", "trace %s run %s", m.text(hex, 32), m.text(hex, 32))
		add("card", "reference %s", wrong)
		add("card", "the number %s %s %s %s is no card", wrong[:4], wrong[4:8], wrong[8:12], wrong[12:])
		add("amount", "revenue was $%d,%03d.%02d", m.IntN(900)+1, m.IntN(1000), m.IntN(100))
		add("amount", "총 %d,%03d,%03d원", m.IntN(900)+1, m.IntN(1000), m.IntN(1000))
		add("amount", "total 1 %03d %03d.50 EUR", m.IntN(1000), m.IntN(1000))
		add("tokens", "input_tokens: %d, output_tokens: %d, max_output_tokens=%d", n, n/10, 1500)
		add("isbn", "ISBN 978-3-%d-%d-%d", m.IntN(90)+10, n, m.IntN(10))
		add("range", "rows %d-%d of %d", n, n+20, n*3)
		add("range", "in %d-%d", year, year+3)
		add("geo", "at %d.%06d, %d.%06d", m.IntN(90), m.IntN(1000000), m.IntN(180), m.IntN(1000000))
		add("epoch", "ts=%d%d", 17, 10_000_000+n)
		add("epoch", "at %d ms", 1_700_000_000_000+int64(n)*1000)
		add("sql", `SELECT "t"."id" FROM "main"."orders" AS "t" WHERE "t"."total" > %d LIMIT %d`, n, 100001)
		add("id", "customer %d, invoice INV-%06d, ticket #%d", n, n, n)
		add("id", "sku AB-%d-%d", n%1000, n)
		add("ssn", "part %d-%d", n, n*7)
		add("iban", "DE%02d 3704 0044 0532 0130 %02d in the wrong form", 10, m.IntN(99))
		add("rrn", "991332-%d", 1000000+n)
		add("dni", "article %08d", n*100)
		add("words", "%s", m.pick(aboutSecrets...))
	}
	return out
}

// aboutSecrets are words about secrets, and about what looks like personal data.
var aboutSecrets = []string{
	"password: required", "The password is wrong.", "Enter your password:", "token expired", "a bearer of bad news", "Basic understanding of SQL", "set api_key: ${env:OPENAI_API_KEY}",
	"the key: value pairs", "primary key: id", "Authorization failed for the user", "cookie: chocolate chip", "postgres://localhost:5432/shop", "https://example.com/a@b", "secret: yes",
	"tokens=1500", "api_key=<your key>", "user@localhost", "git@github.com:acme/repo.git", "logo@2x.png", "lodash@4.17.21", "@everyone", "password=********", "PASSWORD=$PGPASSWORD",
	"no such table: users", "token_type: bearer", "key=customers_by_country", "password_policy=strict", "session started", "passwords are hashed", "host=db port=5432 dbname=shop",
}
