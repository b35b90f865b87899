//go:build databases

package crossdialect_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPlans runs the plans of testdata/plans.txt: one a line, in wire form or as
// the shorthand "FROM : WHERE : ITEM ; ITEM …", which orders by the key. They
// cover every function, operator, join, clause, window and set operation.
func TestPlans(t *testing.T) {
	all := engines(t)
	for _, line := range planLines(t) {
		out, err := run(all, line.plan, time.UTC)
		if err != nil {
			t.Errorf("line %d: %v\n%s", line.number, err, line.plan)
			continue
		}
		if d := differences(out, strings.Contains(line.plan, `"order"`)); d != "" {
			t.Errorf("line %d: %s\n%s", line.number, line.plan, d)
		}
	}
}

type planLine struct {
	number int
	plan   string
}

func planLines(t *testing.T) []planLine {
	t.Helper()
	f, err := os.Open("testdata/plans.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []planLine
	scan := bufio.NewScanner(f)
	for number := 1; scan.Scan(); number++ {
		line := strings.TrimSpace(scan.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "{") {
			line = longForm(line)
		}
		out = append(out, planLine{number, line})
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// longForm makes a plan of the shorthand.
func longForm(line string) string {
	parts := strings.SplitN(line, " : ", 3)
	for len(parts) < 3 {
		parts = append([]string{"samples", ""}, parts[len(parts)-1])
	}
	items := []string{`"id"`}
	for i, item := range strings.Split(parts[2], " ; ") {
		items = append(items, quoteJSON(strings.TrimSpace(item)+" as x"+string(rune('a'+i))))
	}
	return `{"from": ` + quoteJSON(parts[0]) + `, "where": ` + quoteJSON(strings.TrimSpace(parts[1])) + `, "select": [` + strings.Join(items, ", ") + `], "order": ["id"]}`
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
