// Command querent answers questions about databases from the command line.
//
// It holds commands and wiring only: what the engine does is in core.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // settings.time.zone must not depend on what is installed

	"querent.dev/querent/core/pluginhost/confine"
)

func main() {
	confine.Enter() // first: started to confine a plugin, this program becomes the plugin
	tuneMemory()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// The first signal cancels the run, which still explains itself. A second
	// one finds the default handling restored and ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
