package ground

import (
	"regexp"
	"slices"
	"strings"
)

// cause is a kind of reason for a failure: the words that claim it, and those by which
// the record of a failure tells of it.
type cause struct{ claims, told *regexp.Regexp }

var causes = []cause{
	{regexp.MustCompile(`\b(?:database|server|datasource|data source|connection|network|system|service)\b[^.]{0,20} (down|offline|unreachable|unavailable|crashed|not reachable|refused|lost|broken)\b|데이터베이스(?:가|에) ?(다운|중단|연결할 수 없|접속할 수 없)`),
		regexp.MustCompile(`connect|reach|unavailab|\bdown\b|offline|time_?d? ?out|network|crash|refused|연결|접속|응답`)},
	{regexp.MustCompile(`\b(?:permission|access|authori[sz]ation)s? (?:was |is |were |has been )?(denied|missing|lacking|refused)\b|\b(not (?:permitted|allowed|authori[sz]ed))\b|(권한)(?:이|은)? ?(?:없|부족)`),
		regexp.MustCompile(`den(y|ied)|permi|polic|allow|access|role|forbid|authori|권한|허용|정책`)},
	{regexp.MustCompile(`\b(timed out|took too long|ran out of time)\b|(시간)(?:이|을)? ?초과`),
		regexp.MustCompile(`time_?d? ?out|deadline|too long|seconds|time|시간`)},
}

// checkCauses refuses in the words for a failure a cause of which its record does not
// tell.
func (s *sentence) checkCauses() {
	c := s.checker
	if !c.incomplete {
		return
	}
	text := fold(s.text)
	for _, of := range causes {
		m := of.claims.FindStringSubmatch(text)
		if m == nil || of.told.MatchString(c.asked.text) || slices.ContainsFunc(c.said, func(src source) bool { return of.told.MatchString(src.text) }) ||
			slices.ContainsFunc(c.verbatim, func(v string) bool { return of.told.MatchString(strings.ToLower(v)) }) {
			continue
		}
		s.violate(0, 1, "the record of the failure tells of another cause")
	}
}
