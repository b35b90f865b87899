package ground

import (
	"regexp"
	"slices"
)

// beginsOrder reports whether the rows that were seen of a table are the beginning of an
// order for which the question asks: they stand in the order of the column, from the most or
// the latest on for direction 1. What they have in it, no row behind them has more of.
func (c *Checker) beginsOrder(t *table, of *column, direction int) bool {
	if t.whole || t.rows < 2 {
		return false
	}
	asks := c.seeks(direction) || c.orders(direction)
	if of.temporal {
		asks = c.ordersInTime(direction)
	}
	if !asks || direction == 0 {
		return false
	}
	for row := 1; row < t.rows; row++ {
		if order, ok := of.compare(row-1, row); !ok || order == -direction {
			return false
		}
	}
	order, _ := of.compare(0, t.rows-1)
	return order == direction
}

// compare orders two cells of numbers or of moments; false where one is empty.
func (c *column) compare(x, y int) (order int, ok bool) {
	a, b := &c.cells[x], &c.cells[y]
	if c.temporal {
		return comparePeriods(a.period, b.period), a.period != nil && b.period != nil
	}
	if a.number == nil || b.number == nil {
		return 0, false
	}
	return a.number.Cmp(b.number), true
}

// knowsPlaces reports whether places in the order of a column are known: all rows were seen,
// or those before them.
func (c *Checker) knowsPlaces(t *table, of *column, direction int) bool {
	return t.whole || c.beginsOrder(t, of, direction)
}

var (
	mostFirst   = regexp.MustCompile(`(?:높은|큰|많은|비싼|긴) ?(?:순|것부터)|(?:높은|큰|많은|비싼|긴) [^ ]+부터|내림차순|\b(?:descending|busiest first|highest first|largest first|biggest first|most \w+ first)\b`)
	leastFirst  = regexp.MustCompile(`(?:낮은|작은|적은|싼|짧은) ?(?:순|것부터)|(?:낮은|작은|적은|싼|짧은) [^ ]+부터|오름차순|\b(?:ascending|lowest first|cheapest first|smallest first)\b`)
	latestFirst = regexp.MustCompile(`최신|최근|(?:늦은|나중|마지막) ?(?:[^ ]+ )?(?:순|부터|것부터)|내림차순|\b(?:descending|latest|newest|recent|recently)\b`)
	firstFirst  = regexp.MustCompile(`(?:일|일자|날짜|시간|시각) ?순|(?:오래된|오래|이른|빠른|먼저) ?(?:[^ ]+ )?(?:순|부터|것부터)|근속|오름차순|\b(?:longest[- ]serving|seniority|tenure|ascending|chronological|chronologically|earliest|oldest|by (?:[a-z]+ )?(?:date|day|time))\b`)
)

// orders reports whether the question asks for rows in the order of a measure.
func (c *Checker) orders(direction int) bool {
	if direction < 0 {
		return leastFirst.MatchString(c.asked.text)
	}
	return mostFirst.MatchString(c.asked.text)
}

// ordersInTime reports whether the question asks for rows in the order of their moments.
func (c *Checker) ordersInTime(direction int) bool {
	if direction > 0 {
		return latestFirst.MatchString(c.asked.text)
	}
	return firstFirst.MatchString(c.asked.text) && !latestFirst.MatchString(c.asked.text)
}

// standsForRow reports whether a place says no more than of which row the sentence speaks,
// as what something is measured by, joined with or left out: "1위보다", "2위와의 차이", "1위를
// 제외한 네 명", "1위와 7위의 차이".
func (s *sentence) standsForRow(f *figure) bool {
	n, ok := f.count()
	at := f.to
	if f.rest == "" {
		at++
	}
	text := s.foldAt(at - 1)
	apart := hasSuffix(text, "위보다", "위와의", "위과의", "위대비", "째보다") || hasSuffix(text, "위를", "위") && hasPrefix(s.foldAt(at), "제외", "빼", "뺀", "대비")
	joined := hasSuffix(text, "위와", "위의", "위를") && s.namesFree(0, f.at) && (s.anyCue(f.at, len(s.tokens), nil, gapKorean...) || s.anyCue(f.at, len(s.tokens), nil, "더하", "더해", "합"))
	if !ok || n < 1 || !apart && !joined {
		return false
	}
	return slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return n <= int64(t.rows) && slices.ContainsFunc(t.columns, func(c column) bool {
			return c.measure() && (s.checker.knowsPlaces(t, &c, 1) || s.checker.knowsPlaces(t, &c, -1))
		})
	})
}

// namesFree reports whether no row is named in tokens from..to.
func (s *sentence) namesFree(from, to int) bool { return len(s.namesOf(from, to)) == 0 }

// ordersMoments reports whether the rows that were seen of a table begin an order in time.
func (s *sentence) ordersMoments(t *table) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool {
		return c.temporal && (s.checker.beginsOrder(t, &c, 1) || s.checker.beginsOrder(t, &c, -1))
	})
}
