package config_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
)

func TestServerSettings(t *testing.T) {
	for name, c := range map[string]struct{ server, want string }{
		"loopback":            {`{listen: "127.0.0.1:9000"}`, ""},
		"loopback by name":    {`{listen: "localhost:0"}`, ""},
		"loopback of IPv6":    {`{listen: "[::1]:80"}`, ""},
		"the rest":            {`{api_keys: keys.yaml, max_runs: 3, max_body: 1MiB, drain_timeout: 5s}`, ""},
		"all addresses":       {`{listen: ":8080"}`, "server.listen: :8080 can be reached from other machines"},
		"a real address":      {`{listen: "10.0.0.4:8080"}`, "server.listen: 10.0.0.4:8080 can be reached"},
		"a name":              {`{listen: "localhost.example:8080"}`, "server.listen: localhost.example:8080 can be reached"},
		"behind a proxy":      {`{listen: ":8080", insecure_listen: true}`, ""},
		"with TLS":            {`{listen: ":8443", tls: {cert: c.pem, key: k.pem}}`, ""},
		"half of TLS":         {`{listen: ":8443", tls: {cert: c.pem}}`, "server.tls: key is missing"},
		"other half of TLS":   {`{tls: {key: k.pem}}`, "server.tls: cert is missing"},
		"contradiction":       {`{insecure_listen: true, tls: {cert: c.pem, key: k.pem}}`, "server.insecure_listen: contradicts tls"},
		"no port":             {`{listen: "127.0.0.1"}`, `server.listen: "127.0.0.1" is no address`},
		"a port by name":      {`{listen: "127.0.0.1:http"}`, "is no address"},
		"a port out of range": {`{listen: "127.0.0.1:70000"}`, "is no address"},
		"no time to drain":    {`{drain_timeout: 0s}`, "server.drain_timeout: 0s leaves no time"},
		"no runs":             {`{max_runs: 0}`, "server.max_runs"},
		"OIDC":                {`{oidc: {issuer: "https://id.example"}}`, "server.oidc: is not supported by this version"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, _, err := config.Parse("q.yaml", []byte("version: 1\nserver: "+c.server+"\n"))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %s", err, c.want)
			case c.want == "" && (cfg.Server.MaxRuns == 0 || cfg.Server.MaxBody == 0 || cfg.Server.DrainTimeout == 0 || cfg.Server.Listen == ""):
				t.Errorf("not complete: %+v", cfg.Server)
			}
		})
	}
}
