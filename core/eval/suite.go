// Package eval measures answers against suites of questions with gold SQL, as
// execution accuracy does: the rows count, not the SQL.
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
)

// Case is a line of a suite.
type Case struct {
	ID         string `json:"id"`
	DB         string `json:"db"`
	Question   string `json:"question"`
	GoldSQL    string `json:"gold_sql"`
	Dialect    string `json:"dialect"`
	DBPath     string `json:"db_path"` // relative to the suite's file until ReadSuite has joined it
	Evidence   string `json:"evidence,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	GoldBroken bool   `json:"gold_broken,omitempty"`
	GoldRows   *int64 `json:"gold_rows,omitempty"`
	// Warnings are texts, each of which one of the answer's warnings must hold.
	Warnings []string `json:"warnings,omitempty"`
}

// maxLine is the longest line of a suite: a question with its SQL is far
// shorter, so a longer one is no suite.
const maxLine = 1 << 20 // bytes

// ReadSuite reads JSON Lines. Database paths are joined to dir. An error names
// the line.
func ReadSuite(r io.Reader, dir string) ([]Case, error) {
	var cases []Case
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	for line := 1; s.Scan(); line++ {
		if len(s.Bytes()) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d of the suite is not a case: %w", line, err)
		}
		if c.ID == "" || c.Question == "" {
			return nil, fmt.Errorf("line %d of the suite has no id or no question", line)
		}
		if c.DBPath != "" && !filepath.IsAbs(c.DBPath) {
			c.DBPath = filepath.Join(dir, c.DBPath)
		}
		cases = append(cases, c)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading the suite: %w", err)
	}
	return cases, nil
}
