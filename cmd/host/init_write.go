package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

// demoVerified is the plan of the verified query that a demo's configuration has.
const demoVerified = "verified/customers_by_country.json"

// starter writes the first configuration.
type starter struct {
	dir, plugins, role string
	id                 schema.DatasourceID
	datasource         config.Datasource
	provider           config.ProviderName
	settings           config.Provider
	demo               bool

	tables      []string // datasource.schema.table
	unnameable  []string // tables that no rule can name
	denied      []string // datasource.schema.table.column
	tagged      []string // schema.table.column
	environment []string
}

// look takes from the catalog what the configuration names.
func (s *starter) look(cat *schema.Catalog) error {
	for _, t := range cat.Tables {
		name, ok := pattern(string(s.id), t.Schema, t.Name)
		if !ok {
			s.unnameable = append(s.unnameable, t.ID())
			continue
		}
		s.tables = append(s.tables, name)
		for _, c := range t.Columns {
			if !personal(c.Name) {
				continue
			}
			denied, ok := pattern(string(s.id), t.Schema, t.Name, c.Name)
			if !ok {
				// Without a rule for the column, the table cannot be permitted.
				s.tables = s.tables[:len(s.tables)-1]
				s.unnameable = append(s.unnameable, t.ID())
				break
			}
			s.denied, s.tagged = append(s.denied, denied), append(s.tagged, c.ID())
		}
	}
	if len(cat.Tables) == 0 {
		return usage("the database holds no table that can be read: check which database it is, and what the account may read")
	}
	return nil
}

// pattern is a rule for one name; false when rules cannot spell it.
func pattern(segments ...string) (string, bool) {
	out := make([]string, len(segments))
	for i, s := range segments {
		switch {
		case s == "" || strings.ContainsAny(s, "`*"):
			return "", false
		case strings.Contains(s, "."):
			out[i] = "`" + s + "`"
		default:
			out[i] = s
		}
	}
	return strings.Join(out, "."), true
}

// personalWords are words of columns' names that tell of personal data or secrets.
var personalWords = []string{
	"email", "mail", "phone", "telephone", "mobile", "fax", "password", "passwd", "pwd", "passcode", "secret", "token",
	"ssn", "passport", "iban", "cvv", "dob", "birthday", "birthdate", "salary", "wage",
	"이메일", "전화", "전화번호", "휴대폰", "비밀번호", "주민등록번호", "생년월일", "급여",
}

// personalPairs are such words that stand in two.
var personalPairs = []string{
	"e mail", "birth date", "date of birth", "social security", "credit card", "card number", "account number", "bank account",
	"tax id", "national id", "api key", "private key", "ip address",
}

// wordsOf splits a column's name: cell_phone, CellPhone and "Cell Phone".
var wordsOf = regexp.MustCompile(`[\p{Lu}]+[\p{Ll}]*|[\p{Ll}]+|[\p{Lo}]+|[0-9]+`)

// personal reports whether a column's name looks like personal data or a secret.
func personal(name string) bool {
	words := wordsOf.FindAllString(name, -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	spoken := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(personalWords, w) || slices.Contains(personalWords, strings.TrimSuffix(w, "s"))
	}) || slices.ContainsFunc(personalPairs, func(p string) bool { return strings.Contains(spoken, " "+p+" ") })
}

// write is the configuration's text.
func (s *starter) write() []byte {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# Written by querent init. querent doctor checks it, querent config schema describes it.")
	say("version: 1\n")
	say("plugin_dir: %s   # holds querent-plugin-<name>\n", scalar(s.plugins))
	s.writeProvider(say)
	s.writeDatasource(say)
	s.writeRole(say)
	say("# Who asks: querent ask is the caller cli. Anyone else is refused.")
	say("callers:\n  cli: {role: %s}\n", scalar(s.role))
	s.writeVerified(say)
	say("settings:")
	say("  time: {zone: UTC}   # where days begin: an IANA name such as Europe/Paris")
	return []byte(b.String())
}

type sayer func(format string, args ...any)

func (s *starter) writeProvider(say sayer) {
	say("# Who plans and words the answers. The provider is sent the names of permitted tables")
	say("# and columns; data says whether it is sent values and rows of the database, too.")
	say("providers:\n  %s:\n    plugin: %s", scalar(string(s.provider)), scalar(string(s.settings.Plugin)))
	if s.settings.Model != "" {
		say("    model: %s", scalar(s.settings.Model))
	}
	if len(s.settings.Config) > 0 {
		say("    config:")
		for _, key := range slices.Sorted(maps.Keys(s.settings.Config)) {
			say("      %s: %s", key, scalar(fmt.Sprint(s.settings.Config[key])))
		}
	}
	if s.settings.Plugin != config.TemplatePlugin {
		say("    data: {values: %t, rows: %t}", s.settings.Data.Values, s.settings.Data.Rows)
	}
	if s.settings.Plugin == "openai" {
		s.environment = append(s.environment, "OPENAI_API_KEY")
	}
	say("\nagents:\n  default:\n    provider: %s   # the one line to switch\n", scalar(string(s.provider)))
}

func (s *starter) writeDatasource(say sayer) {
	say("datasources:\n  %s:\n    adapter: %s", scalar(string(s.id)), s.datasource.Adapter)
	if s.datasource.Path != "" {
		say("    path: %s   # opened so that it cannot be written", scalar(relative(s.dir, s.datasource.Path)))
	} else {
		say("    dsn: %s   # an account that may only read is best", scalar(s.dsn()))
	}
	say("    description: \"\"   # what it is about, in a sentence: it helps planners")
	if len(s.tagged) > 0 {
		say("    columns:   # schema.table.column: tags, descriptions, synonyms, how dates are stored")
		for _, c := range s.tagged {
			say("      %s: {tags: [personal]}", scalar(c))
		}
	}
	say("")
}

// dsn is the server's DSN as the file may hold it: one with a password is left to a
// variable.
func (s *starter) dsn() string {
	u, err := url.Parse(s.datasource.DSN)
	if err == nil {
		_, secret := u.User.Password()
		if !secret && u.RawQuery == "" {
			return s.datasource.DSN
		}
	}
	name := dsnVariable(s.id)
	s.environment = append(s.environment, name)
	return "${env:" + name + "}"
}

// dsnVariable is the variable that holds the DSN of a datasource.
func dsnVariable(id schema.DatasourceID) string {
	return strings.ToUpper(strings.ReplaceAll(string(id), "-", "_")) + "_DSN"
}

func (s *starter) writeRole(say sayer) {
	say("# What may be read, datasource.schema.table[.column]. What is not written here may not.")
	say("roles:\n  %s:\n    tables:\n      allow:", scalar(s.role))
	for _, t := range s.tables {
		say("        - %s", scalar(t))
	}
	for _, t := range s.unnameable {
		say("        # not permitted, since rules cannot spell its name or that of a personal column: %s", oneLine(t))
	}
	if len(s.denied) > 0 {
		say("    columns:\n      deny:   # their names look personal: remove a line to permit the column")
		for _, c := range s.denied {
			say("        - %s", scalar(c))
		}
	}
	say("")
}

func (s *starter) writeVerified(say sayer) {
	say("# Questions with approved plans: whoever plans, these are answered by them.")
	if !s.demo {
		say("# querent verified add makes one of a question and SQL.")
		say("verified: []\n")
		return
	}
	say("verified:\n  - id: customers_by_country\n    datasource: %s", scalar(string(s.id)))
	say("    questions:\n      - \"How many customers do we have, by country?\"\n      - \"customers per country\"")
	say("    description: \"all customers, by country\"\n    plan: %s\n", demoVerified)
}

// relative is path from dir where it is below it, and absolute otherwise.
func relative(dir, path string) string {
	base, err := filepath.Abs(dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

var bareScalar = regexp.MustCompile(`^[A-Za-z/_][A-Za-z0-9_./-]*$`)

// scalar is text as YAML reads it back: bare where it cannot be read as anything
// else, in double quotes otherwise, whose escapes are those of JSON.
func scalar(text string) string {
	reserved := []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
	if bareScalar.MatchString(text) && !slices.Contains(reserved, strings.ToLower(text)) {
		return text
	}
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}
