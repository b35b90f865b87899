package audit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// segmentName is the file in which a log is put away that ends with entry last. The
// names sort as the entries do.
func segmentName(file string, last int64) string { return fmt.Sprintf("%s.%012d", file, last) }

var segmentSuffix = regexp.MustCompile(`^\.\d{12}$`)

// segments are the files that were put away of a log, in order.
func segments(file string) ([]string, error) {
	dir, base := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range list {
		if len(d.Name()) > len(base) && d.Name()[:len(base)] == base && segmentSuffix.MatchString(d.Name()[len(base):]) {
			out = append(out, filepath.Join(dir, d.Name()))
		}
	}
	slices.Sort(out)
	return out, nil
}

// tailBlock is much longer than an entry; the end of a log is read in blocks of it.
const tailBlock = 64 << 10

// lastEntry is the last entry of a file, nil if it has none, what stands behind it,
// and the size of the file. An entry whose newline is missing is none: what is torn
// begins with it.
func lastEntry(f File) (*Entry, []byte, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, 0, err
	}
	size := info.Size()
	for length := min(size, tailBlock); ; length = min(size, length*2) {
		block := make([]byte, length)
		if _, err := f.ReadAt(block, size-length); err != nil && err != io.EOF {
			return nil, nil, size, err
		}
		if e, behind := lastIn(block, length == size); e != nil || length == size {
			return e, behind, size, nil
		}
	}
}

// lastIn is the last entry in a block of whole lines and what stands behind it. The
// first line of a block may be a part unless the block begins a file.
func lastIn(block []byte, whole bool) (*Entry, []byte) {
	end := bytes.LastIndexByte(block, '\n') + 1
	for end > 0 {
		start := bytes.LastIndexByte(block[:end-1], '\n') + 1
		if start == 0 && !whole {
			break
		}
		if e, ok := parseEntry(block[start : end-1]); ok {
			return &e, block[end:]
		}
		end = start
	}
	return nil, block
}
