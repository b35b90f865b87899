package refiner

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"unicode"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/internal/fence"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
)

//go:embed rules.txt
var ownRules string

// The form of a model's advice.
const (
	schemaName   = "plan_advice"
	adviceSchema = `{"type":"object","properties":{"advice":{"type":"string"}},"required":["advice"],"additionalProperties":false}`
)

// longestAdvice is, in characters, two or three sentences: more would drown the
// host's own message.
const longestAdvice = 400

// advice is what came of asking the model.
type advice struct {
	text   string
	call   provider.Call
	failed []*reason.Error
}

// advise asks the model to say what to change. It is given what the planner was
// given and the host's message, and nothing else.
func (n *Node) advise(ctx context.Context, in Input, message string) advice {
	got, err := n.Model.Object(ctx, provider.ObjectTask{
		RequestID: in.RequestID,
		Prompt:    func(config.Data) (provider.Prompt, error) { return n.prompt(in, message), nil },
	})
	out := advice{call: got.Call, failed: got.Call.Failed}
	if err != nil {
		out.failed = append(out.failed, reason.From(err))
		return out
	}
	var object struct {
		Advice string `json:"advice"`
	}
	if err := json.Unmarshal(got.JSON, &object); err != nil || object.Advice == "" {
		out.failed = append(out.failed, reason.Provider(reason.InvalidOutput, "the refiner's answer does not fit its schema: %v", err))
		return out
	}
	out.text = oneLine(object.Advice)
	return out
}

func (n *Node) prompt(in Input, message string) provider.Prompt {
	rules := n.Rules
	if rules == "" {
		rules = ownRules
	}
	var turn strings.Builder
	fence.Section(&turn, "schema", in.Schema)
	fence.Section(&turn, "question", in.Intent)
	fence.Section(&turn, "refused", withPlan(message, in.Plan))
	turn.WriteString("Say what to change.")
	return provider.NewPrompt(strings.TrimSpace(rules), turn.String(), schemaName, json.RawMessage(adviceSchema))
}

// oneLine makes data of a model's text: one line of bounded length, without
// characters that cannot be seen.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > longestAdvice {
		runes = append(runes[:longestAdvice], '…')
	}
	return string(runes)
}
