// Package blankrun notices models that write white space for ever: the grammar of
// JSON allows it, and some take it up.
package blankrun

import "unicode"

// Longest is the run of white space at which an answer in JSON is given up. No
// layout of a plan comes near it.
const Longest = 256

// Counter counts the white space at the end of an answer. The zero value is ready.
type Counter struct{ run int }

// TooLong takes in the answer's next piece, and reports whether white space has
// run on for longer than Longest in it.
func (c *Counter) TooLong(piece string) bool {
	for _, r := range piece {
		if c.run++; !unicode.IsSpace(r) {
			c.run = 0
		}
		if c.run > Longest {
			return true
		}
	}
	return false
}
