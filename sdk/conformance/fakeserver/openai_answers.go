package fakeserver

import (
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func openAIAnswers() []Quirk {
	return []Quirk{
		{Name: "no_choices", Sends: "status 200 with an empty list of choices", Source: "go-openai reports no error",
			Whole: one(wholeHead + `"choices":[],` + useOf29 + `}`), Stream: one(event(chunkHead+`"choices":[]}`), sseDone),
			Want: fails(reason.Incomplete, reason.InvalidOutput)},
		{Name: "no_finish_reason", Sends: "a whole text whose finish reason is null", Source: "any server or proxy can have this fault",
			Whole: one(whole(`{"role":"assistant","content":"Forty-two"}`, "")), Want: fails(reason.Incomplete)},
		{Name: "unknown_finish_reason", Sends: "a finish reason that nobody has heard of", Source: "servers with reasons of their own",
			Whole:  one(whole(`{"role":"assistant","content":"Forty-two"}`, "recitation")),
			Stream: one(said("Forty-two"), chunk(`{}`, "recitation"), sseDone), Want: fails(reason.Incomplete)},
		{Name: "refusal", Sends: "a refusal in the field of that name, with the finish reason stop", Source: "OpenAI's documentation of structured output",
			Whole:  one(whole(`{"role":"assistant","content":null,"refusal":"I'm sorry, I can't assist with that request."}`, "stop")),
			Stream: one(chunk(`{"role":"assistant","content":"","refusal":null}`, ""), chunk(`{"refusal":"I'm sorry"}`, ""), stops(), sseDone), Want: fails(reason.RefusedByModel)},
		{Name: "content_filter", Sends: "the finish reason content_filter after some text", Source: "OpenAI's and Azure's documentation",
			Whole:  one(whole(`{"role":"assistant","content":"Forty"}`, "content_filter")),
			Stream: one(said("Forty"), chunk(`{}`, "content_filter"), sseDone), Want: fails(reason.ContentFiltered)},
		{Name: "length", Sends: "a text that was cut at the token limit", Source: "every server; ormah 12",
			Whole:  one(whole(`{"role":"assistant","content":"Forty-"}`, "length")),
			Stream: one(said("Forty-"), chunk(`{}`, "length"), sseDone), Want: Want{Text: "Forty-", Finish: sdk.FinishLength}},
		{Name: "out_of_resources", Sends: "the finish reason insufficient_system_resource", Source: "DeepSeek's documentation",
			Whole:  one(whole(`{"role":"assistant","content":"Forty"}`, "insufficient_system_resource")),
			Stream: one(said("Forty"), chunk(`{}`, "insufficient_system_resource"), sseDone), Want: fails(reason.Overloaded, reason.Incomplete)},
		{Name: "error_with_200", Sends: "status 200 and a body that is an error", Source: "OpenRouter's documentation",
			Whole: one(`{"error":{"message":"Rate limit reached for requests","type":"requests","code":"rate_limit_exceeded"}}`),
			Want:  fails(reason.RateLimited)},
		{Name: "empty_body", Sends: "status 200 and nothing else", Source: "any server or proxy can have this fault",
			Whole: one(""), Stream: one(""), Want: fails(reason.Incomplete, reason.InvalidOutput)},
		{Name: "no_json", Sends: "status 200 and a body that is no JSON", Source: "any server or proxy can have this fault",
			Whole: one("\x00\xff{{{"), Want: fails(reason.InvalidOutput, reason.Incomplete)},
		{Name: "tool_arguments_in_pieces", Sends: "a tool call whose arguments come in pieces, the name in the first alone", Source: "OpenAI's documentation",
			Ask: Ask{Mode: sdk.OutputTool},
			Stream: one(chunk(`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_abc123","type":"function","function":{"name":"plan","arguments":""}}]}`, ""),
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"zeta\":"}}]}`, ""), chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}`, ""), chunk(`{}`, "tool_calls"), sseDone),
			Whole: one(whole(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc123","type":"function","function":{"name":"plan","arguments":"{\"zeta\":\"a\"}"}}]}`, "tool_calls")),
			Want:  Want{Tool: `{"zeta":"a"}`, Finish: sdk.FinishTool}},
		{Name: "broken_tool_arguments", Sends: "a tool call whose arguments are no JSON", Source: "models that cannot keep to a form",
			Ask: Ask{Mode: sdk.OutputTool},
			Stream: one(chunk(`{"tool_calls":[{"index":0,"id":"call_abc123","type":"function","function":{"name":"plan","arguments":"{\"zeta\":"}}]}`, ""),
				chunk(`{}`, "tool_calls"), sseDone),
			Whole: one(whole(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc123","type":"function","function":{"name":"plan","arguments":"{\"zeta\":"}}]}`, "tool_calls")),
			Want:  fails(reason.InvalidOutput)},
		{Name: "unknown_fields", Sends: "fields that no documentation names", Source: "compatible servers add fields",
			Whole:  one(wholeHead + `"x_groq":{"id":"req_01"},"timings":{"predicted_ms":12.5},"choices":[{"index":0,"stop_reason":null,"message":{"role":"assistant","content":"Forty-two riders.","annotations":[],"audio":null},"finish_reason":"stop","matched_stop":2}]}`),
			Stream: one(event(`{"x_groq":{"id":"req_01"},"provider":"Somebody","choices":[{"index":0,"delta":{"content":"Forty-two riders.","obfuscation":"a8f3"},"native_finish_reason":null,"finish_reason":null}]}`), stops(), sseDone), Want: answers(theAnswer)},
	}
}

// openAIText are quirks of what the text holds. To find JSON in it is the host's:
// a plugin passes it on, and keeps thinking apart where the server does.
func openAIText() []Quirk {
	return []Quirk{
		{Name: "reasoning_content", Sends: "thinking in reasoning_content, then the text", Source: "DeepSeek's documentation",
			Whole:  one(whole(`{"role":"assistant","reasoning_content":"Count them.","content":"Forty-two riders."}`, "stop")),
			Stream: one(chunk(`{"reasoning_content":"Count "}`, ""), chunk(`{"reasoning_content":"them."}`, ""), said(theAnswer), stops(), sseDone),
			Want:   Want{Text: theAnswer, Thinking: "Count them.", Finish: sdk.FinishStop}},
		{Name: "reasoning", Sends: "thinking in a field named reasoning", Source: "OpenRouter, vLLM",
			Whole:  one(whole(`{"role":"assistant","reasoning":"Count them.","content":"Forty-two riders."}`, "stop")),
			Stream: one(chunk(`{"reasoning":"Count them."}`, ""), said(theAnswer), stops(), sseDone),
			Want:   Want{Text: theAnswer, Thinking: "Count them.", Finish: sdk.FinishStop}},
		{Name: "reasoning_content_only", Sends: "thinking and no text", Source: "SQLBot 1122; reasoning models whose answer went astray",
			Whole:  one(whole(`{"role":"assistant","reasoning_content":"Count them.","content":""}`, "stop")),
			Stream: one(chunk(`{"reasoning_content":"Count them."}`, ""), stops(), sseDone),
			Want:   Want{Thinking: "Count them.", Finish: sdk.FinishStop}},
		{Name: "think_in_content", Sends: "thinking inside of the text, between <think> tags", Source: "servers without a reasoning parser; SQLBot 58",
			Whole:  one(wholeText("<think>Count them.</think>Forty-two riders.")),
			Stream: one(said("<think>Count them."), said("</think>Forty-two riders."), stops(), sseDone),
			Want: Want{Text: "<think>Count them.</think>Forty-two riders.", Finish: sdk.FinishStop,
				Or: &Want{Text: theAnswer, Thinking: "Count them.", Finish: sdk.FinishStop}}},
		{Name: "think_unclosed", Sends: "a <think> that the token limit cut", Source: "letta 2482",
			Whole:  one(whole(`{"role":"assistant","content":"<think>Count them"}`, "length")),
			Stream: one(said("<think>Count"), said(" them"), chunk(`{}`, "length"), sseDone),
			Want: Want{Text: "<think>Count them", Finish: sdk.FinishLength,
				Or: &Want{Thinking: "Count them", Finish: sdk.FinishLength}}},
		{Name: "fences", Sends: "JSON in a Markdown fence", Source: "WrenAI 1653",
			Ask:   Ask{Mode: sdk.OutputJSON},
			Whole: one(wholeText("```json\n{\"zeta\":\"a\"}\n```")), Stream: one(said("```json\n{\"zeta\""), said(":\"a\"}\n```"), stops(), sseDone),
			Want: answers("```json\n{\"zeta\":\"a\"}\n```")},
		{Name: "prose_before_json", Sends: "a sentence before the JSON", Source: "DB-GPT 863",
			Ask:   Ask{Mode: sdk.OutputJSON},
			Whole: one(wholeText("Here is the plan:\n{\"zeta\":\"a\"}")), Stream: one(said("Here is the plan:\n"), said("{\"zeta\":\"a\"}"), stops(), sseDone),
			Want: answers("Here is the plan:\n{\"zeta\":\"a\"}")},
		{Name: "split_rune", Sends: "a Korean text whose characters are split between two packets", Source: "any server or proxy can have this fault",
			Whole:  one(splitInside(wholeText("서울 라이더 42명"), "서")...),
			Stream: one(append(splitInside(said("서울 라이더"), "서"), said(" 42명"), stops(), sseDone)...),
			Want:   answers("서울 라이더 42명")},
	}
}

// splitInside is text in two pieces, cut after the first byte of a character.
func splitInside(text, character string) []string {
	at := strings.Index(text, character) + 1
	return []string{text[:at], text[at:]}
}
