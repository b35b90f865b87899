package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// canonical is v as JSON in the one form that is hashed: fields in the order of
// their types, keys of maps sorted, no spaces, no escapes that JSON does not ask
// for.
func canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// errNotCanonical is what text ends with that says something else than it
// appears to: a field twice or in another case, spaces, other escapes.
var errNotCanonical = errors.New("the text is not in the form in which it was written")

// decode reads text strictly into v: it must be what written makes of v again,
// byte for byte, so that no byte of it can be changed without a trace.
func decode(text []byte, v any, written func() ([]byte, error)) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return errors.New("the text is no JSON of this form")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	again, err := written()
	if err != nil {
		return fmt.Errorf("write it anew: %w", err)
	}
	if !bytes.Equal(text, again) {
		return errNotCanonical
	}
	return nil
}

// digest is the SHA-256 of b in hex.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// indented is canonical text in lines, for people and their tools.
func indented(text []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// hashWriter hashes what is written to it.
type hashWriter struct{ hash.Hash }

func newHashWriter() hashWriter { return hashWriter{sha256.New()} }

func (h hashWriter) sum() string { return hex.EncodeToString(h.Sum(nil)) }
