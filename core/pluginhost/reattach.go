package pluginhost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
)

// ReattachVariable is the variable of the host's environment that holds a plugin's
// Reattach.
func ReattachVariable(plugin config.PluginName) string {
	return sdk.ReattachPrefix + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(string(plugin)))
}

// ParseReattach reads the form that a plugin prints which was started by hand.
func ParseReattach(text string) (*config.Reattach, error) {
	var r config.Reattach
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return nil, fmt.Errorf("it is not the JSON that a plugin prints for it: %w", err)
	}
	return &r, checkReattach(&r)
}

func checkReattach(r *config.Reattach) error {
	switch {
	case r.Protocol != "" && r.Protocol != "grpc":
		return errors.New("its Protocol is not grpc")
	case r.ProtocolVersion != 0 && r.ProtocolVersion != sdk.ProtocolVersion:
		return fmt.Errorf("its ProtocolVersion is %d, and this host speaks version %d", r.ProtocolVersion, sdk.ProtocolVersion)
	case r.Addr.Network != "unix" && r.Addr.Network != "tcp" || r.Addr.String == "":
		return errors.New("its Addr is not that of a unix or a tcp listener")
	}
	return nil
}

// carrierOf is what is to run the plugin: the one that runs already where there is
// one, else a process of what was prepared.
func (h *Host) carrierOf(ctx context.Context, s Spec, p *prepared) (carrier, error) {
	if s.inProcess != nil {
		return s.inProcess(), nil
	}
	if s.Reattach != nil {
		r, err := h.reattach(ctx, s)
		if err == nil {
			h.opts.Logger.Warn("a plugin is used that the host did not start", "provider", s.Provider, "plugin", s.Plugin, "pid", s.Reattach.Pid, "address", s.Reattach.Addr.String)
			return r, nil
		}
		h.opts.Logger.Warn("the plugin to reattach to is not there: starting one", "provider", s.Provider, "plugin", s.Plugin,
			"pid", s.Reattach.Pid, "address", s.Reattach.Addr.String, "error", err)
	}
	if s.DevOverride {
		h.opts.Logger.Warn("a plugin's dev override runs, which no lock file checks", "provider", s.Provider, "plugin", s.Plugin, "path", s.Path)
	}
	return h.newProcess(s, p)
}

// reattached carries a generation at a plugin that the host did not start. The host
// never ends it: its number may by now be another program's.
type reattached struct {
	spec Spec
	conn *grpc.ClientConn
	gone chan struct{}
	once sync.Once
}

var _ carrier = (*reattached)(nil)

// reattach connects to the plugin that the Spec names, and sees that it is one.
func (h *Host) reattach(ctx context.Context, s Spec) (*reattached, error) {
	target := s.Reattach.Addr.String
	if s.Reattach.Addr.Network == "unix" {
		target = "unix:" + target
	}
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()), messageLimits())
	if err != nil {
		return nil, err
	}
	g := &generation{spec: s, opts: h.opts, carrier: &reattached{spec: s, conn: conn, gone: make(chan struct{})}}
	if err = g.connect(ctx, func(StateName, int) {}); err == nil {
		err = g.describe(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return g.carrier.(*reattached), nil
}

func (r *reattached) connect(_ context.Context, spawned func()) (*grpc.ClientConn, error) {
	spawned()
	return r.conn, nil
}

func (r *reattached) pid() int { return r.spec.Reattach.Pid }

func (r *reattached) hasEnded() bool {
	select {
	case <-r.gone:
		return true
	default:
		return false
	}
}

func (r *reattached) ended() <-chan struct{} { return r.gone }

func (r *reattached) cause() error { return errors.New("the host let go of it") }

// settle does not wait: what has become of the plugin is for its health checks to
// find out.
func (r *reattached) settle() {}

func (r *reattached) kill() { r.once.Do(func() { close(r.gone) }) }

// end leaves the plugin as it is: the next host may use it.
func (r *reattached) end(context.Context, func(context.Context) error) {}

func (r *reattached) discard() error {
	r.kill()
	return r.conn.Close()
}
