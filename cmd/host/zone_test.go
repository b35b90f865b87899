package main

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
)

// The hours of a column that holds milliseconds are those of the configured zone.
func TestZoneReachesTheSQL(t *testing.T) {
	plan := `{"from":"payments","group":["hour(paid_at)"],"select":["hour(paid_at) as hour","count(*) as payments"]}`
	cloud := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text(plan))})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	byHour := func(zone string) map[int]string {
		path := i.configure(t, "cloud")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Appendf(text, "settings: {time: {zone: %s}}\n", zone)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		got := i.ask(t, path, "payments by hour")
		if got.exit != 0 {
			t.Fatalf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
		}
		out := map[int]string{}
		for _, row := range got.rows {
			hour, ok := row[0].(float64)
			if !ok {
				t.Fatalf("hour %v", row[0])
			}
			n, err := json.Marshal(row[1])
			if err != nil {
				t.Fatal(err)
			}
			out[int(hour)] = string(n)
		}
		return out
	}
	utc, seoul := byHour("UTC"), byHour("Asia/Seoul")
	if len(utc) < 3 {
		t.Fatalf("only %d hours", len(utc))
	}
	for hour, n := range utc {
		if at := (hour + 9) % 24; seoul[at] != n {
			t.Errorf("%s payments at %d:00 UTC, but %q at %d:00 in Seoul", n, hour, seoul[at], at)
		}
	}
}
