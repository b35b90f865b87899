package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Head is how far the audit log goes. It stands in a file of its own beside the log,
// so that entries that were cut off at the end are missed.
type Head struct {
	Count int64  `json:"count"`
	Last  string `json:"last"` // Hash of the last entry
	KeyID string `json:"key_id,omitempty"`
	MAC   string `json:"mac,omitempty"`
	Sum   string `json:"sum"` // SHA-256 of all above, in hex
}

// headName is the file of the head of a log.
func headName(file string) string { return file + ".head" }

func newHead(count int64, last string, key Key) (Head, error) {
	h := Head{Count: count, Last: last, KeyID: key.ID()}
	text, err := canonical(h)
	if err != nil {
		return h, err
	}
	h.MAC = key.mac(purposeHead, string(text))
	h.Sum, err = h.sum()
	return h, err
}

func (h Head) sum() (string, error) {
	h.Sum = ""
	text, err := canonical(h)
	return digest(text), err
}

// check says what is wrong with the head itself.
func (h Head) check(key Key) error {
	own, err := h.sum()
	if err != nil || own != h.Sum {
		return errors.New("it was changed: its content has another hash than it says")
	}
	if !key.Known() {
		return nil
	}
	if h.MAC == "" {
		return errors.New("it is not signed, and there is a key")
	}
	if h.KeyID != key.ID() {
		return fmt.Errorf("it is signed with the key %q, and this is the key %s", h.KeyID, key.ID())
	}
	bare := h
	bare.MAC, bare.Sum = "", ""
	text, err := canonical(bare)
	if err != nil || !key.signed(h.MAC, purposeHead, string(text)) {
		return errors.New("it was written by someone without the key: its signature is wrong")
	}
	return nil
}

// parseHead reads a head that write wrote.
func parseHead(text []byte) (Head, error) {
	var h Head
	err := decode(text, &h, func() ([]byte, error) { return h.encode() })
	return h, err
}

func (h Head) encode() ([]byte, error) {
	text, err := canonical(h)
	return append(text, '\n'), err
}

// readHead reads the head of a log. The error is os.ErrNotExist where there is none.
func readHead(file string) (Head, error) {
	text, err := os.ReadFile(headName(file))
	if err != nil {
		return Head{}, err
	}
	h, err := parseHead(text)
	if err != nil {
		return h, fmt.Errorf("%s: %w", headName(file), err)
	}
	return h, nil
}

// write puts the head in place of the one that is there, at once: whoever reads it
// finds the one or the other.
func (h Head) write(file string, open func(string, int, fs.FileMode) (File, error)) error {
	text, err := h.encode()
	if err != nil {
		return err
	}
	temporary := headName(file) + ".new"
	if err := writeSynced(temporary, text, open); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, headName(file)); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

func writeSynced(name string, text []byte, open func(string, int, fs.FileMode) (File, error)) error {
	f, err := open(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, filePerm)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncFolder makes a renaming in the folder last. Systems that cannot are those
// where it lasts by itself.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// filePerm keeps the log to those who run the program: questions' outcomes and
// callers' names stand in it.
const filePerm = 0o600
