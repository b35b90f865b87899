package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"querent.dev/querent/core/config"
)

// Identity is a hash of who the agent asks and how: providers, models, settings,
// and what they may be sent. Two agents with the same identity ask alike. It is ""
// for a nil Agent.
func (a *Agent) Identity() string {
	if a == nil {
		return ""
	}
	type asked struct {
		Provider config.ProviderName
		Model    string
		Options  map[string]string
		Data     config.Data
	}
	var chain []asked
	for _, l := range a.chain {
		chain = append(chain, asked{l.name, l.model, l.options, l.data})
	}
	text, err := json.Marshal(struct {
		Settings config.Agent
		Chain    []asked
	}{a.settings, chain})
	if err != nil {
		return "" // numbers that JSON does not have; the agent is then like no other
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
