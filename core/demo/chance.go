package demo

import "time"

func pick[T any](r *retailer, from []T) T { return from[r.rand.IntN(len(from))] }

// chance is true in n of a thousand cases.
func (r *retailer) chance(n int) bool { return r.rand.IntN(1000) < n }

// day is a day from..to, both included.
func (r *retailer) day(from, to time.Time) time.Time {
	days := int(to.Sub(from).Hours() / 24)
	return from.AddDate(0, 0, r.rand.IntN(max(days, 0)+1))
}

// moment is a second of shop hours on a day from..to.
func (r *retailer) moment(from, to time.Time) time.Time {
	day := r.day(from, to).Truncate(24 * time.Hour)
	return later(from, day.Add(8*time.Hour+time.Duration(r.rand.IntN(14*3600))*time.Second))
}

func (r *retailer) name(c country) string {
	given, family := pick(r, c.given), pick(r, c.family)
	if c.familyFirst {
		return family + " " + given
	}
	return given + " " + family
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func euros(cents int) float64 { return float64(cents) / 100 }

func date(t time.Time) string { return t.Format(time.DateOnly) }

func timestamp(t time.Time) string { return t.Format(time.DateTime) }

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
