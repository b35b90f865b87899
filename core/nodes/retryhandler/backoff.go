package retryhandler

import (
	"context"
	"time"

	"querent.dev/querent/core/provider"
)

// longest is how long a wait may grow: someone is waiting for an answer.
const longest = 30 * time.Second

// Backoff is how long to wait before another attempt.
type Backoff struct {
	// Base is the wait before the first retry; each further one waits twice as
	// long. 0 waits only where a provider asks for it.
	Base time.Duration
	// Jitter gives a number in [0, 1) that spreads the waits of runs which failed
	// together: a wait is between half and all of its length. It is called
	// concurrently. Nil waits all of it.
	Jitter func() float64
}

// wait is how long to wait, and whether to try at all. A backoff leaves at least
// half of the time that is left to the attempt itself; what a provider asked for
// is waited in full or not at all.
func (b Backoff) wait(ctx context.Context, in Input) (time.Duration, bool) {
	wait := b.after(in.Attempt)
	asked, _ := time.ParseDuration(in.Failure.Evidence[provider.EvidenceRetryAfter])
	deadline, bounded := ctx.Deadline()
	if !bounded {
		return max(wait, asked), true
	}
	left := time.Until(deadline)
	if left <= 0 || asked >= left {
		return 0, false
	}
	return max(min(wait, left/2), asked), true
}

func (b Backoff) after(attempt int) time.Duration {
	wait := b.Base
	for i := 1; i < attempt && wait < longest; i++ {
		wait *= 2
	}
	wait = min(wait, longest)
	if b.Jitter == nil {
		return wait
	}
	return wait/2 + time.Duration(b.Jitter()*float64(wait/2))
}
