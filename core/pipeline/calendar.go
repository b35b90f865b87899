package pipeline

import (
	"fmt"
	"time"
	"unicode"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
)

// calendar is how the host reads dates.
type calendar struct {
	zone  *time.Location
	clock plan.Clock // without Now
}

func newCalendar(t config.Time) (calendar, error) {
	zone, err := time.LoadLocation(t.Zone)
	if err != nil {
		return calendar{}, fmt.Errorf("pipeline: settings.time.zone: %w", err)
	}
	fiscal, err := plan.ParseMonthDay(t.FiscalYearStart)
	if err != nil {
		return calendar{}, fmt.Errorf("pipeline: settings.time.fiscal_year_start: %w", err)
	}
	clock := plan.Clock{WeekStart: time.Monday, FiscalYearStart: fiscal}
	if t.WeekStart == "sunday" {
		clock.WeekStart = time.Sunday
	}
	return calendar{zone: zone, clock: clock}, nil
}

// Clock is the clock by which a plan is read at some moment, as configured.
func Clock(t config.Time, now time.Time) (plan.Clock, error) {
	c, err := newCalendar(t)
	if err != nil {
		return plan.Clock{}, err
	}
	return c.at(now), nil
}

// at is the clock of a run that begins at now.
func (c calendar) at(now time.Time) plan.Clock {
	clock := c.clock
	clock.Now = now.In(c.zone)
	return clock
}

// language is that of the answer: the asker's wish, then the configuration's,
// then that of the question's script.
func language(q Question, configured string) string {
	switch {
	case q.Language != "":
		return q.Language
	case configured != "" && configured != config.LanguageOfQuestion:
		return configured
	}
	for _, r := range q.Text {
		if unicode.Is(unicode.Hangul, r) {
			return "ko"
		}
	}
	return "en"
}
