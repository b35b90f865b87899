// Package client calls a plugin over a gRPC connection and speaks in the types
// of package sdk. Every failure is an *sdk.Error, whatever the transport said:
//
//   - a failure that the plugin reported keeps its kind and details;
//   - a call that the plugin does not offer wraps sdk.ErrUnsupported;
//   - a connection that is lost, or was never there, is kind unavailable;
//   - the end of the caller's context is kind timeout or cancelled;
//   - a request over sdk.MaxMessageBytes is kind invalid_request and is not sent;
//   - a stream that ends without its finish is kind incomplete.
//
// One exception: an error of a send function of the caller's own comes back as
// it is.
package client

import (
	"context"
	"encoding/json"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

// Client is a plugin at the other end of a connection. It is safe for
// concurrent use. It does not own the connection.
type Client struct {
	plugin      pluginv1.PluginClient
	model       pluginv1.ModelClient
	planner     pluginv1.PlannerClient
	synthesizer pluginv1.SynthesizerClient
}

// New uses conn, which the caller keeps and closes.
func New(conn grpc.ClientConnInterface) *Client {
	return &Client{
		plugin:      pluginv1.NewPluginClient(conn),
		model:       pluginv1.NewModelClient(conn),
		planner:     pluginv1.NewPlannerClient(conn),
		synthesizer: pluginv1.NewSynthesizerClient(conn),
	}
}

// Describe asks what the plugin is.
func (c *Client) Describe(ctx context.Context) (sdk.Description, error) {
	m, err := call(ctx, "Describe", c.plugin.Describe, &pluginv1.DescribeRequest{})
	if err != nil {
		return sdk.Description{}, err
	}
	services := make([]sdk.ServiceName, len(m.GetServices()))
	for i, name := range m.GetServices() {
		services[i] = sdk.ServiceName(name)
	}
	return sdk.Description{
		Name: m.GetName(), Version: m.GetVersion(), Commit: m.GetCommit(), Services: services, ConfigSchema: raw(m.GetConfigSchema()),
	}, nil
}

// Configure hands over settings, secrets and files.
func (c *Client) Configure(ctx context.Context, cfg sdk.Configuration) error {
	m := &pluginv1.ConfigureRequest{
		Provider: toproto.Text(cfg.Provider), Settings: toproto.Text(string(cfg.Settings)),
		Files: make(map[string]*pluginv1.FileList, len(cfg.Files)),
	}
	for setting, files := range cfg.Files {
		list := &pluginv1.FileList{}
		for _, f := range files {
			list.Files = append(list.Files, &pluginv1.File{Name: toproto.Text(f.Name), Content: f.Content})
		}
		m.Files[toproto.Text(setting)] = list
	}
	_, err := call(ctx, "Configure", c.plugin.Configure, m)
	return err
}

// Health asks the plugin for its own view of its health.
func (c *Client) Health(ctx context.Context) (sdk.HealthState, error) {
	m, err := call(ctx, "Health", c.plugin.Health, &pluginv1.HealthRequest{})
	if err != nil {
		return sdk.HealthState{}, err
	}
	return sdk.HealthState{OK: m.GetOk(), Message: m.GetMessage()}, nil
}

// Stop asks the plugin to release what it holds. Ending its process is the
// caller's.
func (c *Client) Stop(ctx context.Context) error {
	_, err := call(ctx, "Stop", c.plugin.Stop, &pluginv1.StopRequest{})
	return err
}

// Model is the plugin's Model, which is an sdk.Puller as well. The calls of a
// plugin without one fail with sdk.ErrUnsupported.
func (c *Client) Model() sdk.Model { return model{c.model} }

// Planner is the plugin's Planner. Its call fails with sdk.ErrUnsupported when
// the plugin has none.
func (c *Client) Planner() sdk.Planner { return planner{c.planner} }

// Synthesizer is the plugin's Synthesizer. Its call fails with
// sdk.ErrUnsupported when the plugin has none.
func (c *Client) Synthesizer() sdk.Synthesizer { return synthesizer{c.synthesizer} }

// unary is a generated call.
type unary[Req, Resp any] func(context.Context, Req, ...grpc.CallOption) (Resp, error)

// call makes a unary call with the limits of the protocol. what names it in
// errors.
func call[Req proto.Message, Resp any](ctx context.Context, what string, do unary[Req, Resp], m Req) (Resp, error) {
	var none Resp
	if err := checkSize(what, m); err != nil {
		return none, err
	}
	resp, err := do(ctx, m, grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes))
	if err != nil {
		return none, fromStatus(ctx, what, err)
	}
	return resp, nil
}

func checkSize(what string, m proto.Message) error {
	if size := proto.Size(m); size > sdk.MaxMessageBytes {
		return sdk.Errorf(reason.InvalidRequest, "the request of %d bytes to %s is over the limit of %d bytes", size, what, sdk.MaxMessageBytes)
	}
	return nil
}

func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}
