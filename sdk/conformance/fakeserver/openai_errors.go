package fakeserver

import (
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// badGateway is the page of a web server whose server behind it is gone.
const badGateway = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"

// both makes a quirk whose server fails whole and streamed answers alike.
func both(name, sends, source string, replies []Reply, want Want) Quirk {
	return Quirk{Name: name, Sends: sends, Source: source, Whole: replies, Stream: replies, Want: want}
}

func page(status int, body string) []Reply {
	return []Reply{{Status: status, Type: "text/html", Steps: Send(body)}}
}

func openAIErrors() []Quirk {
	return []Quirk{
		both("wrong_key", "401, with the key that was sent in the message", "OpenAI repeats keys, partly starred out",
			failing(401, `{"error":{"message":"Incorrect API key provided: $KEY. You can find your API key at https://platform.openai.com.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`), fails(reason.AuthFailed)),
		both("forbidden", "403: the key has no right to the model", "OpenAI projects",
			failing(403, `{"error":{"message":"Project does not have access to model $MODEL","type":"invalid_request_error","param":null,"code":"model_not_found"}}`), fails(reason.PermissionDenied)),
		both("model_missing", "404: there is no such model", "OpenAI",
			failing(404, `{"error":{"message":"The model $MODEL does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`), fails(reason.ModelNotFound)),
		both("model_missing_without_error", "404 with the message at the top of the body", "vLLM before 0.10",
			failing(404, `{"object":"error","message":"The model $MODEL does not exist.","type":"NotFoundError","param":null,"code":404}`), fails(reason.ModelNotFound)),
		both("wrong_path", "404 as plain text: the address lacks its /v1", "an address that lacks its /v1",
			[]Reply{{Status: 404, Type: "text/plain; charset=utf-8", Steps: Send("404 page not found\n")}}, fails(reason.Misconfigured)),
		both("moved", "308 to another address", "a redirect would carry the key elsewhere",
			[]Reply{{Status: 308, Header: map[string]string{"Location": "http://127.0.0.1:9/elsewhere"}}}, fails(reason.Misconfigured)),
		both("context_overflow", "400: the prompt is longer than the context", "OpenAI",
			failing(400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`), fails(reason.ContextOverflow)),
		both("context_overflow_llama_cpp", "400: the prompt is longer than the context, in other words", "llama.cpp's server",
			failing(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`), fails(reason.ContextOverflow)),
		both("prompt_filtered", "400: the content filter stopped the prompt", "Azure OpenAI",
			failing(400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400}}`), fails(reason.ContentFiltered)),
		both("error_as_string", "an error that is a plain string", "compatible servers; go-openai keeps neither status nor text",
			failing(400, `{"error":"bad things happened"}`), fails(reason.InvalidRequest)),
		both("json_without_error", "400 and JSON with the explanation elsewhere", "FastAPI; go-openai prints %!s(<nil>)",
			failing(400, `{"detail":"the field messages is wrong"}`), fails(reason.InvalidRequest)),
		both("error_in_a_list", "400 and a list of one error", "Gemini's compatible server",
			failing(400, `[{"error":{"code":400,"message":"Please use a valid role: user, model.","status":"INVALID_ARGUMENT"}}]`), fails(reason.InvalidRequest)),
		both("html_502", "502 and a web page", "go-openai 165, 233, 589: invalid character '<'", page(502, badGateway), fails(reason.Unavailable)),
		both("html_200", "status 200 and a web page", "go-openai: a bare error of JSON", page(200, "<!DOCTYPE html><html><body>Open WebUI</body></html>"), fails(reason.Misconfigured)),
		both("server_error", "500", "OpenAI's documentation",
			failing(500, `{"error":{"message":"The server had an error while processing your request","type":"server_error","param":null,"code":null}}`), fails(reason.Unavailable)),
		both("empty_error", "500 and an empty body", "any server or proxy can have this fault", failing(500, ""), fails(reason.Unavailable)),
		both("gateway_timeout", "504 and a web page", "any server or proxy can have this fault", page(504, "<html><body>504 Gateway Time-out</body></html>"), fails(reason.Unavailable, reason.Timeout)),
	}
}

// openAILimits are the ways to say: not now.
func openAILimits() []Quirk {
	const tooMany = `{"error":{"message":"Rate limit reached for $MODEL in organization org-1 on requests per min (RPM): Limit 3, Used 3.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`
	limited := func(header map[string]string) []Reply {
		return []Reply{{Status: 429, Header: header, Steps: Send(tooMany)}}
	}
	wait := func(least, most time.Duration) Want {
		return Want{Kinds: []reason.Kind{reason.RateLimited}, RetryAfter: [2]time.Duration{least, most}}
	}
	return []Quirk{
		both("rate_limit_seconds", "429 with Retry-After in seconds", "OpenAI; dropped by go-openai", limited(map[string]string{"Retry-After": "7"}), wait(7*time.Second, 7*time.Second)),
		both("rate_limit_date", "429 with Retry-After as a date", "HTTP allows it", limited(map[string]string{"Retry-After": "$IN_A_MINUTE"}), wait(time.Second, time.Minute)),
		both("rate_limit_milliseconds", "429 with Retry-After-Ms beside Retry-After", "OpenAI and Azure send it beside the other", limited(map[string]string{"Retry-After": "2", "Retry-After-Ms": "1500"}), wait(1500*time.Millisecond, 2*time.Second)),
		both("rate_limit_page", "429 as a web page without Retry-After", "a gateway in front of a server", page(429, "<html><body>Too Many Requests</body></html>"), wait(0, 0)),
		both("quota", "429 that no waiting heals", "OpenAI's insufficient_quota",
			failing(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`), fails(reason.QuotaExhausted)),
		both("no_balance", "402: the account is empty", "DeepSeek",
			failing(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`), fails(reason.QuotaExhausted)),
		both("busy", "503 without Retry-After", "OpenAI's documentation",
			failing(503, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"server_error","param":null,"code":null}}`), fails(reason.Overloaded)),
		both("overloaded_529", "529", "Anthropic's status, through gateways",
			failing(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), fails(reason.Overloaded)),
	}
}

// openAISettings are settings that a model does not take. The plugin asks again
// without them and warns, or reports the request as invalid for the host to do so.
func openAISettings() []Quirk {
	refused := func(setting, status400 string, status int, good ...string) []Reply {
		return []Reply{{While: `"` + setting + `":`, Status: status, Steps: Send(status400)}, {Steps: Send(good...)}}
	}
	either := func(w Want, requests int) Want {
		w.Requests, w.Or = requests, &Want{Kinds: []reason.Kind{reason.InvalidRequest}, Requests: requests}
		return w
	}
	warned := func(text, setting string) Want {
		w := answers(text)
		w.Warning = setting
		return w
	}
	const (
		noTemperature = `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`
		noMaxTokens   = `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`
		noSchema      = `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`
		noSchema422   = `{"detail":[{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}`
		noUsage       = `{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error","param":null,"code":null}}`
		plan          = `{"zeta":"a"}`
	)
	text, stream := wholeText(theAnswer), []string{streamed(), stops(), sseDone}
	json, jsonStream := wholeText(plan), []string{said(plan), stops(), sseDone}
	return []Quirk{
		{Name: "temperature_unsupported", Sends: "400 to a temperature", Source: "reasoning models; vanna 855",
			Ask: Ask{Temperature: ptr(0.0)}, Whole: refused("temperature", noTemperature, 400, text), Stream: refused("temperature", noTemperature, 400, stream...),
			Want: either(warned(theAnswer, "temperature"), 2)},
		{Name: "max_tokens_unsupported", Sends: "400 to max_tokens, which max_completion_tokens replaced", Source: "OpenAI's newer models; langchainjs 8641",
			Ask: Ask{MaxTokens: 100}, Whole: refused("max_tokens", noMaxTokens, 400, text), Stream: refused("max_tokens", noMaxTokens, 400, stream...),
			Want: either(answers(theAnswer), 2)},
		{Name: "schema_unavailable", Sends: "400 to a JSON Schema, while JSON alone is taken", Source: "DeepSeek; litellm 7580",
			Ask: Ask{Mode: sdk.OutputSchema}, Whole: refused("json_schema", noSchema, 400, json), Stream: refused("json_schema", noSchema, 400, jsonStream...),
			Want: either(warned(plan, "output_mode"), 3)},
		{Name: "response_format_unavailable", Sends: "422 to any response_format", Source: "FastAPI servers; llm-exe 662",
			Ask: Ask{Mode: sdk.OutputJSON}, Whole: refused("response_format", noSchema422, 422, json), Stream: refused("response_format", noSchema422, 422, jsonStream...),
			Want: either(warned(plan, "output_mode"), 2)},
		{Name: "stream_options_unsupported", Sends: "400 to stream_options", Source: "compatible servers of before it was added",
			Stream: refused("stream_options", noUsage, 400, stream...), Want: either(answers(theAnswer), 2)},
	}
}
