package fakeserver

import (
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The parts of OpenAI's answers, as the real server writes them.
const (
	chunkHead = `{"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,"model":"$MODEL",`
	wholeHead = `{"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion","created":1741569952,"model":"$MODEL",`
	useOf29   = `"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}`
	sseDone   = "data: [DONE]\n\n"

	theAnswer = "Forty-two riders."
)

// event is a server-sent event.
func event(data string) string { return "data: " + data + "\n\n" }

// chunk is an event with a delta; reasonToFinish "" is null.
func chunk(delta, reasonToFinish string) string {
	finish := "null"
	if reasonToFinish != "" {
		finish = quote(reasonToFinish)
	}
	return event(chunkHead + `"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`)
}

// said is an event with a piece of text.
func said(text string) string { return chunk(`{"content":`+quote(text)+`}`, "") }

// stops is the event that ends an answer.
func stops() string { return chunk(`{}`, "stop") }

// whole is an answer in one piece.
func whole(message, reasonToFinish string) string {
	finish := "null"
	if reasonToFinish != "" {
		finish = quote(reasonToFinish)
	}
	return wholeHead + `"choices":[{"index":0,"message":` + message + `,"finish_reason":` + finish + `}],` + useOf29 + `}`
}

// wholeText is a text in one piece.
func wholeText(text string) string {
	return whole(`{"role":"assistant","content":`+quote(text)+`}`, "stop")
}

// streamed is a text piece by piece, to be sent after and before other events.
func streamed() string {
	return chunk(`{"role":"assistant","content":""}`, "") + said("Forty") + said("-two") + said(" riders.")
}

func openAIStreams() []Quirk {
	incomplete := fails(reason.Incomplete)
	return []Quirk{
		{Name: "cut_stream", Sends: "the stream ends after some text, without a finish reason and without [DONE]", Source: "go-openai reports a plain end of file",
			Stream: one(streamed()), Want: incomplete},
		{Name: "done_without_finish", Sends: "[DONE] comes, but no chunk gave a finish reason", Source: "any server or proxy can have this fault",
			Stream: one(streamed(), sseDone), Want: incomplete},
		{Name: "no_done", Sends: "a finish reason, but no [DONE] after it", Source: "SQLBot 55",
			Stream: one(streamed(), stops()), Want: answers(theAnswer)},
		{Name: "duplicate_finish", Sends: "two chunks give a finish reason", Source: "any server or proxy can have this fault",
			Stream: one(streamed(), stops(), stops(), sseDone), Want: answers(theAnswer)},
		{Name: "error_in_band", Sends: "an error object in place of a chunk, in the middle of the text", Source: "go-openai looks for exactly this line",
			Stream: one(streamed(), event(`{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}`)),
			Want:   fails(reason.Unavailable)},
		{Name: "error_in_band_spaced", Sends: "an error object in the stream, written with spaces, which go-openai does not see", Source: "go-openai 1.43 does not see it",
			Stream: one(said("Forty"), event(`{ "error": { "message": "The engine is currently overloaded", "type": "server_error" } }`), sseDone),
			Want:   fails(reason.Overloaded, reason.Unavailable)},
		{Name: "error_event", Sends: "an event named error", Source: "SQLBot 55; go-openai makes a chunk without choices of it",
			Stream: one(said("Forty"), "event: error\ndata: {\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}\n\n"),
			Want:   fails(reason.Overloaded, reason.Unavailable)},
		{Name: "error_without_framing", Sends: "a bare line of JSON with an error between the events", Source: "go-openai collects such lines",
			Stream: one(said("Forty"), `{"error":{"code":500,"message":"slot is not available","type":"server_error"}}`+"\n"),
			Want:   fails(reason.Unavailable)},
		{Name: "error_first", Sends: "status 200, and an error as the first event", Source: "OpenRouter's documentation",
			Stream: one(event(`{"error":{"code":502,"message":"Provider returned error"}}`), sseDone),
			Want:   fails(reason.Unavailable)},
		{Name: "keep_alive_comments", Sends: "200 comments before the first token", Source: "go-openai 70, 71: it gives up after 160",
			Stream: []Reply{{Steps: []Step{{": keep-alive\n\n", 200}, {streamed() + stops() + sseDone, 1}}}}, Want: answers(theAnswer)},
		{Name: "crlf", Sends: "lines that end as in HTTP", Source: "SQLBot 55; the standard of server-sent events allows it",
			Stream: one(crlf(streamed() + stops() + sseDone)), Want: answers(theAnswer)},
		{Name: "multi_line_data", Sends: "one event over several data lines", Source: "SQLBot 55; the standard of server-sent events allows it",
			Stream: one("data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"Forty-two riders.\"},\ndata: \"finish_reason\":null}]}\n\n", stops(), sseDone), Want: answers(theAnswer)},
		{Name: "no_space_after_colon", Sends: "data: without its space", Source: "the standard of server-sent events allows it",
			Stream: one("data:"+streamed()[len("data: "):], stops(), sseDone), Want: answers(theAnswer)},
		{Name: "no_blank_lines", Sends: "events with no blank line between them", Source: "servers that do not keep to the standard",
			Stream: one("data: "+`{"choices":[{"index":0,"delta":{"content":"Forty-two"},"finish_reason":null}]}`+"\n", "data: "+`{"choices":[{"index":0,"delta":{"content":" riders."},"finish_reason":"stop"}]}`+"\n", "data: [DONE]\n"), Want: answers(theAnswer)},
		{Name: "named_events", Sends: "events with names, ids and retry times", Source: "the standard of server-sent events allows it",
			Stream: one("retry: 3000\nid: 1\nevent: message\n"+said("Forty-two riders."), stops(), sseDone), Want: answers(theAnswer)},
		{Name: "bare_chunks", Sends: "chunks without id, object, time and model", Source: "compatible servers that send the least",
			Stream: one(event(`{"choices":[{"index":0,"delta":{"content":"Forty-two riders."},"finish_reason":null}]}`), event(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`), sseDone),
			Want:   answers(theAnswer)},
		{Name: "null_content", Sends: "deltas whose content is null", Source: "OpenAI's own schema allows it",
			Stream: one(chunk(`{"role":"assistant","content":null}`, ""), said(theAnswer), chunk(`{"content":null}`, "stop"), sseDone), Want: answers(theAnswer)},
		{Name: "second_choice", Sends: "chunks of a second choice that nobody asked for, in between", Source: "OpenAI's own schema allows it, where n is set",
			Stream: one(said("Forty-two"), event(chunkHead+`"choices":[{"index":1,"delta":{"content":"Seven"},"finish_reason":null}]}`), said(" riders."), stops(), event(chunkHead+`"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`), sseDone),
			Want:   answers(theAnswer)},
		{Name: "whole_answer_to_stream", Sends: "a whole answer, though a stream was asked for", Source: "servers that cannot stream",
			Stream: []Reply{{Type: jsonType, Steps: Send(wholeText(theAnswer))}}, Want: answers(theAnswer)},
		{Name: "stream_as_plain_text", Sends: "a stream with the content type text/plain", Source: "servers that name no better type",
			Stream: []Reply{{Type: "text/plain; charset=utf-8", Steps: Send(streamed() + stops() + sseDone)}}, Want: answers(theAnswer)},
		{Name: "finish_with_text", Sends: "the last piece of text in the chunk that gives the finish reason", Source: "OpenAI's own schema allows it",
			Stream: one(said("Forty-two"), chunk(`{"content":" riders."}`, "stop"), sseDone), Want: answers(theAnswer)},
	}
}

func openAIUsage() []Quirk {
	known := sdk.Usage{Input: sdk.Known(19), Output: sdk.Known(10)}
	want := func(u sdk.Usage) Want {
		w := answers(theAnswer)
		w.Usage = &u
		return w
	}
	return []Quirk{
		{Name: "usage_without_choices", Sends: "a last chunk with the usage and an empty list of choices", Source: "OpenAI with include_usage; go-openai 776",
			Stream: one(streamed(), stops(), event(chunkHead+`"choices":[],`+useOf29+`}`), sseDone), Want: want(known)},
		{Name: "usage_twice", Sends: "usage in the finish chunk, and again at the end with other figures", Source: "LiteLLM; opencode 42918",
			Stream: one(streamed(), event(chunkHead+`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":9,"total_tokens":28}}`), event(chunkHead+`"choices":[],`+useOf29+`}`), sseDone),
			Want:   want(known)},
		{Name: "usage_running", Sends: "the usage so far in every chunk", Source: "vLLM with continuous_usage_stats",
			Stream: one(event(chunkHead+`"choices":[{"index":0,"delta":{"content":"Forty-two riders."},"finish_reason":null}],"usage":{"prompt_tokens":19,"completion_tokens":1,"total_tokens":20}}`), event(chunkHead+`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],`+useOf29+`}`), sseDone),
			Want:   want(known)},
		{Name: "usage_null", Sends: "usage: null, everywhere", Source: "OpenAI, in every chunk but the last; rust-genai 242",
			Stream: one(event(chunkHead+`"choices":[{"index":0,"delta":{"content":"Forty-two riders."},"finish_reason":"stop"}],"usage":null}`), sseDone),
			Whole:  one(wholeHead + `"choices":[{"index":0,"message":{"role":"assistant","content":"Forty-two riders."},"finish_reason":"stop"}],"usage":null}`), Want: want(sdk.Usage{})},
		{Name: "usage_null_at_the_end", Sends: "figures in the finish chunk, and usage: null after it", Source: "apfel 100: what counts is the last that is not null",
			Stream: one(streamed(), event(chunkHead+`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],`+useOf29+`}`), event(chunkHead+`"choices":[],"usage":null}`), sseDone), Want: want(known)},
		{Name: "usage_missing", Sends: "no usage at all", Source: "go-openai 1021",
			Stream: one(streamed(), stops(), sseDone),
			Whole:  one(wholeHead + `"choices":[{"index":0,"message":{"role":"assistant","content":"Forty-two riders."},"finish_reason":"stop"}]}`), Want: want(sdk.Usage{})},
		{Name: "usage_without_output", Sends: "usage with the prompt's tokens alone", Source: "any server or proxy can have this fault",
			Stream: one(streamed(), stops(), event(chunkHead+`"choices":[],"usage":{"prompt_tokens":19}}`), sseDone),
			Whole:  one(wholeHead + `"choices":[{"index":0,"message":{"role":"assistant","content":"Forty-two riders."},"finish_reason":"stop"}],"usage":{"prompt_tokens":19}}`),
			Want:   want(sdk.Usage{Input: sdk.Known(19)})},
	}
}
