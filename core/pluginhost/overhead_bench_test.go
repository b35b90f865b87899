//go:build linux

package pluginhost_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/internal/bare"
	"querent.dev/querent/sdk"
)

const (
	// callPairs is how many calls of each kind are measured in turns.
	callPairs = 4000
	// callWarmUp is how many pairs are made before.
	callWarmUp = 400
	// callLimit is what a call may take, as a multiple of a bare one.
	callLimit = 1.3
)

// BenchmarkGenerate compares a call through the host with a call of a bare
// go-plugin program, whose messages have the same size, in the same run.
func BenchmarkGenerate(b *testing.B) {
	for _, size := range []struct{ prompt, answer int }{{500, 200}, {2000, 4000}, {20000, 1500}} {
		b.Run(fmt.Sprintf("prompt=%d/answer=%d", size.prompt, size.answer), func(b *testing.B) {
			host := hostCall(b, size.prompt, size.answer)
			raw := bareCall(b, size.prompt, size.answer)
			for b.Loop() {
				compare(b, host, raw)
			}
		})
	}
}

func compare(b *testing.B, host, raw func()) {
	var hosts, raws []time.Duration
	for i := range callWarmUp + callPairs {
		h, r := timed(host), timed(raw)
		if i >= callWarmUp {
			hosts, raws = append(hosts, h), append(raws, r)
		}
	}
	ratio := float64(middle(hosts)) / float64(middle(raws))
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(float64(middle(hosts).Nanoseconds())/1e3, "µs/call")
	b.ReportMetric(float64(middle(raws).Nanoseconds())/1e3, "µs/bare")
	b.ReportMetric(0, "ns/op")
	if ratio > callLimit {
		b.Errorf("a call takes %v, %.2f times a bare one's %v; the limit is %.1f", middle(hosts), ratio, middle(raws), callLimit)
	}
}

func timed(call func()) time.Duration {
	began := time.Now()
	call()
	return time.Since(began)
}

func middle(d []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(d))[len(d)/2]
}

// hostCall is a call of Generate as the host makes it: a prompt of two messages
// with a schema, which together have so many bytes.
func hostCall(b *testing.B, prompt, answer int) func() {
	b.Helper()
	h := pluginhost.New(pluginhost.Options{RuntimeDir: shortDir(b)})
	b.Cleanup(func() {
		if err := h.Close(b.Context()); err != nil {
			b.Error(err)
		}
	})
	i, err := open(b.Context(), h, spec())
	if err != nil {
		b.Fatal(err)
	}
	m, _ := i.Model()
	temperature := 0.0
	part := strings.Repeat("x", prompt/4)
	request := sdk.GenerateRequest{
		RequestID: "r", Model: strconv.Itoa(answer), OutputMode: sdk.OutputSchema, SchemaName: "plan",
		Schema: json.RawMessage(part), MaxOutputTokens: 1500, Temperature: &temperature,
		Messages: []sdk.Message{{Role: sdk.RoleSystem, Content: part + part}, {Role: sdk.RoleUser, Content: part}},
	}
	return func() {
		if r, err := m.Generate(b.Context(), request); err != nil || len(r.Text) != answer {
			b.Fatalf("%d bytes, %v", len(r.Text), err)
		}
	}
}

func bareCall(b *testing.B, request, response int) func() {
	b.Helper()
	client, stop := bareClient(b)
	b.Cleanup(stop)
	return func() {
		if n, err := client.Call(b.Context(), request, response); err != nil || n != response {
			b.Fatalf("%d bytes, %v", n, err)
		}
	}
}

// bareClient starts the bare program, with AutoMTLS as the host does.
func bareClient(b *testing.B) (_ *bare.Client, stop func()) {
	b.Helper()
	s := spec(behaving(b, "bare"))
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: bare.Handshake, Plugins: bare.Plugins(), Cmd: exec.Command(s.Path), AutoMTLS: s.TLS,
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC}, Logger: hclog.NewNullLogger(),
	})
	protocol, err := client.Client()
	if err != nil {
		b.Fatal(err)
	}
	dispensed, err := protocol.Dispense(bare.Name)
	if err != nil {
		b.Fatal(err)
	}
	return dispensed.(*bare.Client), client.Kill
}
