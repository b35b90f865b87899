package sdk

import (
	"context"
	"encoding/json"

	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
)

// lifecycleServer is the service Plugin over a Lifecycle.
type lifecycleServer struct {
	pluginv1.UnimplementedPluginServer
	plugin Plugin
}

var _ pluginv1.PluginServer = (*lifecycleServer)(nil)

func (s *lifecycleServer) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	d := s.plugin.Lifecycle.Describe()
	return &pluginv1.DescribeResponse{
		Name: toproto.Text(d.Name), Version: toproto.Text(d.Version), Commit: toproto.Text(d.Commit),
		Services: toproto.Texts(s.plugin.services()), ConfigSchema: toproto.Text(string(d.ConfigSchema)),
	}, nil
}

// services are the names of what the plugin offers.
func (p Plugin) services() []ServiceName {
	var names []ServiceName
	if p.Model != nil {
		names = append(names, ServiceModel)
	}
	if p.Planner != nil {
		names = append(names, ServicePlanner)
	}
	if p.Synthesizer != nil {
		names = append(names, ServiceSynthesizer)
	}
	return names
}

func (s *lifecycleServer) Configure(ctx context.Context, m *pluginv1.ConfigureRequest) (*pluginv1.ConfigureResponse, error) {
	c := Configuration{Provider: m.GetProvider(), Settings: json.RawMessage(m.GetSettings()), Files: files(m.GetFiles())}
	return &pluginv1.ConfigureResponse{}, s.plugin.Lifecycle.Configure(ctx, c)
}

func files(m map[string]*pluginv1.FileList) map[string][]File {
	out := make(map[string][]File, len(m))
	for setting, list := range m {
		files := make([]File, len(list.GetFiles()))
		for i, f := range list.GetFiles() {
			files[i] = File{Name: f.GetName(), Content: f.GetContent()}
		}
		out[setting] = files
	}
	return out
}

func (s *lifecycleServer) Health(ctx context.Context, _ *pluginv1.HealthRequest) (*pluginv1.HealthResponse, error) {
	h := s.plugin.Lifecycle.Health(ctx)
	return &pluginv1.HealthResponse{Ok: h.OK, Message: toproto.Text(h.Message)}, nil
}

func (s *lifecycleServer) Stop(ctx context.Context, _ *pluginv1.StopRequest) (*pluginv1.StopResponse, error) {
	return &pluginv1.StopResponse{}, s.plugin.Lifecycle.Stop(ctx)
}
