// Package settings reads the settings of a plugin that talks to a model server.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Duration is a length of time that is written as in Go: 500ms, 2m, 1h30m.
type Duration time.Duration

// UnmarshalJSON reads a string such as "30s". A negative duration is refused.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("a duration is a string such as \"30s\", not %s", b)
	}
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no duration; write a number and a unit, such as \"30s\" or \"10m\"", text)
	}
	*d = Duration(v)
	return nil
}

// Or is d, or standard when d is zero.
func (d Duration) Or(standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return time.Duration(d)
}

// Decode reads raw into v, strictly: an unknown key is an error, and so is
// anything behind the object. Errors are of kind misconfigured and repeat no value
// of the settings, which may be secret, but those of durations.
func Decode(raw json.RawMessage, v any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var typeErr *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typeErr):
		return sdk.Errorf(reason.Misconfigured, "setting %q has the wrong type: want %s", typeErr.Field, typeErr.Type)
	case err != nil:
		return sdk.Errorf(reason.Misconfigured, "settings: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return sdk.Errorf(reason.Misconfigured, "settings: something stands behind the closing brace")
	}
	return nil
}

// BaseURL checks the address of a server: absolute, http or https, without
// credentials, query or fragment. The error names the setting, not the address,
// since that may hold a secret.
func BaseURL(setting, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, sdk.Errorf(reason.Misconfigured, "setting %q is no URL; write for example http://127.0.0.1:11434", setting)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, sdk.Errorf(reason.Misconfigured, "setting %q must begin with http:// or https:// and name a host", setting)
	case u.User != nil:
		return nil, sdk.Errorf(reason.Misconfigured, "setting %q holds a user name or password; use the setting api_key or headers", setting)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, sdk.Errorf(reason.Misconfigured, "setting %q must not hold a query or a fragment", setting)
	}
	return u, nil
}

// Files joins the contents of the files that a setting names, in order.
func Files(files []sdk.File) []byte {
	var all bytes.Buffer
	for _, f := range files {
		all.Write(f.Content)
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// Commit is the commit that the running executable was built from, or "" when
// the build did not record it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return strings.TrimSpace(s.Value)
		}
	}
	return ""
}
