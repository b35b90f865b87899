//go:build linux

package pluginhost_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/pluginhost"
)

// TestEnvironment looks at a plugin's environment from inside and from outside.
func TestEnvironment(t *testing.T) {
	t.Setenv("QUERENT_CANARY", "s3cret-canary") // also in the process's own environment
	host := []string{"PATH=/bin:/usr/bin", "HOME=/home/me", "https_proxy=http://p:1", "SECRET=s3cret", "AWS_SECRET_ACCESS_KEY=s3cret", "GOMEMLIMIT=1"}
	w := newWorld(t, func(o *pluginhost.Options) {
		o.Environ = func() []string { return append(slices.Clone(host), os.Environ()...) }
	})
	i, m := w.mustStart(t, settings(`{"mode": "good", "api_key": "s3cret-key"}`),
		func(s *pluginhost.Spec) { s.Env = []string{"EXTRA=1", "EXTRA=2", "HOME=/elsewhere"} })

	outside, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", i.State().PID))
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", i.State().PID))
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{
		"environ": string(outside), "the plugin's own view": mustAsk(t, m, "env"), "cmdline": string(arguments),
	} {
		if strings.Contains(text, "s3cret") || strings.Contains(text, "CANARY") {
			t.Errorf("a secret is in %s: %s", where, text)
		}
	}
	variables := strings.Split(mustAsk(t, m, "env"), "\n")
	for _, want := range []string{"https_proxy=http://p:1", "HOME=/elsewhere", "EXTRA=2", fmt.Sprint("GOMEMLIMIT=", 256<<20)} {
		if !slices.Contains(variables, want) {
			t.Errorf("%s is missing: %v", want, variables)
		}
	}
	for _, variable := range variables {
		name, _, _ := strings.Cut(variable, "=")
		known := []string{"PATH", "HOME", "TZ", "LANG", "https_proxy", "EXTRA", "GOMEMLIMIT", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
			"ALL_PROXY", "http_proxy", "no_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "QUERENT_PLUGIN", "QUERENT_LOG_LEVEL", "QUERENT_HOST_WATCH"}
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "PLUGIN_") && !strings.Contains(name, "CERTIFICATE") && !inCertificate(variable) {
			t.Errorf("the variable %s has no reason to be there", name)
		}
	}
}

// inCertificate recognises the further lines of PLUGIN_CLIENT_CERT.
func inCertificate(line string) bool {
	return line == "" || strings.HasPrefix(line, "-----") || !strings.Contains(strings.TrimRight(line, "="), "=") && !strings.Contains(line, "_")
}
