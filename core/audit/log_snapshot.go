package audit

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"

	"github.com/gofrs/flock"
)

// snapshot is a log as it was at one moment between two entries: others may write to
// it while it is read.
type snapshot struct {
	putAway []string // files that nobody writes to any more, in order
	file    *os.File // nil: the log goes on in none yet
	size    int64    // of which this is read

	head    Head
	headErr error // of reading the head
}

// takeSnapshot looks at a log while nobody writes. Where its lock cannot be taken, as
// beside a copy of a log, nobody is taken to write.
func takeSnapshot(ctx context.Context, file string) (*snapshot, error) {
	lock := flock.New(file+".lock", flock.SetFlag(os.O_RDONLY))
	waiting, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	_, _ = lock.TryRLockContext(waiting, lockRetry)
	s := &snapshot{}
	err := s.take(file)
	if err = errors.Join(err, ctx.Err(), lock.Close()); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *snapshot) take(file string) error {
	var err error
	if s.putAway, err = segments(file); err != nil {
		return err
	}
	s.head, s.headErr = readHead(file)
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) && len(s.putAway) > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	s.file = f
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s.size = math.MaxInt64
	if info.Mode().IsRegular() {
		s.size = info.Size()
	}
	return nil
}

func (s *snapshot) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
