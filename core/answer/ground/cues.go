package ground

// Words that name a derivation. Korean words stand as beginnings, since endings are
// glued to them.
var (
	totalWords   = set("total totals totaling totalling totalled totaled sum sums summed altogether combined together overall cumulative insgesamt gesamt all-in grand add adds added adding whole entire")
	totalKorean  = []string{"총", "합계", "합산", "합쳐", "합치", "합하", "합은", "합이", "모두", "전체", "도합", "총합", "더하", "더한", "연간"}
	meanWords    = set("average averages averaged averaging mean avg durchschnitt")
	meanKorean   = []string{"평균"}
	moreWords    = set("more higher greater larger bigger longer ahead above exceeds exceed exceeding exceeded beats beat outpaces outpaced surpasses surpassed outsells outsold outnumbers better up additional extra")
	lessWords    = set("less fewer lower smaller shorter behind below trails trailing trailed worse down short")
	gapWords     = set("difference distance gap margin lead deficit")
	vague        = set("wide clear big large narrow comfortable significant slim small huge")
	gapKorean    = []string{"차이", "격차", "차로", "차이로"}
	riseWords    = set("grew grow grown grows growing growth increase increased increases increasing rise rises rose rising risen climbed climb climbs jumped jump surged gained gain gains up upward doubled expanded")
	riseKorean   = []string{"증가", "상승", "성장", "늘", "올랐", "급증"}
	fallWords    = set("fell fall falls falling fallen decrease decreased decreases decreasing decline declined declines declining drop dropped drops dropping shrank shrunk shrinking lost lose loses losing loss losses down downward sank reduced reduction slipped plunged halved halving")
	fallKorean   = []string{"감소", "하락", "줄", "떨어", "내려", "급감"}
	shareWords   = set("puts share shares percent percentage proportion portion part account accounts accounted accounting represent represents represented representing make makes made making comprise comprises contribute contributes contributed contributing constitutes of")
	shareKorean  = []string{"비율", "비중", "점유", "차지", "중", "가운데", "전체", "퍼센트", "의"}
	ordersUp     = map[string]int{"most": 1, "highest": 1, "largest": 1, "biggest": 1, "greatest": 1, "top": 1, "best": 1, "busiest": 1, "longest": 1, "strongest": 1, "steepest": 1, "sharpest": 1, "priciest": 1, "dearest": 1, "costliest": 1, "maximum": 1, "max": 1, "peak": 1, "peaked": 1, "peaks": 1, "tops": 1, "topped": 1, "leads": 1, "lead": 1, "led": 1, "leading": 1, "leader": 1, "leaders": 1, "dominates": 1, "record": 1, "least": -1, "fewest": -1, "quietest": -1, "slackest": -1, "lowest": -1, "smallest": -1, "worst": -1, "weakest": -1, "shortest": -1, "cheapest": -1, "minimum": -1, "min": -1, "bottom": -1, "trough": -1, "bottomed": -1, "nadir": -1, "high": 1, "low": -1}
	ordersKorean = []struct {
		text string
		up   int
	}{{"최대", 1}, {"최고", 1}, {"선두", 1}, {"최소", -1}, {"최저", -1}, {"꼴찌", -1}, {"최하위", -1}, {"최상위", 1}, {"최솟", -1}, {"최댓", 1}, {"최다", 1}, {"정점", 1}, {"고점", 1}, {"저점", -1}, {"바닥", -1}}
	mostKorean  = []string{"가장", "제일"}
	upKorean    = []string{"많", "높", "크", "큰", "컸", "큽", "길", "긴", "깁", "앞", "비싼", "비싸", "비쌉", "넓", "강하", "강해", "강한", "강했", "빠르", "빠른", "빨랐"}
	downKorean  = []string{"적", "낮", "작", "짧", "싼", "싸", "쌉", "저렴", "뒤", "약하", "약한", "약해", "약했", "느리", "느린", "느렸"}
	otherWords  = set("other others rest remaining remainder else another elsewhere everyone everybody nobody 나머지 기타")
	nounsOfNone = set("none nothing nobody nowhere")
)

// ordering is the direction of the superlatives in tokens from..to: 1 for the most, -1
// for the least, 0 for none, and where the first stands.
func (s *sentence) ordering(from, to int) (direction, at int) {
	for i := max(0, from); i < min(to, len(s.tokens)); i++ {
		t := s.tokens[i]
		if s.isNameToken(i) || s.taken[i] && !t.hangul {
			continue
		}
		if d := ordersUp[t.fold]; d != 0 && s.isSuperlative(i) {
			return d, i
		}
		if !t.hangul {
			continue
		}
		for _, o := range ordersKorean {
			if hasPrefix(t.text, o.text) && !s.boundsNext(i) && !hasSuffix(t.text, "값과", "값의", "값와") && !s.isOwnMost(i) {
				return o.up, i
			}
		}
		if hasPrefix(t.text, mostKorean...) {
			for k := i + 1; k < min(i+5, len(s.tokens)); k++ {
				switch next := s.tokens[k].text; {
				case hasPrefix(next, upKorean...):
					return 1, i
				case hasPrefix(next, downKorean...):
					return -1, i
				}
			}
		}
	}
	return 0, -1
}

// isSuperlative tells "the most" from "at most" and "the top 5".
func (s *sentence) isSuperlative(i int) bool {
	before, after := s.foldAt(i-1), s.foldAt(i+1)
	if s.isOwnMost(i) {
		return false
	}
	switch s.tokens[i].fold {
	case "most", "least":
		return before != "at" && before != "not" && !(s.tokens[i].fold == "most" && (after == "recent" || after == "recently"))
	case "lead", "led", "leading", "record":
		return !(s.tokens[i].fold == "record" && before != "a") && !(before == "a" && s.tokens[i].fold == "lead") && after != "to"
	case "leader", "leaders":
		return !hasSuffix(s.tokens[i].text, "'s", "s'")
	case "maximum", "minimum", "max", "min":
		return after != "of"
	case "high", "low": // "a low in May", "high point", and not "a high price"
		return after == "point" || after == "end" && before == "the" || after == "-" && s.foldAt(i+2) == "point" || (before == "a" || before == "the" || before == "its") && (after == "in" || after == "at" || after == "came" || after == "was")
	case "top", "best", "bottom":
		return !s.is(i+1, number) && small[after] == 0
	}
	return true
}

// boundsNext reports whether a Korean word bounds the number behind it: "최소 24개".
func (s *sentence) boundsNext(i int) bool {
	for _, f := range s.figures {
		if f.at == i+1 && (s.tokens[i].text == "최소" || s.tokens[i].text == "최대") {
			return true
		}
	}
	return false
}

func hasPrefix(text string, list ...string) bool {
	for _, p := range list {
		if len(text) >= len(p) && text[:len(p)] == p {
			return true
		}
	}
	return false
}
