package sqlite

import (
	"context"
	"errors"
	"os"

	"querent.dev/querent/core/datasource"
)

var _ datasource.AccountChecker = (*database)(nil)

// CanWrite implements datasource.AccountChecker. The account is the host's user,
// and its right the mode of the file.
func (d *database) CanWrite(context.Context) (bool, string, error) {
	if _, err := d.current(); err != nil {
		return false, "", err
	}
	// SQLite's locks on the file belong to this process, and closing the file here
	// would release them: it is asked about, not opened.
	err := mayWrite(d.options.Path)
	switch {
	case err == nil:
		return true, "the host's user may write the file", nil
	case errors.Is(err, os.ErrPermission), errors.Is(err, errReadOnlyDisk):
		return false, "", nil
	}
	return false, "", unreachable(d.options.Path, "%w", err)
}
