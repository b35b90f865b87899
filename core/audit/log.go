package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// LogOptions say where an audit log is and how it is kept.
type LogOptions struct {
	File    string
	Key     Key              // zero: entries are not signed
	MaxSize int64            // bytes at which it goes on in a new file; 0: never
	Clock   func() time.Time // nil: the system's
	// OpenFile opens the log and its head for writing; nil: os.OpenFile. Tests let it
	// fail as disks do.
	OpenFile func(name string, flag int, perm fs.FileMode) (File, error)
}

// File is what a log needs of a file.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

func openFile(name string, flag int, perm fs.FileMode) (File, error) {
	return os.OpenFile(name, flag, perm)
}

// Log is the audit log: a file of JSON lines, each of which names the hash of the
// one before. Several processes may write to one log: each line is written under a
// lock on a file beside it. It is safe for concurrent use.
type Log struct {
	opts LogOptions
	turn chan struct{} // has room for the one who writes
	lock *flock.Flock

	// What follows is of the one who writes, who has the lock.
	file File // nil: the state on the disk is not known
	size int64
	tail tail
}

// tail is where a log ends.
type tail struct {
	count int64
	last  string
	prev  string // hash of the entry before the last
}

// OpenLog opens a log, which need not be there yet. A line that a crash tore is
// sealed by an entry that names it. The error says when the end of the log is not
// as its head says; nothing is written to such a log.
func OpenLog(ctx context.Context, o LogOptions) (*Log, error) {
	l := newLog(o)
	err := l.alone(ctx, func() error { return l.load() })
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func newLog(o LogOptions) *Log {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.OpenFile == nil {
		o.OpenFile = openFile
	}
	return &Log{opts: o, turn: make(chan struct{}, 1), lock: flock.New(o.File+".lock", flock.SetPermissions(filePerm))}
}

// LookAtLog is how many entries a log has. The error says why OpenLog would not open
// it. Nothing is written; VerifyLog checks all of it.
func LookAtLog(ctx context.Context, o LogOptions) (entries int64, err error) {
	f, err := os.OpenFile(o.File, os.O_RDWR|os.O_APPEND, filePerm)
	if err != nil {
		return 0, err
	}
	l := newLog(o)
	l.file = f
	err = l.alone(ctx, func() error {
		end, _, err := l.find()
		if err == nil {
			entries = end.count
			_, err = l.compare(end)
		}
		return err
	})
	return entries, errors.Join(err, l.Close())
}

// Close closes the files. It waits for whoever writes.
func (l *Log) Close() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	return errors.Join(l.forget(), l.lock.Close())
}

// Append writes an entry, of which the caller sets Kind and what it is about. When
// it returns nil the entry is on the disk.
// When it returns an error there is no such entry, unless the disk failed so that
// not even that can be told.
func (l *Log) Append(ctx context.Context, e Entry) error {
	return l.alone(ctx, func() error {
		if err := l.current(); err != nil {
			return err
		}
		return l.write(nil, e)
	})
}

// Check reports whether the log can be gone on with. A torn end is sealed by it, and
// the head is written again, so that a full disk is noticed.
func (l *Log) Check(ctx context.Context) error {
	return l.alone(ctx, func() error {
		if err := l.current(); err != nil {
			return err
		}
		return l.putHead(l.tail)
	})
}

// lockRetry is how often a lock that others hold is tried again: writing a line takes
// a few milliseconds.
const lockRetry = 2 * time.Millisecond

// lockTimeout is amply what others take who write. Longer has the lock only a
// process that was stopped.
const lockTimeout = 10 * time.Second

// alone calls do while no one else writes, here or in another process.
func (l *Log) alone(ctx context.Context, do func() error) (err error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return fmt.Errorf("wait for the audit log: %w", context.Cause(ctx))
	}
	waiting, cancel := context.WithTimeoutCause(ctx, lockTimeout, errors.New("another process has held its lock for too long"))
	defer cancel()
	if _, err := l.lock.TryLockContext(waiting, lockRetry); err != nil {
		if waiting.Err() != nil {
			err = context.Cause(waiting)
		}
		return fmt.Errorf("lock the audit log %s: %w", l.opts.File, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("the audit log %s: %w", l.opts.File, err), l.forget())
		}
		err = errors.Join(err, l.lock.Unlock())
	}()
	return do()
}

// forget closes the file: the next to write looks at the disk again.
func (l *Log) forget() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// current makes sure that the end of the log is known: another process may have
// written since.
func (l *Log) current() error {
	if err := l.know(); err != nil || !l.full() {
		return err
	}
	if err := l.rotate(); err != nil {
		return err
	}
	return l.load()
}

func (l *Log) full() bool { return l.opts.MaxSize > 0 && l.size >= l.opts.MaxSize }

// know looks at the disk unless it is as it was left.
func (l *Log) know() error {
	if l.file == nil {
		return l.load()
	}
	own, err := l.file.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(l.opts.File)
	if err == nil && os.SameFile(own, there) && there.Size() == l.size {
		return nil
	}
	if err := l.forget(); err != nil {
		return err
	}
	return l.load()
}

// load opens the file, finds its end, and seals what is torn there.
func (l *Log) load() error {
	f, err := l.opts.OpenFile(l.opts.File, os.O_RDWR|os.O_CREATE|os.O_APPEND, filePerm)
	if err != nil {
		return err
	}
	l.file = f
	end, torn, err := l.find()
	if err != nil {
		return err
	}
	if err := l.agree(end); err != nil {
		return err
	}
	l.tail = end
	switch next, whole := nextEntry(torn, end); {
	case len(torn) == 0:
		return nil
	case whole:
		return l.endLine(next)
	}
	return l.seal(torn)
}

// nextEntry is the entry that torn is but for its newline.
func nextEntry(torn []byte, end tail) (Entry, bool) {
	c := Chain{count: end.count, last: end.last}
	e, err := c.entry(torn)
	return e, err == nil
}

// endLine writes the newline that an entry lacks.
func (l *Log) endLine(e Entry) error {
	if _, err := l.file.Write([]byte{'\n'}); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.size++
	l.tail = tailOf(&e)
	return l.putHead(l.tail)
}

// find is where the log ends, and what stands behind its last entry.
func (l *Log) find() (tail, []byte, error) {
	e, torn, size, err := lastEntry(l.file)
	l.size = size
	if err != nil || e != nil {
		return tailOf(e), torn, err
	}
	older, err := segments(l.opts.File)
	if err != nil || len(older) == 0 {
		return tail{last: firstPrev}, torn, err
	}
	f, err := os.Open(older[len(older)-1])
	if err != nil {
		return tail{}, nil, err
	}
	defer f.Close()
	e, rest, _, err := lastEntry(f)
	if err == nil && (e == nil || len(rest) > 0) {
		err = fmt.Errorf("%s does not end with an entry", filepath.Base(f.Name()))
	}
	return tailOf(e), torn, err
}

func tailOf(e *Entry) tail {
	if e == nil {
		return tail{last: firstPrev}
	}
	return tail{count: e.Seq, last: e.Hash, prev: e.Prev}
}

// agree compares the end with the head, and brings the head up to it.
func (l *Log) agree(end tail) error {
	behind, err := l.compare(end)
	if err != nil || !behind {
		return err
	}
	return l.putHead(end)
}

// compare compares the end with the head, which is one behind, or not there yet, when
// the last writer did not come to it.
func (l *Log) compare(end tail) (behind bool, err error) {
	h, err := readHead(l.opts.File)
	if errors.Is(err, fs.ErrNotExist) && end.count == 0 {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("its head cannot be read, so that nothing tells whether entries are missing: %w", err)
	}
	if err := h.check(l.opts.Key); err != nil && !(h.MAC == "" && l.opts.Key.Known()) {
		return false, fmt.Errorf("%s: %w", filepath.Base(headName(l.opts.File)), err)
	}
	switch {
	case h.Count == end.count && h.Last == end.last:
		return false, nil
	case h.Count == end.count-1 && h.Last == end.prev:
		return true, nil
	}
	return false, fmt.Errorf("it ends with entry %d, and its head says that entry %d is the last: "+
		"see querent audit verify, and move the log away to begin another", end.count, h.Count)
}

func (l *Log) putHead(end tail) error {
	h, err := newHead(end.count, end.last, l.opts.Key)
	if err != nil {
		return err
	}
	return h.write(l.opts.File, l.opts.OpenFile)
}
