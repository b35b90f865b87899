package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
)

const eventStream = "text/event-stream"

// stream answers with the run's events as they come. The run never waits for the
// client: events queue up, and a client that does not take them is dropped, and
// its run cancelled.
//
// The answer is held back until the run has ended, a moment later: its event then
// has the whole results.
func (s *Server) stream(ctx context.Context, w *response, c *call, run *active, q pipeline.Question) {
	h := w.Header()
	h.Set("Content-Type", eventStream)
	h.Set("X-Accel-Buffering", "no") // or nginx would collect the events
	out := newQueue()
	var writing sync.WaitGroup
	var broke error // written before writing is done
	writing.Go(func() {
		if broke = (&eventWriter{w: w, keepAlive: s.options().Timeouts.KeepAlive}).write(out); broke != nil {
			s.options().Logger.Info("a stream broke off; its client may be gone", "error", broke)
			run.cancel(errDropped)
			out.abandon()
		}
	})
	var done *pipeline.Run
	defer func() {
		out.close()
		writing.Wait()
		if done != nil {
			s.free(done)
		}
	}()
	var held []graph.Event
	done = s.options().Engine.Ask(ctx, q, func(e graph.Event) {
		s.begun(c, run, e)
		if held != nil || e.Type == graph.AnswerCompleted {
			held = append(held, e)
			return
		}
		if !out.put(frame{event: e}) {
			run.cancel(errDropped)
		}
	})
	for _, e := range held {
		f := frame{event: e}
		if e.Type == graph.AnswerCompleted {
			f.run = done
		}
		out.last(f)
	}
	out.close()
	if writing.Wait(); broke != nil {
		panic(http.ErrAbortHandler) // what was sent is no whole stream
	}
}

// frame is an event to write; with a run, it is the one with its answer.
type frame struct {
	event graph.Event
	run   *pipeline.Run
}

// eventWriter writes events to a client.
type eventWriter struct {
	w         *response
	keepAlive time.Duration
	begun     bool
}

// write writes what is in the queue until that is closed, with signs of life in
// between. The error is that the client does not take it.
func (e *eventWriter) write(q *queue) error {
	alive := time.NewTicker(e.keepAlive)
	defer alive.Stop()
	for {
		frames, open := q.take()
		for _, f := range frames {
			if err := e.frame(f); err != nil {
				return err
			}
		}
		if len(frames) > 0 {
			if err := e.w.FlushError(); err != nil {
				return fmt.Errorf("send events: %w", err)
			}
			continue
		}
		if !open {
			return nil
		}
		select {
		case <-q.wake:
		case <-alive.C:
			if err := e.signOfLife(); err != nil {
				return err
			}
		}
	}
}

func (e *eventWriter) signOfLife() error {
	if !e.begun {
		return nil
	}
	if _, err := io.WriteString(e.w, ": alive\n\n"); err != nil {
		return fmt.Errorf("send a sign of life: %w", err)
	}
	return e.w.FlushError()
}

func (e *eventWriter) frame(f frame) error {
	if !e.begun {
		e.begun = true
		e.w.Header().Set(runHeader, f.event.RunID)
		e.w.WriteHeader(http.StatusOK)
	}
	out := bufio.NewWriter(e.w)
	fmt.Fprintf(out, "event: %s\nid: %d\ndata: ", f.event.Type, f.event.Seq)
	err := writeEvent(out, f)
	_, _ = out.WriteString("\n\n") // Flush returns the error
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("send the event %s: %w", f.event.Type, err)
	}
	return nil
}

// writeEvent writes an event as JSON on one line.
func writeEvent(w *bufio.Writer, f frame) error {
	event := f.event
	if f.run != nil {
		event.Data = nil
	}
	var text bytes.Buffer
	d := json.NewEncoder(&text)
	d.SetEscapeHTML(false)
	if err := d.Encode(event); err != nil {
		return err
	}
	line := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if f.run == nil {
		_, err := w.Write(line)
		return err
	}
	_, _ = w.Write(line[:len(line)-1])
	_, _ = w.WriteString(`,"data":{"answer":`)
	err := answer.WriteJSON(oneLine{w}, *f.run.Answer, f.run.Rows)
	_, _ = w.WriteString("}}")
	return err
}

// oneLine leaves line ends out: in JSON they stand between values alone.
type oneLine struct{ w io.Writer }

func (o oneLine) Write(p []byte) (int, error) {
	if _, err := o.w.Write(bytes.ReplaceAll(p, []byte("\n"), nil)); err != nil {
		return 0, err
	}
	return len(p), nil
}
