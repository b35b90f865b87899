package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// seal ends a torn line and writes the entry that names it.
func (l *Log) seal(torn []byte) error {
	var before []byte
	if torn[len(torn)-1] != '\n' {
		before = []byte{'\n'}
		torn = append(torn, '\n')
	}
	return l.write(before, recovery(torn))
}

// write writes an entry, behind bytes that end a line before it.
func (l *Log) write(before []byte, e Entry) error {
	e.Seq, e.Time = l.tail.count+1, l.opts.Clock().UTC()
	kept, line, err := e.sealed(l.opts.Key, l.tail.last)
	if err != nil {
		return err
	}
	// One write: what a crash leaves of it is the beginning.
	text := append(append(before, line...), '\n')
	if len(text) > maxTorn {
		return fmt.Errorf("an entry of %d bytes is too long", len(text))
	}
	if err := l.put(text, tailOf(&kept)); err != nil {
		return errors.Join(err, l.undo())
	}
	l.size += int64(len(text))
	l.tail = tailOf(&kept)
	if l.full() {
		_ = l.rotate() // the entry is written; who writes next tries again and says why not
	}
	return nil
}

// put writes text and the head of the end that it makes.
func (l *Log) put(text []byte, end tail) error {
	if _, err := l.file.Write(text); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	return l.putHead(end)
}

// undo takes back what was written of an entry that could not be written whole, so
// that what was not done is not told. Where the head knows of the entry already, it
// stays. What cannot be taken back is sealed when the log is looked at next.
func (l *Log) undo() error {
	h, err := readHead(l.opts.File)
	if err != nil || h.Count != l.tail.count {
		return err
	}
	return l.file.Truncate(l.size)
}

// rotate puts the file away under the number of its last entry. The chain goes on in
// the next.
func (l *Log) rotate() error {
	if err := l.forget(); err != nil {
		return err
	}
	if err := os.Rename(l.opts.File, segmentName(l.opts.File, l.tail.count)); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(l.opts.File))
}
