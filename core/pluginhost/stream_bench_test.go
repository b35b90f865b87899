//go:build linux

package pluginhost_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/internal/bare"
	"querent.dev/querent/sdk"
)

const (
	// streamTokens is how many tokens a stream has, streamRounds how often each kind of
	// streams is measured, in turns.
	streamTokens = 200
	streamRounds = 4
	// streamLimit is what the slowest token of a hundred may take, as a multiple of a
	// bare one.
	streamLimit = 2
)

// BenchmarkStreams compares how long tokens are under way in 64 streams of 100 tokens
// a second, from a plugin and from a bare program.
func BenchmarkStreams(b *testing.B) {
	h := pluginhost.New(pluginhost.Options{RuntimeDir: shortDir(b)})
	defer h.Close(b.Context())
	i, err := open(b.Context(), h, spec())
	if err != nil {
		b.Fatal(err)
	}
	m, _ := i.Model()
	client, stop := bareClient(b)
	defer stop()
	host := func(ctx context.Context, got func(string)) error {
		return m.GenerateStream(ctx, sdk.GenerateRequest{Model: fmt.Sprint("tokens:", streamTokens)}, func(c sdk.Chunk) error {
			if c.Kind == sdk.ChunkText {
				got(c.Text)
			}
			return nil
		})
	}
	raw := func(ctx context.Context, got func(string)) error {
		return client.Stream(ctx, streamTokens, 10*time.Millisecond, got)
	}
	for b.Loop() {
		var hosts, raws []time.Duration
		for range streamRounds {
			hosts = append(hosts, inStreams(b, host)...)
			raws = append(raws, inStreams(b, raw)...)
		}
		ours, theirs := percentile(hosts, 99), percentile(raws, 99)
		b.ReportMetric(float64(ours)/float64(theirs), "ratio")
		b.ReportMetric(milliseconds(ours), "ms/p99")
		b.ReportMetric(milliseconds(theirs), "ms/p99-bare")
		b.ReportMetric(milliseconds(middle(hosts)), "ms/p50")
		b.ReportMetric(milliseconds(middle(raws)), "ms/p50-bare")
		b.ReportMetric(0, "ns/op")
		if ours > streamLimit*theirs {
			b.Errorf("one token in a hundred takes %v or more, %.2f times a bare one's %v; the limit is %d", ours, float64(ours)/float64(theirs), theirs, streamLimit)
		}
	}
}

// inStreams runs 64 streams at the same time, and returns how long each token took.
func inStreams(b *testing.B, stream func(context.Context, func(string)) error) []time.Duration {
	b.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	for range inParallel {
		wg.Go(func() {
			ages := make([]time.Duration, 0, streamTokens)
			err := stream(b.Context(), func(token string) {
				age, err := bare.Age(token)
				if err != nil {
					b.Error(err)
				}
				ages = append(ages, age)
			})
			if err != nil || len(ages) != streamTokens {
				b.Errorf("%d tokens, %v", len(ages), err)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, ages...)
		})
	}
	wg.Wait()
	return all
}

func percentile(d []time.Duration, p int) time.Duration {
	return slices.Sorted(slices.Values(d))[len(d)*p/100]
}
