//go:build linux

package pluginhost_test

import (
	"os"
	"strings"
	"testing"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk/reason"
)

func TestSettingsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		says     []string
	}{
		"not JSON":        {`{`, []string{"not JSON"}},
		"missing":         {`{}`, []string{"config lacks mode"}},
		"none":            {``, []string{"config lacks mode"}},
		"wrong type":      {`{"mode": 3}`, []string{"config.mode is number, expected string"}},
		"not in the set":  {`{"mode": "s3cret"}`, []string{"config.mode must be one of good, unhealthy"}},
		"unknown":         {`{"mode": "good", "modle": 1}`, []string{"config holds the unknown setting modle"}},
		"too short":       {`{"mode": "good", "api_key": "s3cret"}`, []string{"config.api_key must have at least 8 characters"}},
		"two at once":     {`{"mode": 1, "nested": 2}`, []string{"config.mode", "config.nested is number, expected object"}},
		"unreadable file": {`{"mode": "good", "nested": {"one": "gone"}}`, []string{"config.nested.one", "gone", "file does not exist"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.start(t, settings(c.settings), func(s *pluginhost.Spec) {
				s.ReadFile = func(name string) ([]byte, error) { return nil, os.ErrNotExist }
			})
			e := reason.From(err)
			if e == nil || e.Reason != reason.Reason(reason.Misconfigured) {
				t.Fatalf("got %v", err)
			}
			for _, part := range append(c.says, `provider "local"`) {
				if !strings.Contains(e.SafeMessage, part) {
					t.Errorf("the safe message lacks %q: %s", part, e.SafeMessage)
				}
			}
			if strings.Contains(e.Message, "s3cret") {
				t.Errorf("a value is in the message: %s", e.Message)
			}
		})
	}
}

func TestSettingsAndFilesArrive(t *testing.T) {
	w := newWorld(t)
	_, m := w.mustStart(t,
		settings(`{"mode": "good", "api_key": "12345678", "packs": ["a.yaml", "b.yaml"], "nested": {"one": "c"}}`),
		func(s *pluginhost.Spec) {
			s.ReadFile = func(name string) ([]byte, error) { return []byte("content of " + name), nil }
		})
	got := mustAsk(t, m, "files")
	for _, part := range []string{"local", "12345678", "packs:[{a.yaml", "{b.yaml", "nested.one:[{c"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing: %s", part, got)
		}
	}
	if strings.Contains(w.log.String(), "12345678") {
		t.Error("a secret is in the log")
	}
}
