package pluginhost

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/sdk"
)

func TestDeathList(t *testing.T) {
	policy := Options{}.withDefaults().Restart
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		after []time.Duration // of each death, from the one before
		waits []time.Duration // longest wait for each; 0: failed
	}{
		"at once": {
			[]time.Duration{0, 1, 1, 1, 1},
			[]time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 0},
		},
		"slowly": {
			[]time.Duration{0, 20 * time.Second, 20 * time.Second, 20 * time.Second, 20 * time.Second, 20 * time.Second, 20 * time.Second, 20 * time.Second, 20 * time.Second},
			[]time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 3200 * time.Millisecond, 6400 * time.Millisecond, 12800 * time.Millisecond, 25600 * time.Millisecond, 30 * time.Second},
		},
		"with a quiet time": {
			[]time.Duration{0, 1, 1, 1, 2 * time.Minute, 1},
			[]time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var d deathList
			now := start
			for n, after := range c.after {
				now = now.Add(after)
				wait, again := d.next(now, policy)
				longest := c.waits[n]
				if again != (longest > 0) || wait < longest/2 || wait > longest {
					t.Errorf("death %d: waits %v, goes on %v; want up to %v", n+1, wait, again, longest)
				}
			}
		})
	}
}

func TestEnvironmentOrder(t *testing.T) {
	got := environment([]string{"PATH=/bin", "SECRET=x", "HOME=/a", "TZ"}, []string{"HOME=/b", "GOMEMLIMIT=1", "X=1", "QUERENT_LOG_LEVEL=trace"}, 5, hclog.Warn)
	want := "PATH=/bin HOME=/b TZ GOMEMLIMIT=1 X=1 QUERENT_LOG_LEVEL=warn QUERENT_HOST_WATCH=stdin"
	if strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestDocumentedEnvironment holds the page for plugin authors to the code.
func TestDocumentedEnvironment(t *testing.T) {
	page, err := os.ReadFile("../../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := "`" + strings.Join(passedOn, "`, `") + "`"
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), quoted) {
		t.Errorf("docs/plugins.md does not list %s", quoted)
	}
	for _, name := range []string{sdk.MagicCookieKey, sdk.MagicCookieValue, sdk.EnvLogLevel, sdk.EnvHostWatch, fmt.Sprintf("1|%d|unix|", sdk.ProtocolVersion)} {
		if !strings.Contains(string(page), name) {
			t.Errorf("docs/plugins.md does not say %s", name)
		}
	}
}

func TestLogLines(t *testing.T) {
	for _, c := range []struct{ in, logged, last string }{
		{`{"@level":"warn","@message":"m","@module":"x","b":2,"a":"x"}`, "[WARN]  m: a=x b=2\n", ""},
		{`{"@level":"error","@message":"m"}`, "[ERROR] m\n", "m"},
		{`{"@level":"info","@message":42}`, "[DEBUG] {\"@level\":\"info\",\"@message\":42}\n", `{"@level":"info","@message":42}`},
		{`{"@level":"loud","@message":"m"}`, "[DEBUG] {\"@level\":\"loud\",\"@message\":\"m\"}\n", `{"@level":"loud","@message":"m"}`},
		{"plain\n\n \r\nlast", "[DEBUG] plain\n[DEBUG] last\n", "last"},
		{"panic: boo\n\ngoroutine 1 [running]:", "[ERROR] panic: boo\n[ERROR] goroutine 1 [running]:\n", "panic: boo"},
		{strings.Repeat("x", maxLogLine+5) + "\nnext", "[DEBUG] " + strings.Repeat("x", maxLogLine) + "\n[DEBUG] next\n", "next"},
	} {
		var out strings.Builder
		l := &logLines{redact: strings.Clone, logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: &out, DisableTime: true})}
		l.copy(strings.NewReader(c.in))
		if out.String() != c.logged || l.last() != c.last {
			t.Errorf("%.80q: logged %.200q, last %q", c.in, out.String(), l.last())
		}
	}
}

// FuzzLogLine gives the host lines of a plugin that is not to be trusted.
func FuzzLogLine(f *testing.F) {
	f.Add([]byte(`{"@level":"info","@message":"m","@timestamp":7,"a":[1,{}]}`))
	f.Add([]byte("1|1|unix|/tmp/x|grpc|"))
	f.Add([]byte("{\"@message\":null}\xff"))
	f.Fuzz(func(t *testing.T, line []byte) {
		var out strings.Builder
		l := &logLines{redact: strings.Clone, logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: &out})}
		if _, err := l.Write(line); err != nil {
			t.Error(err)
		}
		if out.Len() == 0 && strings.TrimSpace(string(line)) != "" {
			t.Errorf("%q was dropped", line)
		}
		if last := l.last(); len(last) > 4*maxQuoted {
			t.Errorf("%d bytes are quoted", len(last))
		}
		handshakeVersion(string(line))
	})
}
