//go:build linux

package pluginhost_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
)

// inParallel is how many calls a plugin is under load of.
const inParallel = 64

// BenchmarkMemory prints what a plugin takes of memory that no other process shares
// (PSS), idle and under load: the aims are 20 MB and 64 MB. The smallest plugin is the
// one whose calls return at once.
func BenchmarkMemory(b *testing.B) {
	h := pluginhost.New(pluginhost.Options{RuntimeDir: shortDir(b)})
	defer h.Close(b.Context())
	for b.Loop() {
		i, err := open(b.Context(), h, spec(func(s *pluginhost.Spec) { s.Provider = config.ProviderName(fmt.Sprint("p", time.Now().UnixNano())) }))
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Second) // what the start needed is given back
		idle := memory(b, i.State().PID)
		load(b, i, 200)
		b.ReportMetric(idle["Rss"], "MB-RSS/idle")
		b.ReportMetric(idle["Pss"], "MB-PSS/idle")
		loaded := memory(b, i.State().PID)
		b.ReportMetric(loaded["Rss"], "MB-RSS/loaded")
		b.ReportMetric(loaded["Pss"], "MB-PSS/loaded")
		b.ReportMetric(0, "ns/op")
	}
}

// load makes calls of 2 KB with answers of 4 KB, many at a time.
func load(b *testing.B, i *pluginhost.Instance, rounds int) {
	b.Helper()
	m, _ := i.Model()
	request := sdk.GenerateRequest{Model: "4000", Messages: []sdk.Message{{Role: sdk.RoleUser, Content: string(make([]byte, 2000))}}}
	var wg sync.WaitGroup
	for range inParallel {
		wg.Go(func() {
			for range rounds {
				if _, err := m.Generate(b.Context(), request); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

var rollup = regexp.MustCompile(`(?m)^(Rss|Pss): +(\d+) kB$`)

// memory is a process's, in MB.
func memory(b *testing.B, pid int) map[string]float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	out := map[string]float64{}
	for _, found := range rollup.FindAllStringSubmatch(string(text), -1) {
		kib, err := strconv.Atoi(found[2])
		if err != nil {
			b.Fatal(err)
		}
		out[found[1]] = float64(kib) * 1024 / 1e6
	}
	return out
}
