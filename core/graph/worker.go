package graph

// worker runs the nodes of a walk, one after the other, in one goroutine: its stack has
// grown with the first of them. The walk alone calls it, and ends it.
type worker struct {
	jobs chan func()
	gone chan struct{} // closed when the goroutine has ended
}

// do begins a job. The one before it has ended, or was abandoned.
func (w *worker) do(job func()) {
	if w.jobs != nil {
		select {
		case w.jobs <- job:
			return
		case <-w.gone: // the job before ended its goroutine
		}
	}
	// Without a buffer a job is taken only by a goroutine that will do it.
	jobs, gone := make(chan func()), make(chan struct{})
	w.jobs, w.gone = jobs, gone
	go func() {
		defer close(gone)
		for ok := true; ok; job, ok = <-jobs {
			job()
		}
	}()
}

// abandon leaves the goroutine to the job that it is at, with which it ends.
func (w *worker) abandon() { w.end() }

// end lets the goroutine end when it has nothing more to do.
func (w *worker) end() {
	if w.jobs != nil {
		close(w.jobs)
	}
	w.jobs, w.gone = nil, nil
}
