package fakeserver

import (
	"strings"
	"time"

	"querent.dev/querent/sdk/reason"
)

const (
	// bom is what some programs put before a text in UTF-8.
	bom = "\ufeff"
	// muchKiB is the bytes of a step of a large answer.
	muchKiB = 1 << 10
	// shortDeadline is for calls that never end. A slow machine may not even reach the
	// server within it, and the failure is the same.
	shortDeadline = time.Second
)

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// large are the steps of an answer of n KiB between a head and a tail.
func large(head string, n int, tail string) []Step {
	return []Step{{head, 1}, {strings.Repeat("a", muchKiB), n}, {tail, 1}}
}

// openAITransport are quirks below the answers: of connections and packing.
func openAITransport() []Quirk {
	half := wholeText(theAnswer)[:60]
	brokenOff := fails(reason.Incomplete, reason.Unavailable)
	text := wholeText(theAnswer)
	stream := streamed() + stops() + sseDone
	return []Quirk{
		{Name: "slow_first_byte", Sends: "nothing until the call's deadline has passed", Source: "queues of local servers",
			Ask: Ask{Timeout: shortDeadline}, Whole: []Reply{{End: EndHang}}, Stream: []Reply{{End: EndHang}}, Want: fails(reason.Timeout)},
		{Name: "silence_in_the_middle", Sends: "some text, then nothing until the deadline", Source: "any server or proxy can have this fault",
			Ask: Ask{Timeout: shortDeadline}, Whole: []Reply{{Steps: Send(half), End: EndHang}}, Stream: []Reply{{Steps: Send(streamed()), End: EndHang}}, Want: fails(reason.Timeout)},
		{Name: "connection_cut", Sends: "half of an answer, then the connection is closed", Source: "any server or proxy can have this fault",
			Whole: []Reply{{Steps: Send(half), End: EndCut}}, Stream: []Reply{{Steps: Send(streamed(), "data: {\"id\":\"cha"), End: EndCut}}, Want: brokenOff},
		{Name: "connection_reset", Sends: "half of an answer, then the connection is reset", Source: "any server or proxy can have this fault",
			Whole: []Reply{{Steps: Send(half), End: EndReset}}, Stream: []Reply{{Steps: Send(streamed()), End: EndReset}}, Want: brokenOff},
		{Name: "gzip", Sends: "a packed answer, to a client that says it takes one", Source: "HTTP allows it",
			Whole: []Reply{{Gzip: true, Steps: Send(text)}}, Stream: []Reply{{Gzip: true, Steps: Send(streamed(), stops()+sseDone)}}, Want: answers(theAnswer)},
		{Name: "byte_order_mark", Sends: "a stream that begins with a byte order mark", Source: "the standard of server-sent events says to drop it",
			Stream: one(bom+said("Forty-two"), said(" riders."), stops(), sseDone), Want: answers(theAnswer)},
		{Name: "byte_order_mark_before_json", Sends: "a whole answer that begins with a byte order mark", Source: "RFC 8259 lets a reader drop it",
			Whole: one(bom + text), Want: Want{Text: theAnswer, Finish: "stop", Or: ptr(fails(reason.InvalidOutput, reason.Incomplete))}},
		{Name: "blank_lines_first", Sends: "blank lines to keep the connection open, then the answer", Source: "DeepSeek's documentation: while a request waits",
			Whole: one("\n", "\n", "\n", text), Stream: one("\n\n", "\n\n", stream), Want: answers(theAnswer)},
		{Name: "byte_by_byte", Sends: "every byte by itself", Source: "TCP allows it",
			Whole: []Reply{{Steps: Send(strings.Split(text, "")...)}}, Stream: []Reply{{Steps: Send(strings.Split(stream, "")...)}}, Want: answers(theAnswer)},
		{Name: "endless_answer", Sends: "17 MiB of text in one answer", Source: "models in a loop, without a limit",
			Whole:  []Reply{{Steps: large(`{"choices":[{"index":0,"message":{"role":"assistant","content":"`, 17<<10, `"},"finish_reason":"stop"}]}`)}},
			Stream: []Reply{{Steps: large(`data: {"choices":[{"index":0,"delta":{"content":"`, 17<<10, `"},"finish_reason":"stop"}]}`+"\n\n")}},
			Want:   fails(reason.InvalidOutput, reason.Incomplete)},
	}
}
