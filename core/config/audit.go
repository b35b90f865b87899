package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// Store is where receipts of runs are kept.
type Store struct {
	DSN       string     `yaml:"dsn,omitempty"`                                       // sqlite: and a file, relative to the configuration, such as sqlite:./querent.db; it may hold ${env:NAME}. Default: receipts are not kept
	Retention Duration   `yaml:"retention,omitempty"`                                 // how long receipts are kept; default: for ever
	Answers   KeptAnswer `yaml:"answers,omitempty" jsonschema:"enum=whole,enum=hash"` // of an answer: whole (default), its words and the rows that it shows; or hash alone, from which templates' answers cannot be checked
}

// KeptAnswer is what of an answer is kept.
type KeptAnswer string

// What of an answer is kept.
const (
	KeepWhole KeptAnswer = "whole"
	KeepHash  KeptAnswer = "hash"
)

// Audit is how runs and changes are recorded.
type Audit struct {
	File     string     `yaml:"file,omitempty"`     // the audit log, relative to the configuration; default: none is written
	MaxSize  Bytes      `yaml:"max_size,omitempty"` // size at which the log goes on in a new file; default 64MiB
	Key      string     `yaml:"key,omitempty"`      // the deployment's key, as ${env:NAME} or ${file:PATH}, which signs receipts and entries; querent audit keygen makes one. Default: nothing is signed
	Required bool       `yaml:"required,omitempty"` // a run that cannot be recorded fails, instead of being answered with a warning in the log; always so in compliance mode where there is a store or a log
	Roles    []RoleName `yaml:"roles,omitempty"`    // roles whose callers may read everybody's receipts, whole
	// Arguments are those that redacted receipts leave out: text (default), all texts;
	// tagged, the texts of queries of tables with tagged columns; all; or none.
	Arguments AuditArguments `yaml:"arguments,omitempty" jsonschema:"enum=text,enum=tagged,enum=all,enum=none"`
}

// AuditArguments says which arguments of statements a redacted receipt leaves out.
type AuditArguments string

// The arguments that a redacted receipt leaves out.
const (
	ArgumentsText   AuditArguments = "text"   // all texts
	ArgumentsTagged AuditArguments = "tagged" // the texts of queries of tables with tagged columns
	ArgumentsAll    AuditArguments = "all"
	ArgumentsNone   AuditArguments = "none"
)

// defaultAuditSize holds some 100,000 runs, and a check of it takes a second.
const defaultAuditSize = Bytes(64 << 20)

// sqliteStore begins the address of a store; there is no other kind yet.
const sqliteStore = "sqlite:"

// Kept reports whether receipts are stored.
func (s Store) Kept() bool { return s.DSN != "" }

// StoreFile is the file of the store, "" for none. The error names the variable
// that is not set.
func (c *Config) StoreFile() (string, error) {
	if c.Store.DSN == "" {
		return "", nil
	}
	dsn, err := c.expand(c.Store.DSN)
	if err != nil {
		return "", problem("store.dsn", "%v", err)
	}
	name := strings.TrimPrefix(dsn, sqliteStore)
	if strings.HasPrefix(name, "//") { // sqlite:///var/lib/querent.db
		name = strings.TrimPrefix(name, "//")
	}
	return c.Path(filepath.FromSlash(name)), nil
}

// AuditKey is the text of the deployment's key, "" for none. It is a secret. The
// error names the reference that leads nowhere.
func (c *Config) AuditKey() (string, error) {
	key, err := c.expand(c.Audit.Key)
	if err != nil {
		return "", problem("audit.key", "%v", err)
	}
	return key, nil
}

// Recorded reports whether a run that cannot be recorded fails.
func (c *Config) Recorded() bool {
	return c.Audit.Required || c.Settings.Answer.Compliance && (c.Store.Kept() || c.Audit.File != "")
}

// Audits reports whether the roles may read everybody's receipts.
func (c *Config) Audits(roles []string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(c.Audit.Roles, RoleName(role)) })
}

// records checks the store and the audit log.
func (k *checker) records() {
	s, a := k.c.Store, k.c.Audit
	if s.DSN != "" && (!strings.HasPrefix(s.DSN, sqliteStore) || strings.Trim(strings.TrimPrefix(s.DSN, sqliteStore), "/") == "") {
		k.fail(path{"store", "dsn"}, "expected sqlite: and a file, such as sqlite:./querent.db")
	}
	if s.DSN == "" && s != (Store{}) {
		k.fail(path{"store"}, "dsn is missing: where receipts are kept, such as sqlite:./querent.db")
	}
	if namesFile(s.DSN) {
		k.fail(path{"store", "dsn"}, "takes ${env:NAME} alone: what ${file:…} names is kept secret, and the name of a file is shown")
	}
	if a.Required && s.DSN == "" && a.File == "" {
		k.fail(path{"audit", "required"}, "there is nothing to record to: set store.dsn, audit.file or both")
	}
	if a.Key != "" && reference.ReplaceAllString(strings.TrimSpace(a.Key), "") != "" {
		k.fail(path{"audit", "key"}, "a key does not stand in a configuration: write ${env:NAME} or ${file:PATH}, which hold what querent audit keygen makes")
	}
	for _, role := range a.Roles {
		if _, ok := k.c.Roles[role]; !ok {
			k.fail(path{"audit", "roles"}, "there is no role %q%s", role, didYouMean(string(role), words(sortedKeys(k.c.Roles))))
		}
	}
}

func (a *Audit) fillDefaults() {
	if a.File != "" {
		orDefault(&a.MaxSize, defaultAuditSize)
	}
}
