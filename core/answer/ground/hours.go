package ground

import (
	"regexp"
	"slices"
)

var hourName = regexp.MustCompile(`(?i)(^|[_ ])hour([_ ]|$)|^시간대|^시$`)

// atHour are the rows of a column of hours that a full hour names: "at 5 p.m." of 17.
func (c *column) atHour(list []period) []int {
	if !c.numeric || !hourName.MatchString(c.name) {
		return nil
	}
	var rows []int
	for row, v := range c.cells {
		if v.number != nil && slices.ContainsFunc(list, func(p period) bool {
			return p.year == 0 && p.month == 0 && p.day == 0 && p.quarter == 0 && p.half == 0 && p.minute <= 0 && v.number.Cmp(rat(int64(p.hour))) == 0
		}) {
			rows = append(rows, row)
		}
	}
	return rows
}
