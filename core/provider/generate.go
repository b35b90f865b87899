package provider

import (
	"context"
	"fmt"
	"slices"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// want is one JSON object that a model is to write.
type want struct {
	id     string
	prompt Prompt
	// read takes the object. Its error says what is wrong with it, in words for the
	// model.
	read func(object []byte) error
}

// conversation is a want on its way: what has been changed about the request.
type conversation struct {
	want
	mode     sdk.OutputMode
	further  []sdk.Message // behind the prompt's: what was wrong before
	room     int64         // max output tokens, where it was raised
	dropped  []string      // settings that were refused
	purpose  Purpose
	repaired bool
}

// object gets one JSON object from the turn's model, by the strictest way that it
// takes. A way or a setting that it refuses is left out, output that was cut is
// asked for with more room once, and what does not read as it should is sent back
// once with what is wrong. All of it counts as calls, and nothing of it is done
// once words were passed on.
func (t *turn) object(ctx context.Context, w want) error {
	c := &conversation{want: w, mode: t.rung(""), purpose: PurposeAsk}
	for {
		r := t.request(c)
		res, err := t.make(ctx, order{purpose: c.purpose, mode: c.mode, expect: expected(r), do: t.generate(r)})
		if err != nil {
			next := t.adjust(ctx, c, r, res, err)
			if !next {
				return err
			}
			t.replace(ctx, err, 0)
			continue
		}
		object, violation := extractObject(answerText(res))
		formless := violation != nil
		if !formless {
			violation = c.read([]byte(object))
		}
		if violation == nil {
			return nil
		}
		bad := t.invalid(ctx, violation)
		if c.repaired || !t.mayCallAgain(ctx) {
			return bad
		}
		c.repaired, c.purpose, c.further = true, PurposeRepair, repairTurns(answerText(res), violation)
		if formless && c.mode == sdk.OutputSchema {
			// The server did not hold the model to the schema, and the model has not seen it.
			c.further[1].Content += "\n" + askJSON + string(c.prompt.Schema)
		}
		t.replace(ctx, bad, 0)
	}
}

// invalid is the error of an output that does not read as it should. The attempt
// that brought it carries it, too.
func (t *turn) invalid(ctx context.Context, violation error) *reason.Error {
	bad := t.agent.failure(ctx, t.link, t.invalidOutput(violation))
	last := &t.attempts[len(t.attempts)-1]
	last.Code, last.Reason = bad.Code, bad.Reason
	return bad
}

// adjust changes the conversation by what a failure says of the request, and
// reports whether it is worth another call.
func (t *turn) adjust(ctx context.Context, c *conversation, r sdk.GenerateRequest, res sdk.GenerateResponse, err *reason.Error) bool {
	// What a model does not take is learned, and is not to use up the calls that are
	// there for what may pass: there are few settings, and each goes once.
	if ctx.Err() != nil || t.passedOn() {
		return false
	}
	switch setting := refusal(err, r); {
	case setting == sdk.SettingOutputMode:
		lower := t.rung(c.mode)
		if lower == "" {
			return false
		}
		t.remember(modeKey(c.mode))
		c.mode, c.purpose = lower, PurposeForm
	case setting != "":
		t.remember(setting)
		c.dropped, c.purpose = append(c.dropped, setting), PurposeForm
	case err.Reason == reason.Reason(reason.OutputTruncated) && c.room == 0 && t.mayCallAgain(ctx):
		room := t.moreRoom(r, res)
		if room == 0 {
			return false
		}
		c.room, c.purpose = room, PurposeLonger
	default:
		return false
	}
	if c.purpose == PurposeForm {
		t.calls--
		t.exchange.calls--
	}
	return true
}

const (
	// longerThan is the room for output that was cut where no limit was set.
	longerThan = 4096
	// growth is how much more room an output gets that was cut.
	growth = 2
)

// moreRoom is the raised limit for an output that was cut, within the model's
// context; 0 when there is no more room.
func (t *turn) moreRoom(r sdk.GenerateRequest, res sdk.GenerateResponse) int64 {
	had := r.MaxOutputTokens
	if had == 0 && res.Usage.Output.Known {
		had = res.Usage.Output.N
	}
	room := max(growth*had, longerThan)
	if r.MaxOutputTokens > 0 {
		room = growth * had
	}
	if limit := t.known().context; limit > 0 {
		room = min(room, limit-promptTokens(r))
	}
	if room <= had || t.refuses(sdk.SettingMaxOutputTokens) {
		return 0
	}
	return room
}

// request is a conversation as the turn's model is sent it.
func (t *turn) request(c *conversation) sdk.GenerateRequest {
	s := t.agent.settings
	r := sdk.GenerateRequest{
		RequestID: c.id, Model: t.link.model, Messages: slices.Concat(c.prompt.messages(c.mode), c.further),
		OutputMode: c.mode, SchemaName: c.prompt.SchemaName, MaxOutputTokens: s.MaxOutputTokens, Temperature: s.Temperature,
		Seed: s.Seed, Thinking: s.Thinking, Options: t.options,
	}
	if c.room > 0 {
		r.MaxOutputTokens = c.room
	}
	switch c.mode {
	case sdk.OutputSchema:
		r.Schema = c.prompt.Schema
		if t.known().enforces && len(c.prompt.Enforced) > 0 {
			r.Schema = c.prompt.Enforced
		}
	case sdk.OutputTool:
		r.Schema = c.prompt.Schema
	}
	for _, setting := range settingsOf(r) {
		if slices.Contains(c.dropped, setting) || t.refuses(setting) {
			r = without(r, setting)
			t.warn(sdk.Warning{Setting: setting, Message: "the model does not take it, so it was not sent"})
		}
	}
	return r
}

// generate is the call of the model, streamed where someone reads along.
func (t *turn) generate(r sdk.GenerateRequest) func(context.Context) (sdk.GenerateResponse, error) {
	return func(ctx context.Context) (sdk.GenerateResponse, error) {
		r.LoadTimeout = t.agent.loadTime(ctx) // of what is left now: a call may be made again
		var res sdk.GenerateResponse
		var err error
		if t.stream == nil {
			res, err = t.Services.Model.Generate(ctx, r)
		} else {
			res, err = t.streamed(ctx, r)
		}
		if err == nil {
			err = checkFinish(res.Finish)
		}
		return res, err
	}
}

// answerText is what a model answered: its text, or what it called a function
// with. Its thoughts are no answer.
func answerText(res sdk.GenerateResponse) string {
	if res.Text == "" {
		return string(res.ToolArguments)
	}
	return res.Text
}

// checkFinish refuses an answer that the model did not end by itself.
func checkFinish(f sdk.FinishReason) error {
	switch f {
	case sdk.FinishStop, sdk.FinishTool:
		return nil
	case sdk.FinishLength:
		return sdk.Errorf(reason.OutputTruncated, "the answer was cut at the limit of output tokens")
	case sdk.FinishFilter:
		return sdk.Errorf(reason.ContentFiltered, "the content filter ended the answer")
	}
	return sdk.Errorf(reason.Incomplete, "the answer came without a known finish reason (%q)", f)
}

// longestQuote bounds how much of an output is sent back for its repair.
const longestQuote = 16 << 10 // bytes

// repairTurns are the turns that send an output back with what is wrong with it.
func repairTurns(output string, violation error) []sdk.Message {
	output = stripThinking(output)
	if len(output) > longestQuote {
		output = output[:runeStart(output, longestQuote)] + "…"
	}
	if output == "" {
		output = "(nothing)" // some servers refuse an empty turn
	}
	return []sdk.Message{
		{Role: sdk.RoleAssistant, Content: output},
		{Role: sdk.RoleUser, Content: fmt.Sprintf("This answer cannot be used:\n%s\nAnswer again, with the whole corrected JSON object and nothing else.", violationText(violation))},
	}
}
