package provider

import (
	"errors"
	"regexp"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The server's own words for what it does not take.
var (
	saysThinking = regexp.MustCompile(`(?i)does not support thinking|think value`)
	saysTools    = regexp.MustCompile(`(?i)does not support tools`)
	saysForm     = regexp.MustCompile(`(?i)\bformat\b|grammar|json schema`)
)

// blame names in e the setting of q that the server has refused, if it is clear.
func (q *chatRequest) blame(e *sdk.Error) {
	switch {
	case e.Kind != reason.InvalidRequest:
	case q.Think != nil && saysThinking.MatchString(e.Message):
		e.Setting = sdk.SettingThinking
	case len(q.Tools) > 0 && saysTools.MatchString(e.Message),
		len(q.Format) > 0 && saysForm.MatchString(e.Message):
		e.Setting = sdk.SettingOutputMode
	}
}

// refusesThinking reports whether the server has refused the switch of thinking,
// which not every server tells of before.
func refusesThinking(err error) bool {
	var e *sdk.Error
	return errors.As(err, &e) && e.Setting == sdk.SettingThinking && !e.OutputSent
}
