package pluginhost

import (
	"runtime"
	"sync"
)

// spawner starts processes from one thread of the operating system that lives as
// long as the host. On Linux a child's parent-death signal is sent when the
// thread that started it ends, not the process (golang/go#27505), so a thread of
// Go's pool would not do.
type spawner struct {
	jobs chan func()
	once sync.Once
	done chan struct{}
}

func newSpawner() *spawner {
	s := &spawner{jobs: make(chan func()), done: make(chan struct{})}
	go s.run()
	return s
}

func (s *spawner) run() {
	defer close(s.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread() // all children are gone by then: the thread may go back to the pool
	for job := range s.jobs {
		job()
	}
}

// do runs start on the thread and returns its error. It must not be called after
// close.
func (s *spawner) do(start func() error) error {
	result := make(chan error, 1)
	s.jobs <- func() { result <- start() }
	return <-result
}

// close ends the thread's goroutine and waits for it.
func (s *spawner) close() {
	s.once.Do(func() { close(s.jobs) })
	<-s.done
}
