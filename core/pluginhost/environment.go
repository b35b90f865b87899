package pluginhost

import (
	"fmt"
	"strings"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/sdk"
)

// passedOn are the host's variables that every plugin gets: what programs need
// to find others, to tell the time, and to reach the network through a company's
// proxy with a company's certificates. Everything else is named in the
// configuration.
var passedOn = []string{
	"PATH", "HOME", "TZ", "LANG",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
	"http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR",
}

// environment is the whole environment of a plugin but for the variables that
// go-plugin adds. Each name stands once; the later of two wins.
func environment(host, extra []string, memoryLimit int64, level hclog.Level) []string {
	env := pick(host, passedOn)
	env = append(env, fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit))
	env = append(env, extra...)
	env = append(env,
		sdk.EnvLogLevel+"="+strings.ToLower(level.String()),
		sdk.EnvHostWatch+"="+sdk.HostWatchStdin,
	)
	return lastWins(env)
}

// softMemory is the soft limit of the plugin's heap: the host's, or less where the
// plugin's own hard limit would come first. Go takes memory from the system in steps
// of 64 MiB, so a quarter is left for what is taken and not used.
func (s Spec) softMemory(host int64) int64 {
	if s.Confine == nil || s.Confine.Limits.Memory == 0 {
		return host
	}
	return min(host, s.Confine.Limits.Memory/4*3)
}

func pick(env, names []string) []string {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var out []string
	for _, variable := range env {
		if name, _, _ := strings.Cut(variable, "="); wanted[name] {
			out = append(out, variable)
		}
	}
	return out
}

func lastWins(env []string) []string {
	at := map[string]int{}
	var out []string
	for _, variable := range env {
		name, _, _ := strings.Cut(variable, "=")
		if n, ok := at[name]; ok {
			out[n] = variable
			continue
		}
		at[name] = len(out)
		out = append(out, variable)
	}
	return out
}
