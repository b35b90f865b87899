package pluginhost

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"querent.dev/querent/sdk"
)

// InProcess makes s run the plugin in the test's own process.
func InProcess(s *Spec, plugin func() sdk.Plugin) {
	s.inProcess = func() carrier {
		return &inProcess{server: sdk.NewServer(plugin()), gone: make(chan struct{})}
	}
}

// inProcess carries a generation in a server of this process.
type inProcess struct {
	server *grpc.Server
	conn   *grpc.ClientConn
	once   sync.Once
	gone   chan struct{}
}

var _ carrier = (*inProcess)(nil)

func (c *inProcess) connect(_ context.Context, spawned func()) (*grpc.ClientConn, error) {
	listener := bufconn.Listen(1 << 20)
	go func() {
		defer c.once.Do(func() { close(c.gone) })
		_ = c.server.Serve(listener) // ends with the server
	}()
	spawned()
	var err error
	c.conn, err = grpc.NewClient("passthrough:in-process", grpc.WithTransportCredentials(insecure.NewCredentials()), messageLimits(),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	return c.conn, err
}

func (c *inProcess) pid() int { return os.Getpid() }

func (c *inProcess) hasEnded() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

func (c *inProcess) ended() <-chan struct{} { return c.gone }

func (c *inProcess) cause() error { return errors.New("its server stopped") }

func (c *inProcess) settle() {}

func (c *inProcess) kill() { c.server.Stop() }

func (c *inProcess) end(ctx context.Context, stop func(context.Context) error) {
	_ = stop(ctx) // discard follows in any case
}

func (c *inProcess) discard() error {
	c.kill()
	<-c.gone
	return c.conn.Close()
}
