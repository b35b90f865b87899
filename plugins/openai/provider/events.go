package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// longestLine bounds a line of a stream. A whole answer in one event fits.
const longestLine = 4 << 20

var errLongLine = errors.New("a line of the stream is too long")

// eventReader reads server-sent events and passes on what the vendor's reader
// understands: one line of data per event. It drops comments, joins events of
// several lines, and keeps aside an error in any of its shapes, which that
// reader would lose.
type eventReader struct {
	src  *bufio.Reader
	body io.Closer

	first   bool // nothing was read yet
	event   string
	data    []byte
	ready   bytes.Buffer // normalized lines
	failure []byte       // the event that was an error; the stream ends there
}

func newEventReader(body io.ReadCloser) *eventReader {
	return &eventReader{src: bufio.NewReader(body), body: body, first: true}
}

// byteOrderMark is what some gateways put before a text; it is no part of it.
const byteOrderMark = "\ufeff"

// Read implements io.Reader.
func (e *eventReader) Read(p []byte) (int, error) {
	for e.ready.Len() == 0 {
		if e.failure != nil {
			return 0, io.EOF
		}
		if err := e.next(); err != nil {
			return 0, err
		}
	}
	return e.ready.Read(p)
}

// Close implements io.Closer.
func (e *eventReader) Close() error { return e.body.Close() }

// next takes in one line. It returns an error only with nothing left to pass on.
// What a broken connection leaves of an event is dropped.
func (e *eventReader) next() error {
	line, err := readLine(e.src)
	if e.first {
		line, e.first = bytes.TrimPrefix(line, []byte(byteOrderMark)), false
	}
	if err != nil && err != io.EOF {
		return err
	}
	if len(line) > 0 || err == nil {
		e.take(line)
	}
	if err == nil {
		return nil
	}
	if json.Valid(e.data) {
		e.dispatch()
	}
	e.data = nil
	if e.ready.Len() > 0 || e.failure != nil {
		return nil // the end comes again on the next read
	}
	return err
}

func (e *eventReader) take(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case len(line) == 0:
		e.dispatch()
	case line[0] == '{': // an error outside the framing
		e.data = append(e.data, line...)
		e.dispatch()
	case string(name) == "event":
		e.event = string(value)
	case string(name) == "data":
		e.data = append(append(e.data, value...), ' ')
		if json.Valid(e.data) || string(value) == "[DONE]" {
			e.dispatch() // some servers send no blank line between events
		}
	}
}

// dispatch ends the event that was being read.
func (e *eventReader) dispatch() {
	data := bytes.TrimSpace(e.data)
	event := e.event
	e.data, e.event = nil, ""
	if len(data) == 0 {
		return
	}
	if event == "error" || errorOf(data) != nil {
		e.failure = data
		return
	}
	e.ready.WriteString("data: ")
	e.ready.Write(data)
	e.ready.WriteByte('\n')
}

// readLine reads a line without its end, which may be \n or \r\n.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > longestLine {
			return nil, errLongLine
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}
