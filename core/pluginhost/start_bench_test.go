//go:build linux

package pluginhost_test

import (
	"strconv"
	"syscall"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
)

const (
	// startTurns is how many starts of each kind are measured in turns.
	startTurns = 20
	// readyLimit is what a plugin may take to be ready, with AutoMTLS and its checksum
	// checked, as a multiple of a bare program's start and first call.
	readyLimit = 1.5
)

// BenchmarkReady compares the time until a locked plugin is ready with that of a bare
// program until its first answer, and says what a confined one takes.
func BenchmarkReady(b *testing.B) {
	lock := required(b, config.LockRequire, "test")
	for b.Loop() {
		var hosts, raws, confined []time.Duration
		for range startTurns {
			hosts = append(hosts, untilReady(b, lock))
			raws = append(raws, untilAnswered(b))
			confined = append(confined, untilReady(b, lock, offline))
		}
		ratio := float64(middle(hosts)) / float64(middle(raws))
		b.ReportMetric(ratio, "ratio")
		b.ReportMetric(milliseconds(middle(hosts)), "ms/ready")
		b.ReportMetric(milliseconds(middle(raws)), "ms/bare")
		b.ReportMetric(milliseconds(middle(confined)), "ms/confined")
		b.ReportMetric(0, "ns/op")
		if ratio > readyLimit {
			b.Errorf("a plugin is ready after %v, %.2f times a bare program's %v; the limit is %.1f; a confined one after %v", middle(hosts), ratio, middle(raws), readyLimit, middle(confined))
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// untilReady is how long a plugin of a new host takes to be ready.
func untilReady(b *testing.B, lock *pluginhost.Lock, change ...func(*pluginhost.Spec)) time.Duration {
	b.Helper()
	h := pluginhost.New(pluginhost.Options{RuntimeDir: shortDir(b), Lock: lock})
	took := timed(func() {
		if _, err := open(b.Context(), h, spec(change...)); err != nil {
			b.Fatal(err)
		}
	})
	if err := h.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	return took
}

// untilAnswered is how long a bare program takes to make its first call.
func untilAnswered(b *testing.B) time.Duration {
	b.Helper()
	var stop func()
	took := timed(func() {
		client, end := bareClient(b)
		stop = end
		if _, err := client.Call(b.Context(), 2000, 4); err != nil {
			b.Fatal(err)
		}
	})
	stop()
	return took
}

// BenchmarkCrash prints how long a plugin that was killed is out of service: until a
// call is answered again. The aim is 500 ms, of which 200 ms are the wait before the
// first restart.
func BenchmarkCrash(b *testing.B) {
	for b.Loop() {
		var outages []time.Duration
		for range 5 {
			outages = append(outages, outage(b))
		}
		b.ReportMetric(milliseconds(middle(outages)), "ms/outage")
		b.ReportMetric(0, "ns/op")
	}
}

// outage kills the plugin of a new host, and asks until it answers.
func outage(b *testing.B) time.Duration {
	b.Helper()
	h := pluginhost.New(pluginhost.Options{RuntimeDir: shortDir(b)})
	defer h.Close(b.Context())
	i, err := open(b.Context(), h, spec())
	if err != nil {
		b.Fatal(err)
	}
	m, _ := i.Model()
	dead := i.State().PID
	return timed(func() {
		if err := syscall.Kill(dead, syscall.SIGKILL); err != nil {
			b.Fatal(err)
		}
		for end := time.Now().Add(bound); time.Now().Before(end); time.Sleep(time.Millisecond) {
			r, err := m.Generate(b.Context(), sdk.GenerateRequest{Model: "pid"})
			if err == nil && r.Text != strconv.Itoa(dead) {
				return
			}
		}
		b.Fatal("the plugin did not come back")
	})
}
