package provider

import (
	"math/bits"
	"sync"

	"querent.dev/querent/sdk"
)

const (
	// leastContext is the server's own default on a small machine. Less saves
	// nothing worth having.
	leastContext = 4096
	// messageTokens is what a chat template puts around a message, generously.
	messageTokens = 16
	// templateTokens is what it puts around them all, with the system message that
	// some models bring along.
	templateTokens = 256
	// nearlyFull is how close to the context length a prompt's count must be for
	// the prompt to have been cut: servers keep a few tokens for themselves.
	nearlyFull = 8
)

// estimate is an upper guess of a prompt's tokens: three bytes of ASCII a token
// (SQL names give about 3.3 with today's vocabularies), two tokens for any other
// character.
func estimate(messages []sdk.Message) int64 {
	tokens := int64(templateTokens)
	for _, m := range messages {
		ascii, other := int64(0), int64(0)
		for _, r := range m.Content {
			if r < 0x80 {
				ascii++
			} else {
				other++
			}
		}
		tokens += messageTokens + (ascii+2)/3 + 2*other
	}
	return tokens
}

// contexts chooses context lengths. A model is loaded anew for each length, so a
// length is a power of two and only grows. The zero value is ready.
type contexts struct {
	mu   sync.Mutex
	used map[string]int64
}

// size is the context length for a prompt and an answer of together needed
// tokens. limit is the most that the model can take, 0 if that is unknown. A
// need above it gets the limit: the server counts exactly, and refuses.
func (c *contexts) size(model string, needed, limit int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := max(leastContext, int64(1)<<bits.Len64(uint64(needed-1)), c.used[model])
	if limit > 0 {
		n = min(n, limit)
	}
	if c.used == nil {
		c.used = map[string]int64{}
	}
	c.used[model] = n
	return n
}

// wasCut reports whether the server cut a prompt, by the tokens that it counted:
// a cut prompt fills the context, or, with servers from 0.30 on, half of it.
func wasCut(counted, numCtx, estimated int64) bool {
	half := counted - numCtx/2
	return counted >= numCtx-nearlyFull || estimated > numCtx && half >= 0 && half <= nearlyFull
}
