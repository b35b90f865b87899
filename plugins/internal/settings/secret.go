package settings

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Secret is a setting that must not be seen: however it is printed or encoded, it
// shows as a mark. A conversion to string gives the value.
type Secret string

const hidden = "[secret]"

// Format implements fmt.Formatter, for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) } // the caller of fmt learns of a failed write

// MarshalJSON implements json.Marshaler.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// UnmarshalJSON reads a string. White space around it goes: files end with a newline.
func (s *Secret) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("want a text")
	}
	*s = Secret(strings.TrimSpace(text))
	return nil
}
