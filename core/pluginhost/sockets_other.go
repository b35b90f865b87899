//go:build !unix

package pluginhost

import (
	"os"
	"path/filepath"
)

// shortTempDir is unknown here.
const shortTempDir = ""

// lockFolder holds a file of the folder open, which other processes then cannot
// remove or open for themselves.
func lockFolder(path string) (*os.File, error) {
	return os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_EXCL, 0o600)
}
