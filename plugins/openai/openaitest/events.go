package openaitest

import (
	"fmt"
	"strings"

	"querent.dev/querent/plugins/internal/fakehttp"
)

const standardPiece = 12 // runes; real events hold a token or a few

// writeEvents streams the answer as server-sent events.
func (r Reply) writeEvents(w *fakehttp.Response, model string, usage bool) {
	r.begin(w, "text/event-stream; charset=utf-8")
	s := eventWriter{Reply: r, w: w, model: model, usage: usage && !r.NoUsage}
	if !r.NoChoices {
		s.choices()
	}
	if r.ErrorEvent != "" {
		s.named(r.ErrorEventName, r.ErrorEvent)
		return
	}
	if s.usage {
		s.event(`"choices":[],"usage":` + usageObject)
	}
	if !r.NoDone {
		s.named("", "[DONE]")
	}
}

type eventWriter struct {
	Reply
	w     *fakehttp.Response
	model string
	usage bool
	count int
}

func (s *eventWriter) choices() {
	s.delta(`{"role":"assistant","content":"","refusal":null}`, "null")
	for _, piece := range s.pieces(s.Reasoning) {
		s.delta(`{"reasoning_content":`+quoted(piece)+`}`, "null")
	}
	for _, piece := range s.pieces(s.Refusal) {
		s.delta(`{"refusal":`+quoted(piece)+`}`, "null")
	}
	for _, piece := range s.pieces(s.Content) {
		s.delta(`{"content":`+quoted(piece)+`}`, "null")
	}
	if s.ToolName != "" {
		s.delta(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_abc123","type":"function","function":{"name":%s,"arguments":""}}]}`, quoted(s.ToolName)), "null")
	}
	for _, piece := range s.pieces(s.ToolArguments) {
		s.delta(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`, quoted(piece)), "null")
	}
	if s.ErrorEvent == "" {
		s.delta(`{}`, s.finish())
	}
}

func (s *eventWriter) pieces(text string) []string {
	length := s.PieceLength
	if length <= 0 {
		length = standardPiece
	}
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(length, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

func (s *eventWriter) delta(delta, finish string) {
	choice := fmt.Sprintf(`"choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]`, delta, finish)
	if s.usage {
		choice += `,"usage":null`
	}
	s.event(choice)
}

func (s *eventWriter) event(rest string) {
	s.named("", fmt.Sprintf(head, "chat.completion.chunk", quoted(s.model))+
		`"service_tier":"default","system_fingerprint":"fp_44709d6fcb",`+rest+`}`)
}

func (s *eventWriter) named(name, data string) {
	s.w.Pause(s.Pause)
	text := strings.Repeat(": keep-alive\n\n", s.Comments)
	if name != "" {
		text += "event: " + name + "\n"
	}
	text += "data: " + data + "\n\n"
	if s.CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	s.w.Write(text)
	s.count++
	if s.CutAfter == s.count {
		s.w.Cut()
	}
	if s.HangAt == s.count {
		s.w.Hang()
	}
}
