package main

import (
	"regexp"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/redact"
)

// redactedPlace is what a redacted text holds in place of what was taken out.
var redactedPlace = regexp.MustCompile(`\[[a-z][a-z_]{1,23}:[0-9a-z]{1,12}\]`)

// personalData finds secrets and personal data in texts, as the configuration says
// what those are.
func personalData(cfg *config.Config) (func(text string) [][2]int, error) {
	r, err := redact.New(cfg.Settings.Redaction.Options(nil))
	if err != nil {
		return nil, err
	}
	return func(text string) [][2]int {
		run := r.Run()
		return places(text, run.Text(text), func(place string) string { return run.Restore(place, false) })
	}, nil
}

// places are the places in a text that other placeholders stand for in its redacted
// form.
func places(text, redacted string, restore func(place string) string) [][2]int {
	var out [][2]int
	shift := 0 // from a place in the redacted text to that in the text
	for _, at := range redactedPlace.FindAllStringIndex(redacted, -1) {
		place := redacted[at[0]:at[1]]
		value := restore(place)
		from := at[0] + shift
		if value == place || from+len(value) > len(text) || text[from:from+len(value)] != value {
			continue // it stood in the text itself
		}
		out = append(out, [2]int{from, from + len(value)})
		shift += len(value) - len(place)
	}
	return out
}
