package modelhttp

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestRetryAfter keeps a nonsensical figure from overflowing a Duration; the
// host waits far less in any case.
const longestRetryAfter = 24 * time.Hour

// RetryAfter is how long the server asks to wait: Retry-After-Ms, or Retry-After
// in seconds or as an HTTP date. It is 0 when the server does not say, says it
// unreadably, or names a moment that has passed.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return bounded(ms * float64(time.Millisecond))
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return bounded(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return bounded(float64(at.Sub(now)))
	}
	return 0
}

func bounded(d float64) time.Duration {
	if !(d > 0) { // also when it is not a number
		return 0
	}
	return time.Duration(min(d, float64(longestRetryAfter)))
}
