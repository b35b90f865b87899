package main

import (
	"context"
	"sync"
)

// shared is something open that hosts share while one takes the place of another.
// It is closed when the last lets go of it.
type shared[T any] struct {
	it    T
	key   string // the same for what is the same
	close func(context.Context) error

	mu    sync.Mutex
	users int
}

// share makes it shared, with one user.
func share[T any](key string, it T, close func(context.Context) error) *shared[T] {
	return &shared[T]{it: it, key: key, close: close, users: 1}
}

// take adds a user. There must be one already that does not let go meanwhile.
func (s *shared[T]) take() *shared[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
	return s
}

// letGo takes a user away, and closes what has none any more.
func (s *shared[T]) letGo(ctx context.Context) error {
	s.mu.Lock()
	s.users--
	last := s.users == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	return s.close(ctx)
}
