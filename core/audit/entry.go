package audit

import (
	"encoding/json"
	"strings"
	"time"

	"querent.dev/querent/core/policy"
)

// Kind is a kind of entry of the audit log.
type Kind string

// The kinds of entries, a closed set.
const (
	RunFinished      Kind = "run_finished"
	ConfigLoaded     Kind = "config_loaded" // by a server that starts
	ConfigReloaded   Kind = "config_reloaded"
	PluginLocked     Kind = "plugin_locked"
	PluginOverride   Kind = "plugin_override" // a plugin that differs from the lock file runs
	TemplateApproved Kind = "template_approved"
	KeyCreated       Kind = "key_created"
	ReceiptRead      Kind = "receipt_read"
	ReceiptExported  Kind = "receipt_exported"
	ReceiptRefused   Kind = "receipt_refused" // to who may not read it, or where there is none
	Recovered        Kind = "recovered"       // a torn end of the log was sealed
)

// Kinds lists every kind of entry.
func Kinds() []Kind {
	return []Kind{
		RunFinished, ConfigLoaded, ConfigReloaded, PluginLocked, PluginOverride, TemplateApproved, KeyCreated, ReceiptRead, ReceiptExported, ReceiptRefused, Recovered,
	}
}

// Entry is a line of the audit log. Log.Append fills Seq, Time and what follows
// Detail.
type Entry struct {
	Seq     int64             `json:"seq"` // from 1, without gaps
	Time    time.Time         `json:"time"`
	Kind    Kind              `json:"kind"`
	RunID   string            `json:"run_id,omitempty"`
	Caller  string            `json:"caller,omitempty"`
	By      policy.CallerKind `json:"caller_kind,omitempty"`
	Outcome string            `json:"outcome,omitempty"`
	Receipt string            `json:"receipt,omitempty"` // hash of the whole receipt
	Detail  map[string]string `json:"detail,omitempty"`
	Prev    string            `json:"prev"` // Hash of the entry before
	KeyID   string            `json:"key_id,omitempty"`
	MAC     string            `json:"mac,omitempty"` // HMAC-SHA256 of all above, in hex
	Hash    string            `json:"hash"`          // SHA-256 of all above, in hex
}

// firstPrev stands for the entry before the first.
var firstPrev = strings.Repeat("0", 64)

const (
	purposeEntry = "audit entry"
	purposeHead  = "audit head"
)

// sealed is e behind the entry with the hash prev, and its line.
func (e Entry) sealed(key Key, prev string) (Entry, []byte, error) {
	e.Prev, e.KeyID, e.MAC, e.Hash = prev, key.ID(), "", ""
	// What JSON does not keep is replaced before it is hashed.
	text, err := canonical(e)
	if err != nil {
		return e, nil, err
	}
	var kept Entry
	if err := json.Unmarshal(text, &kept); err != nil {
		return e, nil, err
	}
	if kept.MAC, err = kept.mac(key); err != nil {
		return e, nil, err
	}
	if kept.Hash, err = kept.hash(); err != nil {
		return e, nil, err
	}
	line, err := canonical(kept)
	return kept, line, err
}

func (e Entry) mac(key Key) (string, error) {
	e.MAC, e.Hash = "", ""
	text, err := canonical(e)
	return key.mac(purposeEntry, string(text)), err
}

func (e Entry) hash() (string, error) {
	e.Hash = ""
	text, err := canonical(e)
	return digest(text), err
}
