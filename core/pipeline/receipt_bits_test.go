//go:build !race

package pipeline_test

import (
	"bytes"
	"testing"

	"querent.dev/querent/core/audit"
)

// No bit of a receipt can be changed, whether or not its key is at hand.
func TestNoByteOfAReceiptCanBeChanged(t *testing.T) {
	text, err := oneReceipt(t).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []audit.Key{{}, auditKey(t)} {
		if r, err := audit.Decode(text); err != nil || !audit.Verify(r, audit.Evidence{Key: key}).OK() {
			t.Fatalf("the receipt itself: %v", err)
		}
	}
	decoded := 0
	for i := range text {
		for bit := range 8 {
			changed := bytes.Clone(text)
			changed[i] ^= 1 << bit
			r, err := audit.Decode(changed)
			if err != nil {
				continue
			}
			decoded++
			for _, key := range []audit.Key{{}, auditKey(t)} {
				if audit.Verify(r, audit.Evidence{Key: key}).OK() {
					t.Errorf("byte %d (%q), bit %d, with a key: %t: not found", i, text[max(0, i-10):min(len(text), i+10)], bit, key.Known())
				}
			}
		}
	}
	if decoded < len(text) {
		t.Errorf("of %d bytes, %d changes leave a receipt that can be read: the form alone finds the rest", len(text), decoded)
	}
}
