package audit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"querent.dev/querent/core/audit"
)

// hostile are values that nobody writes where they are put.
var hostile = []string{
	`null`, `""`, `"x"`, `"'"`, `"\u0000"`, `"9999-99-99"`, `0`, `-1`, `9223372036854775807`, `true`, `[]`, `{}`, `[null]`, `[[]]`, `[{}]`,
	`"` + strings.Repeat("(", 20_000) + `"`, `"` + strings.Repeat("not ", 5_000) + `1"`,
}

// places calls change with the text before and behind each value of a JSON text, and
// with the value.
func places(text []byte, change func(before, value, behind string)) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		end := int(d.InputOffset())
		start := end
		switch v := token.(type) {
		case json.Delim:
			if v == '}' || v == ']' {
				continue
			}
			start = end - 1
			var whole json.RawMessage
			inner := json.NewDecoder(strings.NewReader(string(text[start:])))
			if inner.Decode(&whole) != nil {
				continue
			}
			end = start + len(whole)
		case string:
			quoted, _ := json.Marshal(v)
			start = end - len(quoted)
		case nil:
			start = end - len("null")
		default:
			start = end - len(fmt.Sprint(v))
		}
		if start >= 0 && start < end {
			change(string(text[:start]), string(text[start:end]), string(text[end:]))
		}
	}
}

// TestHostileReceiptsAreReadAndChecked puts values that nobody writes in every place of
// a receipt and seals it as if it had been made so: it is refused, or each check ends.
func TestHostileReceiptsAreReadAndChecked(t *testing.T) {
	for _, name := range []string{"filtered", "asker"} {
		text, err := os.ReadFile("testdata/receipts/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		tried, checked := 0, 0
		places(text, func(before, value, behind string) {
			for _, h := range append(hostile, value+","+value) {
				tried++
				var r audit.Receipt
				if json.Unmarshal([]byte(before+h+behind), &r) != nil {
					continue
				}
				sealed, err := r.Sealed(audit.Key{})
				if err != nil {
					continue
				}
				forged, err := sealed.Encode()
				if err != nil {
					continue
				}
				if sealed, err = audit.Decode(forged); err != nil {
					t.Errorf("%.60q in place of %.60q: what was written cannot be read: %v", h, value, err)
					continue
				}
				checked++
				if report := audit.Verify(sealed, audit.Evidence{Whole: sealed}); len(report) < 3 {
					t.Errorf("%.60q in place of %.60q: %+v", h, value, report)
				}
				if checked%4 > 0 {
					continue // parts take as long as all the rest
				}
				if _, err := sealed.ForAsker(audit.Key{}); err != nil {
					t.Errorf("%.60q in place of %.60q: %v", h, value, err)
				}
				if _, err := sealed.Redacted(key(t), audit.Redaction{}); err != nil && !strings.Contains(err.Error(), "redacted already") {
					t.Errorf("%.60q in place of %.60q: %v", h, value, err)
				}
			}
		})
		if t.Logf("%s: %d tried, %d could be read", name, tried, checked); checked < 200 {
			t.Errorf("only %d of %d could be read", checked, tried)
		}
	}
}
