package fakeserver

// Says is a server that answers every question with text, which may hold the
// placeholders of a Reply.
func Says(shape Shape, text string) Script { return Thinks(shape, "", text) }

// Thinks is a server that answers with text after thinking, apart.
func Thinks(shape Shape, thinking, text string) Script {
	return Script{Shape: shape, Chat: func(r Request) (Reply, bool) {
		if shape == Ollama {
			return ollamaAnswer(thinking, text, r.Streams(shape)), true
		}
		return openAIAnswer(thinking, text, r.Streams(shape)), true
	}}
}

func openAIAnswer(thinking, text string, stream bool) Reply {
	if !stream {
		return Reply{Steps: Send(whole(`{"role":"assistant","reasoning_content":`+quote(thinking)+`,"content":`+quote(text)+`}`, "stop"))}
	}
	steps := []string{chunk(`{"role":"assistant","content":""}`, "")}
	if thinking != "" {
		steps = append(steps, chunk(`{"reasoning_content":`+quote(thinking)+`}`, ""))
	}
	return Reply{Steps: Send(append(steps, said(text), stops(), event(chunkHead+`"choices":[],`+useOf29+`}`), sseDone)...)}
}

func ollamaAnswer(thinking, text string, stream bool) Reply {
	message := func(text string) string {
		return `{"role":"assistant","content":` + quote(text) + `,"thinking":` + quote(thinking) + `}`
	}
	if !stream {
		return Reply{Steps: Send(last(message(text), "stop", counts))}
	}
	var steps []string
	if thinking != "" {
		steps = append(steps, line(message("")))
	}
	return Reply{Steps: Send(append(steps, word(text), ended())...)}
}

// Fails is a server that answers every question with an error of a status.
func Fails(shape Shape, status int) Script {
	body := `{"error":{"message":"something broke","type":"server_error"}}`
	if shape == Ollama {
		body = `{"error":"something broke"}`
	}
	return Script{Shape: shape, Chat: func(Request) (Reply, bool) {
		return Reply{Status: status, Steps: Send(body)}, true
	}}
}

// Hangs is a server that never answers a question.
func Hangs(shape Shape) Script {
	return Script{Shape: shape, Chat: func(Request) (Reply, bool) { return Reply{End: EndHang}, true }}
}

// Trails is a server that sends text and then nothing more, without an end.
func Trails(shape Shape, text string) Script {
	return Script{Shape: shape, Chat: func(Request) (Reply, bool) {
		if shape == Ollama {
			return Reply{Steps: Send(word(text)), End: EndHang}, true
		}
		return Reply{Type: "text/event-stream", Steps: Send(said(text)), End: EndHang}, true
	}}
}
