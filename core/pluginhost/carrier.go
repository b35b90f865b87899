package pluginhost

import (
	"context"

	"google.golang.org/grpc"
)

// carrier is what runs a generation's plugin: a process of the host's own, or one
// that somebody else runs. Its methods may be called concurrently once connect has
// returned.
type carrier interface {
	// connect starts the plugin and connects to it. It calls spawned as soon as
	// there is a process. Its error is a *reason.Error. It is called once.
	connect(ctx context.Context, spawned func()) (*grpc.ClientConn, error)
	// pid is the process's number, 0 when there is none.
	pid() int
	// hasEnded reports whether the plugin is known to have ended.
	hasEnded() bool
	// ended is closed when the plugin has ended and cause is known.
	ended() <-chan struct{}
	// cause is why the plugin ended. It is called after ended is closed only.
	cause() error
	// settle waits, after a connection broke, until it is known whether the plugin
	// has ended.
	settle()
	// kill ends the plugin, or, where it is not the host's, the host's part in it.
	kill()
	// end asks the plugin to end by itself: by stop, its Stop, and then by what else
	// there is. It gives it until ctx ends.
	end(ctx context.Context, stop func(context.Context) error)
	// discard ends the plugin as kill does, waits for its end and frees what the
	// host holds for it.
	discard() error
}
