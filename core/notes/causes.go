package notes

import "querent.dev/querent/sdk/reason"

// cause names a row of the table of reasons.
type cause struct {
	code   reason.Code
	reason reason.Reason
}

// koreanCauses are the causes of the table of reasons in Korean.
var koreanCauses = map[cause]string{
	{"INVALID_STATE", "invalid_state"}:                  "필요한 결과가 없는 상태로 다음 단계에 이르렀습니다.",
	{"PLANNING_FAILURE", "planning_failed"}:             "질문에 쓸 수 있는 계획을 만들지 못했습니다.",
	{"PLAN_INVALID", "plan_invalid"}:                    "제안된 계획이 데이터베이스 구조와 맞지 않습니다.",
	{"POLICY_DENIED", "not_permitted"}:                  "질문에 필요한 데이터는 현재 역할에 허용되어 있지 않습니다.",
	{"CALLER_AUTH_REQUIRED", "auth_context_required"}:   "누가 묻는지 확인할 수 없어 답하지 않습니다.",
	{"UNMAPPED", "no_datasource"}:                       "질문이 찾는 내용을 가진 데이터 소스가 없습니다.",
	{"UNMAPPED", "unsupported_datasource"}:              "이 데이터 소스는 이런 종류의 질문에 답할 수 없습니다.",
	{"UNMAPPED", "restricted_datasource"}:               "답할 수 있는 데이터 소스를 현재 역할로는 쓸 수 없습니다.",
	{"AMBIGUOUS", "needs_clarification"}:                "정확히 무엇을 원하는지 분명하지 않습니다.",
	{"NOT_UNDERSTOOD", "words_not_understood"}:          "일부 단어, 또는 단어들이 함께 묻는 것을 이해하지 못했습니다.",
	{"COST_LIMIT", "too_expensive"}:                     "답하려면 허용된 양보다 많은 데이터를 읽어야 합니다.",
	{"BUDGET_EXCEEDED", "budget_exceeded"}:              "이 질문은 한 번의 실행에 허용된 것보다 모델을 더 많이 사용합니다.",
	{"DATASOURCE_UNREACHABLE", "unavailable"}:           "데이터베이스에 연결할 수 없습니다.",
	{"DATASOURCE_AUTH_FAILED", "auth_failed"}:           "데이터베이스가 호스트의 계정을 거부했습니다.",
	{"SCHEMA_CHANGED", "schema_changed"}:                "데이터베이스의 구조가 질문을 계획할 때 쓴 구조와 다릅니다.",
	{"QUERY_TIMEOUT", "timeout"}:                        "쿼리가 제한 시간 안에 끝나지 않았습니다.",
	{"EXECUTION_FAILED", "execution_failed"}:            "데이터베이스가 쿼리를 실행하지 못했습니다.",
	{"AGGREGATOR_FAILED", "aggregator_failed"}:          "부분 결과를 합치지 못했습니다.",
	{"RUN_TIMEOUT", "timeout"}:                          "실행이 제한 시간 안에 끝나지 않았습니다.",
	{"CANCELLED", "cancelled"}:                          "실행이 취소되었습니다.",
	{"INTERNAL", "internal"}:                            "프로그램 안에서 문제가 생겼습니다.",
	{"PROVIDER_AUTH_FAILED", "auth_failed"}:             "제공자가 호스트의 키를 거부했습니다.",
	{"PROVIDER_PERMISSION_DENIED", "permission_denied"}: "제공자의 계정은 이 호출을 할 수 없습니다.",
	{"PROVIDER_MODEL_NOT_FOUND", "model_not_found"}:     "제공자에 설정된 모델이 없습니다.",
	{"PROVIDER_MISCONFIGURED", "misconfigured"}:         "제공자의 설정이 잘못되었습니다.",
	{"PROVIDER_INVALID_REQUEST", "invalid_request"}:     "제공자가 요청을 받아들이지 않았습니다.",
	{"PROVIDER_RATE_LIMITED", "rate_limited"}:           "제공자가 요청 횟수를 제한하고 있습니다.",
	{"PROVIDER_QUOTA_EXHAUSTED", "quota_exhausted"}:     "제공자의 할당량을 모두 썼습니다.",
	{"PROVIDER_OVERLOADED", "overloaded"}:               "제공자에 요청이 너무 많습니다.",
	{"PROVIDER_UNAVAILABLE", "unavailable"}:             "제공자에 연결할 수 없습니다.",
	{"PROVIDER_TIMEOUT", "timeout"}:                     "제공자가 제한 시간 안에 답하지 않았습니다.",
	{"PROVIDER_CANCELLED", "cancelled"}:                 "제공자 호출이 취소되었습니다.",
	{"PROVIDER_CONTEXT_OVERFLOW", "context_overflow"}:   "질문과 데이터베이스 구조가 모델에 비해 너무 깁니다.",
	{"PROVIDER_PROMPT_TRUNCATED", "prompt_truncated"}:   "모델 서버가 프롬프트를 잘라서 그 답을 믿을 수 없습니다.",
	{"PROVIDER_OUTPUT_TRUNCATED", "output_truncated"}:   "모델의 답이 길이 제한에서 잘렸습니다.",
	{"PROVIDER_INCOMPLETE", "incomplete"}:               "모델의 답이 끝나기 전에 끊겼습니다.",
	{"PROVIDER_CONTENT_FILTERED", "content_filtered"}:   "제공자의 내용 필터가 답을 막았습니다.",
	{"PROVIDER_REFUSED", "refused"}:                     "모델이 답하기를 거절했습니다.",
	{"PROVIDER_INVALID_OUTPUT", "invalid_output"}:       "모델의 답이 요구된 형식이 아닙니다.",
	{"PROVIDER_INTERNAL", "internal"}:                   "제공자 플러그인이 실패했습니다.",
}

// koreanCause is what a reason says of a failure of that code, or of any.
func koreanCause(c cause) string {
	if text, ok := koreanCauses[c]; ok {
		return text
	}
	for _, row := range reason.Rows() {
		if text, ok := koreanCauses[cause{row.Code, row.Reason}]; ok && row.Reason == c.reason {
			return text
		}
	}
	return string(c.reason) + "."
}
