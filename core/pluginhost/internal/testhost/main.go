// Command testhost starts the plugin that its first argument names, confined as the
// third says, prints the
// plugin's process id, and waits to be killed. It exists for the tests of package
// pluginhost.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/confine"
)

// confinements are those that the third argument may name.
var confinements = map[string]*pluginhost.Confinement{
	"offline": {Network: confine.NetworkNone, Files: &confine.Files{}},
	"counted": {Limits: confine.Limits{Processes: 100}},
}

func main() {
	confine.Enter()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	host := pluginhost.New(pluginhost.Options{RuntimeDir: os.Args[2]})
	set, err := host.Open(ctx, []pluginhost.Spec{{
		Provider: "local", Plugin: "test", Path: os.Args[1], TLS: true, Settings: json.RawMessage(`{"mode": "good"}`),
		Confine: confinements[strings.Join(os.Args[3:], "")],
	}}, pluginhost.OpenOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	i, err := set.Instance("local")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, i.State().PID)
	time.Sleep(time.Minute)
}
