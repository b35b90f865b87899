package sdk

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"querent.dev/querent/sdk/reason"
)

func TestPassHandshake(t *testing.T) {
	const handshake = "1|1|unix|/tmp/x|grpc|cert\n"
	for name, c := range map[string]struct{ in, host, stray string }{
		"alone":          {handshake, handshake, ""},
		"prints before":  {"hello\n1|2 apples\n" + handshake, handshake, "hello\n1|2 apples\n"},
		"prints after":   {handshake + "hello", handshake, "hello"},
		"twice":          {handshake + handshake, handshake, handshake},
		"never":          {"1|1|ipx|x|\n", "", "1|1|ipx|x|\n"},
		"nothing":        {"", "", ""},
		"no end of line": {"1|1|tcp|127.0.0.1:1|grpc", "1|1|tcp|127.0.0.1:1|grpc", ""},
	} {
		var host, stray strings.Builder
		passHandshake(strings.NewReader(c.in), &host, &stray)
		if host.String() != c.host || stray.String() != c.stray {
			t.Errorf("%s: the host got %q, stray is %q", name, host.String(), stray.String())
		}
	}
}

func TestLogLines(t *testing.T) {
	long := strings.Repeat("long ", 10<<10)
	var out bytes.Buffer
	log := newLogger(&out, "info")
	log.Debug("not kept")
	log.Info("short", "n", 1)
	log.Info("long", "text", long, "list", []string{long}, "n", 7)
	log.Error(long)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil || len(line) > maxLogLine {
			t.Errorf("%d bytes, %v: %s", len(line), err, line)
		}
		if fields["@level"] == "" || fields["@message"] == "" {
			t.Errorf("no level or message: %s", line)
		}
	}
	if !strings.Contains(lines[1], "(cut)") || !strings.Contains(lines[1], `"n":7`) {
		t.Errorf("got %s", lines[1])
	}
	if _, err := (cappedLines{&out}).Write(bytes.Repeat([]byte("x"), maxLogLine+1)); err != nil {
		t.Error(err)
	}
}

func TestEveryKindHasAStatus(t *testing.T) {
	for _, kind := range reason.Kinds() {
		if _, ok := statusCodes[kind]; !ok {
			t.Errorf("%s has no gRPC code", kind)
		}
	}
	if len(statusCodes) != len(reason.Kinds()) {
		t.Error("a gRPC code is for a kind that does not exist")
	}
}
