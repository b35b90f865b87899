package provider

import (
	"errors"
	"slices"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// rungs are the ways to ask for output of a form, the strictest first. The last is
// taken by every model: the form then stands in the prompt alone.
var rungs = []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputTool, sdk.OutputText}

// rung is the strictest way below another ("" for the top) that the model takes as
// far as is known, "" when there is none.
func (l link) rung(below sdk.OutputMode) sdk.OutputMode {
	known := l.known()
	for _, mode := range rungs[slices.Index(rungs, below)+1:] {
		offered := known.modes == nil || mode == sdk.OutputText || slices.Contains(known.modes, mode)
		if offered && !l.refuses(modeKey(mode)) {
			return mode
		}
	}
	return ""
}

// modeKey is the key under which the refusal of an output mode is remembered.
func modeKey(mode sdk.OutputMode) string { return sdk.SettingOutputMode + " " + string(mode) }

// The sentences that a form is asked for with where the server does not enforce it.
// OpenAI refuses its JSON mode to a prompt without the word JSON.
const (
	askJSON = "Answer with one JSON object and nothing else: no prose, no code fence. It must satisfy this JSON Schema:\n"
	askTool = "Give your answer by calling the function "
)

// messages are the prompt's with what the way of asking needs in it. It goes into
// the system message, since many chat templates take only one and only in front.
func (p Prompt) messages(mode sdk.OutputMode) []sdk.Message {
	var more string
	switch mode {
	case sdk.OutputJSON, sdk.OutputText:
		more = askJSON + string(p.Schema)
	case sdk.OutputTool:
		more = askTool + p.SchemaName + "."
	default:
		return p.Messages
	}
	out := slices.Clone(p.Messages)
	if len(out) > 0 && out[0].Role == sdk.RoleSystem {
		out[0].Content = strings.TrimRight(out[0].Content, "\n") + "\n\n" + more
		return out
	}
	return append([]sdk.Message{{Role: sdk.RoleSystem, Content: more}}, out...)
}

// refusal is the setting of a request that a failure is the refusal of, "" for none.
func refusal(err error, r sdk.GenerateRequest) string {
	var said *sdk.Error
	switch {
	case errors.Is(err, sdk.ErrUnsupported) && r.OutputMode != sdk.OutputText:
		return sdk.SettingOutputMode
	case !errors.As(err, &said) || said.Kind != reason.InvalidRequest && said.Kind != reason.Misconfigured:
		return ""
	case said.Setting == sdk.SettingOutputMode && r.OutputMode == sdk.OutputText:
		return ""
	case said.Setting == sdk.SettingOutputMode || has(r, said.Setting):
		return said.Setting
	}
	return ""
}

// has reports whether a request has a setting.
func has(r sdk.GenerateRequest, setting string) bool {
	switch setting {
	case sdk.SettingTemperature:
		return r.Temperature != nil
	case sdk.SettingSeed:
		return r.Seed != nil
	case sdk.SettingThinking:
		return r.Thinking != nil
	case sdk.SettingMaxOutputTokens:
		return r.MaxOutputTokens > 0
	}
	_, own := r.Options[setting]
	return own
}

// without is the request without a setting.
func without(r sdk.GenerateRequest, setting string) sdk.GenerateRequest {
	switch setting {
	case sdk.SettingTemperature:
		r.Temperature = nil
	case sdk.SettingSeed:
		r.Seed = nil
	case sdk.SettingThinking:
		r.Thinking = nil
	case sdk.SettingMaxOutputTokens:
		r.MaxOutputTokens = 0
	default:
		options := map[string]string{}
		for name, value := range r.Options {
			if name != setting {
				options[name] = value
			}
		}
		r.Options = options
	}
	return r
}

// settingsOf are the settings that a request has.
func settingsOf(r sdk.GenerateRequest) []string {
	all := []string{sdk.SettingTemperature, sdk.SettingSeed, sdk.SettingThinking, sdk.SettingMaxOutputTokens}
	for name := range r.Options {
		all = append(all, name)
	}
	slices.Sort(all[4:])
	return slices.DeleteFunc(all, func(s string) bool { return !has(r, s) })
}
