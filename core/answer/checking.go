package answer

import (
	"slices"
	"sync"

	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/wire"
)

// checking is the check of a model's texts about one outcome.
type checking struct {
	check func(wire.AggregatedResponse) error
	// prepare makes what check needs. It may be called beside check, which else does so
	// with the first text.
	prepare func()
}

// ahead is prompt, with which prepare is begun: a model takes longer to write than it
// does. Who asks waits for done.
func (c checking) ahead(prompt func() (provider.Prompt, error), done *sync.WaitGroup) func() (provider.Prompt, error) {
	if prompt == nil {
		return nil
	}
	begin := sync.OnceFunc(func() {
		done.Go(func() {
			defer func() { _ = recover() }() // check panics with it again, where that is caught
			c.prepare()
		})
	})
	return func() (provider.Prompt, error) {
		begin()
		return prompt()
	}
}

// once is check for texts that are shown to it again: the last that held still does.
func (c checking) once() func(wire.AggregatedResponse) error {
	var held *wire.AggregatedResponse
	return func(r wire.AggregatedResponse) error {
		if held != nil && held.Summary == r.Summary && held.Content == r.Content && slices.Equal(held.Warnings, r.Warnings) {
			return nil
		}
		err := c.check(r)
		if err == nil {
			held = &r
		}
		return err
	}
}
