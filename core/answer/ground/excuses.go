package ground

import (
	"regexp"
	"slices"
	"strings"
)

// excuse is a kind of sentence that says why there is no answer, what the answer lacks, or
// what its reader is to do. The group of its form is the word that matters: where the
// question, a column, a row or a note has it, the sentence may speak of these.
type excuse struct {
	marks []string // one of which stands in all that the form finds; nil where that is not known
	form  *regexp.Regexp
	why   string
}

// excuses are the kinds of which nothing in a result is ever the proof.
var excuses = []excuse{
	{marks: []string{"sorry", "apolog", "죄송", "미안", "유감"}, form: regexp.MustCompile(`\b(sorry|apolog(?:y|ies|i[sz]e))\b|(죄송|미안합|미안하|유감)`), why: "there is a result, and nothing to apologise for"},
	{marks: []string{"fail", "crash", "timed out", "broke", "abort", "error"}, form: regexp.MustCompile(`\b(?:query|request|question|search|lookup|connection|database|system|server|service|calculation|report|statement|plan|answer) (?:has |have |had )?(?:just |again )?(fail|failed|fails|crashed|timed out|broke|aborted)\b|\b(error) (?:occurred|happened)\b`), why: "there is a result, so this did not fail"},
	{marks: []string{"down", "unavailable", "unreachable", "offline", "broken", "not ", "cannot", "n't"}, form: regexp.MustCompile(`\b(?:database|server|system|service|source|connection|data|results?|answer|information)(?: is| was| are| were)? (?:currently |temporarily )?(down|unavailable|unreachable|offline|broken|not available|not accessible)\b|\b(?:could not|couldn't|cannot|can't) be (reached|answered|read|run|executed|retrieved|accessed|computed|loaded|found)\b`), why: "there is a result, so this cannot be said"},
	{marks: []string{"not ", "cannot", "n't", "unable", "have no", "lack"}, form: regexp.MustCompile(`\b(?:i|we) (?:am|are|was|were)? ?(?:could not|couldn't|cannot|can't|can not|was not|wasn't|am not|not|unable|do not|don't|did not|didn't|have no|lack) ?(?:able )?(?:to )?(answer|help|find|access|have|retrieve|reach|read|run|process|provide|permission|data)\b`), why: "there is a result, so this cannot be said"},
	{marks: []string{"not ", "n't", "denied", "권한", "허용"}, form: regexp.MustCompile(`\b(?:role|you|user|account|policy|permissions?|access|rights?)(?: does| do| is| are| was| were| has| have)?(?: not|n't)(?: been)? (permit|permitted|allow|allowed|authori[sz]ed?|cover|have access|entitled|grant|granted)\b|\b(?:access|permission) (?:is |was )?(denied)\b|(권한)(?:이|은)? ?(?:없|부족)|(허용)되지`), why: "there is a result, so nothing was denied"},
	{marks: []string{"estimat", "approximat", "stale", "outdated", "unreliable", "incorrect", "wrong", "inaccurate", "corrupt", "preliminary", "provisional", "old", "fake", "invented", "test data", "from "}, form: regexp.MustCompile(`\b(?:data|figures?|numbers?|values?|results?|answer|counts?|amounts?|totals?)(?: here)? (?:is|are|was|were|may be|might be|could be|seems?|looks?) (?:only |just |all |mere |rough |possibly |probably )*(estimat\w*|approximat\w*|stale|outdated|unreliable|incorrect|wrong|inaccurate|corrupt\w*|preliminary|provisional|old|fake|invented|test data|from (?:last|the last|the previous|a) \w+)\b`), why: "nothing says this of the data"},
	{marks: []string{"password", "credential", "passphrase", "pin code", "api key", "access token", "credit card", "비밀번호", "패스워드", "인증", "신용카드"}, form: regexp.MustCompile(`\b(?:your|the|my|his|her|their|admin) (passwords?|credentials|passphrase|pin code|api keys?|access tokens?|credit cards?)\b|(비밀번호|패스워드|인증 정보|신용카드)`), why: "an answer asks its reader for nothing"},
	{marks: []string{"send", "mail", "visit", "click", "contact", "call", "log in", "sign in", "enter", "provide", "share", "submit", "reply", "download", "install", "pay", "transfer", "go ", "upload", "give", "forward", "type", "paste", "open", "run", "세요", "십시오", "시기", "바랍니다"}, form: regexp.MustCompile(`(?:^|[,;:] ?|\bplease )(?:please )?(send|mail|e-?mail|visit|click|contact|call|log in|sign in|enter|provide|share|submit|reply|download|install|pay|transfer|go|upload|give|forward|type|paste|open|run) (?:to|us|me|it|your|our|the|this|that|here|on|a|an|at|http\S*)\b|\bplease (send|mail|visit|click|contact|call|enter|provide|share|submit|reply|download|install|pay|transfer|upload|forward)\b|(보내|입력|클릭|방문|연락|문의|전송|제출|다운로드|접속|로그인)(?:해|하여|하셔)? ?(?:주세요|주십시오|주시기|하세요|하십시오|하시기|바랍니다)`), why: "an answer asks its reader for nothing"},
	{marks: []string{"select"}, form: regexp.MustCompile(`\b(select) [^.]{1,80} from \w`), why: "an answer shows no query"},
	{marks: []string{"may be", "might be", "could be", "데이터", "수치", "자료"}, form: regexp.MustCompile(`\b(?:data|rows|records|figures|entries|values)\b.{0,12} (?:may|might|could) be (missing|stale|wrong|outdated|lost)\b|(?:데이터|수치|자료)(?:가|는|은)? ?(오래|추정|부정확|잘못)`), why: "nothing says this of the data"},
	{marks: []string{"수 없", "수가 없", "실패", "오류", "에러", "데이터베이스"}, form: regexp.MustCompile(`(답변|대답|응답|답)(?:을|를)? ?(?:할|드릴|해 드릴|해드릴) 수(?:가)? 없|(조회|질의|쿼리|연결|검색|요청)(?:에|가|이|은|는)? ?실패|(오류|에러)(?:가|이) ?(?:발생|났)|데이터베이스(?:가|에) ?(다운|중단|연결할 수 없|접속할 수 없)`), why: "there is a result, so this did not fail"},
}

// partialExcuse says that a result is not whole.
var partialExcuse = excuse{form: regexp.MustCompile(`\b(?:results?|answer|list|data|table|figures?)(?: here)? (?:is|are|was|were|may be|might be) (?:only |just )?(incomplete|partial|cut off|truncated|not complete)\b|(?:결과|데이터|목록|답변)(?:가|이|는|은) ?(불완전|일부)`), why: "the result is whole"}

// filterClaim says what was left out of a result, or alone taken into it.
var filterClaim = excuse{form: regexp.MustCompile(`\bonly\b.*\b(counted|included|considered|covered|taken into account)\b|\b(?:is|are|was|were|have been|has been|been) (?:all |not )?(excluded|omitted|left out|ignored|filtered out|filtered|removed|disregarded|counted in|included in)\b|만 ?(집계|포함|계산|반영|대상)|(?:은|는|을|를) ?(제외)(?:했|하였|되었|됐|한 )`), why: "neither the question nor a note tells of this filter"}

// checkExcuses refuses in an answer what only a failure may say, and what nothing that
// was seen could prove: apologies, requests to the reader, and filters and defects of the
// data of which no note tells.
func (s *sentence) checkExcuses() {
	c := s.checker
	if c.incomplete || len(c.tables) == 0 {
		return
	}
	text := strings.ReplaceAll(fold(s.text), "’", "'")
	if c.repeats(text) {
		return
	}
	kinds := excuses
	if c.empty {
		kinds = excuses[:2]
	}
	for _, e := range kinds {
		s.refuse(e, text)
	}
	if !c.partial() && !c.empty {
		s.refuse(partialExcuse, text)
	}
	if len(s.figures) == 0 && len(s.referents) == 0 && !s.hasAny(0, len(s.tokens), "table", "list", "chart", "below", "above", "shown") {
		s.refuse(filterClaim, text)
	}
}

// refuse finds a kind of sentence whose word nobody else has said.
func (s *sentence) refuse(e excuse, text string) {
	if e.marks != nil && !contains(text, e.marks) {
		return
	}
	for _, m := range e.form.FindAllStringSubmatch(text, -1) {
		key := m[0]
		for _, group := range m[1:] {
			if group != "" {
				key = group
			}
		}
		if s.checker.speaksOf(key) {
			continue
		}
		at := slices.IndexFunc(s.tokens, func(t token) bool { return strings.HasPrefix(strings.ReplaceAll(t.fold, "’", "'"), firstWord(key)) })
		if at = max(at, 0); at < len(s.tokens) {
			s.violate(at, at+1, e.why)
		}
		return
	}
}

func contains(text string, any []string) bool {
	return slices.ContainsFunc(any, func(part string) bool { return strings.Contains(text, part) })
}

func firstWord(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// speaksOf reports whether the question, a note, a column or a row has a word.
func (c *Checker) speaksOf(key string) bool {
	for _, w := range strings.Fields(key) {
		if stopWords[w] || !c.known[w] && !c.nouns[stem(koreanStem(w))] {
			return false
		}
	}
	return true
}

// repeats reports whether a sentence is a note's or the question's own.
func (c *Checker) repeats(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	return slices.ContainsFunc(c.said, func(src source) bool { return text != "" && strings.Contains(src.text, text) })
}
