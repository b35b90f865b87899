//go:build !linux

package pluginhost

import (
	"io"
	"os"
)

// openAndSum opens a file at its beginning, with its sum.
func openAndSum(path string) (*os.File, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	sum, err := Sum(f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = f.Close() // only read from
		return nil, "", err
	}
	return f, sum, nil
}
