package settings

import (
	"sync/atomic"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Configured is what Configure has made of a plugin's settings, once. The zero
// value holds nothing yet. It may be used concurrently.
type Configured[C any] struct {
	made atomic.Pointer[C]
}

// Set keeps c, for good: a second one is an error of kind misconfigured.
func (s *Configured[C]) Set(c *C) error {
	if !s.made.CompareAndSwap(nil, c) {
		return sdk.Errorf(reason.Misconfigured, "the plugin is configured already")
	}
	return nil
}

// Get is what Set has kept, or an error of kind misconfigured.
func (s *Configured[C]) Get() (*C, error) {
	if c := s.made.Load(); c != nil {
		return c, nil
	}
	return nil, sdk.Errorf(reason.Misconfigured, "the plugin was called before it was configured")
}

// Health is that of a plugin whose server shows in its calls: being configured is
// all it needs.
func (s *Configured[C]) Health() sdk.HealthState {
	if s.made.Load() == nil {
		return sdk.HealthState{Message: "not configured"}
	}
	return sdk.HealthState{OK: true}
}
