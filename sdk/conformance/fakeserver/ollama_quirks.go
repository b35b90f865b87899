package fakeserver

import (
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

const lineHead = `{"model":"$MODEL","created_at":"2026-11-30T12:26:45.168411Z",`

// line is a line of an answer that is not done, with a message.
func line(message string) string { return lineHead + `"message":` + message + `,"done":false}` + "\n" }

// word is a line with a piece of text.
func word(text string) string { return line(`{"role":"assistant","content":` + quote(text) + `}`) }

// counts are the figures of a last line.
const counts = `"total_duration":174560334,"load_duration":101397084,"prompt_eval_count":26,"prompt_eval_duration":13074791,"eval_count":18,"eval_duration":52479709`

// last is the line that ends an answer for a reason, with figures.
func last(message, why, figures string) string {
	if figures != "" {
		figures = "," + figures
	}
	return lineHead + `"message":` + message + `,"done":true,"done_reason":` + quote(why) + figures + `}` + "\n"
}

const nothing = `{"role":"assistant","content":""}`

// ended is the last line of an answer that is whole.
func ended() string { return last(nothing, "stop", counts) }

// words is the text piece by piece.
func words() string { return word("Forty") + word("-two") + word(" riders.") }

// inOne is a text in one piece.
func inOne(text string) string {
	return last(`{"role":"assistant","content":`+quote(text)+`}`, "stop", counts)
}

func ollamaStreams() []Quirk {
	return []Quirk{
		{Name: "no_done_line", Sends: "some text with status 200, and no line that says done", Source: "seen on 0.17.4 when one token comes more than 30 times running; ollama's own client reports no error",
			Whole: one(word("Forty")), Stream: one(words()), Want: fails(reason.Incomplete)},
		{Name: "error_line", Sends: "a line with an error in the middle of the text, with status 200", Source: "seen on 0.17.4 when the runner is killed",
			Stream: one(words(), `{"error":"an error was encountered while running the model: unexpected EOF"}`+"\n"), Want: fails(reason.Unavailable)},
		{Name: "error_line_first", Sends: "status 200 and an error as the only line", Source: "seen on 0.17.4 with /api/pull",
			Stream: one(`{"error":"llama runner process has terminated: exit status 2"}` + "\n"), Want: fails(reason.Unavailable)},
		{Name: "connection_cut", Sends: "some text, then the connection is closed", Source: "seen on 0.17.4 when the server is killed",
			Whole: []Reply{{Steps: Send(inOne(theAnswer)[:60]), End: EndCut}}, Stream: []Reply{{Steps: Send(words(), `{"model":"`), End: EndCut}}, Want: fails(reason.Incomplete, reason.Unavailable)},
		{Name: "connection_reset", Sends: "some text, then the connection is reset", Source: "any server or proxy can have this fault",
			Whole: []Reply{{Steps: Send(inOne(theAnswer)[:60]), End: EndReset}}, Stream: []Reply{{Steps: Send(words()), End: EndReset}}, Want: fails(reason.Incomplete, reason.Unavailable)},
		{Name: "long_line", Sends: "a line of 9 MiB", Source: "above the buffer of ollama's own client, which reports no error",
			Stream: []Reply{{Steps: large(`{"message":{"role":"assistant","content":"`, 9<<10, `"},"done":false}`+"\n")}}, Want: fails(reason.Incomplete, reason.InvalidOutput)},
		{Name: "white_space_run", Sends: "JSON that goes on with blank lines for ever", Source: "ollama 1182, 2577, 4446: the grammar allows it",
			Ask: Ask{Mode: sdk.OutputJSON}, Stream: []Reply{{Steps: []Step{{word(`{"zeta": `), 1}, {word("\n"), 4000}}, End: EndHang}}, Want: fails(reason.InvalidOutput)},
		{Name: "tool_call_before_done", Sends: "a tool call in a line that is not done, before one that is", Source: "seen on 0.17.4",
			Ask:    Ask{Mode: sdk.OutputTool},
			Stream: one(line(`{"role":"assistant","content":"","tool_calls":[{"id":"call_fvwlq5x4","function":{"index":0,"name":"plan","arguments":{"zeta":"a"}}}]}`), ended()),
			Whole:  one(last(`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"plan","arguments":{"zeta":"a"}}}]}`, "stop", counts)),
			Want:   Want{Tool: `{"zeta":"a"}`, Finish: sdk.FinishTool}},
		{Name: "text_in_last_line", Sends: "text in the line that says done", Source: "the answer to stream: false, and servers that send one line",
			Whole: one(inOne(theAnswer)), Stream: one(word("Forty-two"), inOne(" riders.")), Want: answers(theAnswer)},
		{Name: "last_line_without_end", Sends: "a last line that no line feed follows", Source: "any server or proxy can have this fault",
			Stream: one(words(), ended()[:len(ended())-1]), Want: answers(theAnswer)},
		{Name: "crlf", Sends: "lines that end as in HTTP", Source: "any server or proxy can have this fault",
			Stream: one(crlf(words() + ended())), Want: answers(theAnswer)},
		{Name: "split_rune", Sends: "a Korean text whose characters are split between two packets", Source: "any server or proxy can have this fault",
			Whole: one(splitInside(inOne("서울 라이더 42명"), "서")...), Stream: one(append(splitInside(word("서울 라이더"), "서"), word(" 42명"), ended())...), Want: answers("서울 라이더 42명")},
		{Name: "unknown_fields", Sends: "fields that no documentation names", Source: "later versions add fields",
			Whole: one(last(`{"role":"assistant","content":"Forty-two riders.","mood":"good"}`, "stop", `"logprobs":[],`+counts)), Stream: one(lineHead+`"message":{"role":"assistant","content":"Forty-two riders.","mood":"good"},"logprobs":[],"done":false}`+"\n", ended()), Want: answers(theAnswer)},
	}
}

func ollamaAnswers() []Quirk {
	usage := func(u sdk.Usage) Want {
		w := answers(theAnswer)
		w.Usage = &u
		return w
	}
	figures := func(f string) []Reply { return one(words(), last(nothing, "stop", f)) }
	inOneWith := func(f string) []Reply {
		return one(last(`{"role":"assistant","content":"Forty-two riders."}`, "stop", f))
	}
	return []Quirk{
		{Name: "done_reason_load", Sends: "an empty answer that is done because the model was loaded", Source: "ollama 4235: a request without a message of the user",
			Whole: one(last(nothing, "load", "")), Stream: one(last(nothing, "load", "")), Want: fails(reason.Incomplete)},
		{Name: "done_reason_length", Sends: "a text that was cut at num_predict", Source: "every version; ormah 12",
			Whole: one(last(`{"role":"assistant","content":"Forty-"}`, "length", counts)), Stream: one(word("Forty-"), last(nothing, "length", counts)), Want: Want{Text: "Forty-", Finish: sdk.FinishLength}},
		{Name: "done_reason_unknown", Sends: "a done_reason that nobody has heard of", Source: "servers with reasons of their own",
			Whole: one(last(`{"role":"assistant","content":"Forty-two"}`, "tired", counts)), Stream: one(words(), last(nothing, "tired", counts)), Want: fails(reason.Incomplete)},
		{Name: "prompt_cut", Sends: "a good answer to a prompt of which it read num_ctx tokens only", Source: "ollama 3839, 5902: the prompt was cut silently",
			Whole: inOneWith(`"prompt_eval_count":$NUM_CTX,"eval_count":18`), Stream: figures(`"prompt_eval_count":$NUM_CTX,"eval_count":18`), Want: fails(reason.PromptTruncated)},
		{Name: "prompt_count_missing", Sends: "no prompt_eval_count", Source: "ollama 3427: the prompt was cached",
			Whole: inOneWith(`"eval_count":18`), Stream: figures(`"eval_count":18`), Want: usage(sdk.Usage{Output: sdk.Known(18)})},
		{Name: "counts_missing", Sends: "no figures at all", Source: "compatible servers",
			Whole: inOneWith(""), Stream: figures(""), Want: usage(sdk.Usage{})},
		{Name: "counts", Sends: "all figures", Source: "every version",
			Whole: inOneWith(counts), Stream: figures(counts), Want: usage(sdk.Usage{Input: sdk.Known(26), Output: sdk.Known(18)})},
		{Name: "thinking", Sends: "thinking in a field of its own, then the text", Source: "Ollama's documentation",
			Whole:  one(last(`{"role":"assistant","thinking":"Count them.","content":"Forty-two riders."}`, "stop", counts)),
			Stream: one(line(`{"role":"assistant","content":"","thinking":"Count "}`), line(`{"role":"assistant","content":"","thinking":"them."}`), words(), ended()),
			Want:   Want{Text: theAnswer, Thinking: "Count them.", Finish: sdk.FinishStop}},
		{Name: "thinking_only", Sends: "thinking and no text", Source: "ollama 15416",
			Whole: one(last(`{"role":"assistant","thinking":"Count them.","content":""}`, "stop", counts)), Stream: one(line(`{"role":"assistant","content":"","thinking":"Count them."}`), ended()),
			Want: Want{Thinking: "Count them.", Finish: sdk.FinishStop}},
		{Name: "think_in_content", Sends: "thinking inside of the text, between <think> tags", Source: "models whose template does not tell thinking apart",
			Whole: one(inOne("<think>Count them.</think>Forty-two riders.")), Stream: one(word("<think>Count them."), word("</think>Forty-two riders."), ended()),
			Want: Want{Text: "<think>Count them.</think>Forty-two riders.", Finish: sdk.FinishStop, Or: &Want{Text: theAnswer, Thinking: "Count them.", Finish: sdk.FinishStop}}},
		{Name: "fences", Sends: "JSON in a Markdown fence, though a format was set", Source: "ollama 14645: think:false made some models ignore format",
			Ask: Ask{Mode: sdk.OutputSchema}, Whole: one(inOne("```json\n{\"zeta\":\"a\"}\n```")), Stream: one(word("```json\n{\"zeta\""), word(":\"a\"}\n```"), ended()), Want: answers("```json\n{\"zeta\":\"a\"}\n```")},
	}
}

func ollamaErrors() []Quirk {
	said := func(status int, message string) []Reply { return failing(status, `{"error":`+quote(message)+`}`) }
	thinking := both("thinking_unsupported", "400 to think", "seen on 0.17.4", []Reply{{While: `"think":true`, Status: 400, Steps: Send(`{"error":"\"$MODEL\" does not support thinking"}`)}, {Steps: Send(words(), ended())}},
		Want{Kinds: []reason.Kind{reason.InvalidRequest}, Requests: 2, Or: &Want{Text: theAnswer, Finish: sdk.FinishStop, Warning: "thinking", Requests: 2}})
	thinking.Ask.Thinking, thinking.Whole = ptr(true), []Reply{thinking.Stream[0], {Steps: Send(inOne(theAnswer))}}
	format := both("bad_format", "500 to a format that it cannot use", "seen on 0.17.4", said(500, "invalid JSON schema in format"), fails(reason.InvalidRequest))
	format.Ask.Mode = sdk.OutputSchema
	tools := both("tools_unsupported", "400: the model's template has no tools", "seen on 0.17.4", said(400, "registry.ollama.ai/library/$MODEL does not support tools"), fails(reason.InvalidRequest))
	tools.Ask.Mode = sdk.OutputTool
	return []Quirk{
		thinking, format, tools,
		both("model_missing", "404: the model is not there", "seen on 0.17.4", said(404, `model "$MODEL" not found, try pulling it first`), fails(reason.ModelNotFound)),
		both("wrong_path", "404 as plain text: the address is not the server's root", "ollama 6422", []Reply{{Status: 404, Type: "text/plain", Steps: Send("404 page not found")}}, fails(reason.Misconfigured)),
		both("bad_request", "400: the body cannot be read", "seen on 0.17.4", said(400, "json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message"), fails(reason.InvalidRequest)),
		both("context_overflow", "400: the prompt is longer than the context", "seen on 0.17.4 with truncate: false", said(400, "the input length exceeds the context length"), fails(reason.ContextOverflow)),
		both("queue_full", "503: too many wait already", "seen on 0.17.4 with OLLAMA_MAX_QUEUE=1", said(503, "server busy, please try again.  maximum pending requests exceeded"), fails(reason.Overloaded)),
		both("runner_died", "500: the process of the model ended", "Ollama's source", said(500, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"), fails(reason.Unavailable)),
		both("no_memory", "500: the model does not fit", "Ollama's source", said(500, "model requires more system memory (12.4 GiB) than is available (7.1 GiB)"), fails(reason.Misconfigured, reason.Unavailable)),
		both("gate", "401, with the key that was sent in the message", "a gate in front of a server", said(401, "unauthorized: $KEY"), fails(reason.AuthFailed)),
		both("forbidden", "403", "Ollama's source", said(403, "ollama cloud is disabled"), fails(reason.PermissionDenied)),
		both("rate_limit", "429 with Retry-After in seconds", "a gate in front of a server", []Reply{{Status: 429, Header: map[string]string{"Retry-After": "3"}, Steps: Send("slow down")}},
			Want{Kinds: []reason.Kind{reason.RateLimited}, RetryAfter: [2]time.Duration{3 * time.Second, 3 * time.Second}}),
		both("html_502", "502 and a web page", "any server or proxy can have this fault", page(502, badGateway), fails(reason.Unavailable)),
		both("html_200", "status 200 and a web page", "an address of something else", page(200, "<!DOCTYPE html><html><body>Open WebUI</body></html>"), fails(reason.Misconfigured)),
		both("moved", "301 to another address", "a redirect would carry the key elsewhere", []Reply{{Status: 301, Header: map[string]string{"Location": "http://127.0.0.1:9/elsewhere"}}}, fails(reason.Misconfigured)),
	}
}

func ollamaTransport() []Quirk {
	return []Quirk{
		{Name: "slow_first_byte", Sends: "nothing until the call's deadline has passed", Source: "a queue of one",
			Ask: Ask{Timeout: shortDeadline}, Whole: []Reply{{End: EndHang}}, Stream: []Reply{{End: EndHang}}, Want: fails(reason.Timeout)},
		{Name: "silence_in_the_middle", Sends: "some text, then nothing until the deadline", Source: "Ollama's own client reports no error then",
			Ask: Ask{Timeout: shortDeadline}, Stream: []Reply{{Steps: Send(words()), End: EndHang}}, Want: fails(reason.Timeout)},
		{Name: "gzip", Sends: "a packed answer, to a client that says it takes one", Source: "HTTP allows it",
			Whole: []Reply{{Gzip: true, Steps: Send(inOne(theAnswer))}}, Stream: []Reply{{Gzip: true, Steps: Send(words(), ended())}}, Want: answers(theAnswer)},
		{Name: "no_json", Sends: "status 200 and a line that is no JSON", Source: "an address of something else",
			Whole: one("garbage\n"), Stream: one("garbage\n"), Want: fails(reason.InvalidOutput, reason.Incomplete, reason.Unavailable)},
		{Name: "endless_answer", Sends: "17 MiB of text, line by line", Source: "models in a loop, without num_predict",
			Stream: []Reply{{Steps: []Step{{word(strings.Repeat("a", 64<<10)), 17 << 4}, {ended(), 1}}}},
			Want:   fails(reason.InvalidOutput, reason.Incomplete)},
	}
}
