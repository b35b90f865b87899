package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/reason"
)

func lifecycleChecks() []check {
	return []check{
		{name: "describe/name_and_version", promise: "Describe names the plugin and its version", run: nameAndVersion},
		{name: "describe/settings_schema", promise: "the schema of the settings is an object's, in valid JSON Schema that refers to nothing outside of it", run: settingsSchema},
		{name: "describe/services", promise: "Describe lists the services that answer, and no other answers", run: services},
		{name: "describe/same_when_configured", promise: "Describe says the same before and after Configure", run: sameWhenConfigured},
		{name: "configure/settings", promise: "Configure takes good settings, and Health then says that all is well", run: goodSettings},
		{name: "configure/bad_settings", promise: "settings that are no JSON object, or hold a value of the wrong type, are of kind misconfigured", run: badSettings},
		{name: "configure/typed_error", promise: "the error of Configure is a gRPC status with an ErrorDetail", run: typedConfigureError},
		{name: "configure/not_before", promise: "a service that is called before Configure is an error, and does not end the plugin", run: callBeforeConfigure},
		{name: "health/calls_no_server", promise: "Health asks no server", fake: true, run: healthCallsNoServer},
		{name: "stop/twice", promise: "Stop succeeds, also a second time and before Configure", run: stopTwice},
		{name: "calls/unknown", promise: "a call or service that does not exist is UNIMPLEMENTED", run: unknownCalls},
	}
}

func nameAndVersion(_ context.Context, s *session) error {
	d := s.description
	if d.Name == "" || d.Version == "" {
		return fmt.Errorf("the name is %q and the version %q", d.Name, d.Version)
	}
	return nil
}

// noLoader keeps a schema from making the kit read files or servers.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, and only itself may be referred to", url)
}

func settingsSchema(_ context.Context, s *session) error {
	raw := s.description.ConfigSchema
	if len(raw) == 0 {
		return errors.New("there is none; a plugin without settings gives the schema of an empty object")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("the schema is no JSON: %w", err)
	}
	const url = "querent:///settings.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(url, doc); err != nil {
		return err
	}
	if _, err := compiler.Compile(url); err != nil {
		return err
	}
	if top, _ := doc.(map[string]any); top["type"] != "object" {
		return fmt.Errorf("the schema's type is %v; settings are an object", top["type"])
	}
	return nil
}

// service is a call by which a service shows that it is there.
var serviceCalls = []struct {
	service sdk.ServiceName
	call    func(context.Context, *plugin, string) error
}{
	{sdk.ServiceModel, func(ctx context.Context, p *plugin, model string) error {
		_, err := p.Model().ModelInfo(ctx, model)
		return err
	}},
	{sdk.ServicePlanner, func(ctx context.Context, p *plugin, _ string) error {
		_, err := p.Planner().Plan(ctx, planRequest("How many riders?"))
		return err
	}},
	{sdk.ServiceSynthesizer, func(ctx context.Context, p *plugin, _ string) error {
		_, err := p.Synthesizer().Synthesize(ctx, sdk.SynthesizeRequest{Outcome: outcomes()[0], Language: "en"})
		return err
	}},
}

func services(ctx context.Context, s *session) error {
	if len(s.description.Services) == 0 {
		return errors.New("it lists none: the host could make nothing of the plugin")
	}
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	known := map[sdk.ServiceName]bool{}
	for _, c := range serviceCalls {
		known[c.service] = true
		err := c.call(ctx, p, s.target.Model)
		missing := errors.Is(err, sdk.ErrUnsupported)
		if listed := offers(s.description, c.service); listed == missing {
			return fmt.Errorf("%s: listed is %v, and a call to it says: %v", c.service, listed, err)
		}
	}
	for _, name := range s.description.Services {
		if !known[name] {
			return fmt.Errorf("it lists %q, which is no service", name)
		}
	}
	return nil
}

func sameWhenConfigured(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	again, err := p.Describe(ctx)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(s.description, again) {
		return fmt.Errorf("before: %s; after: %s", inWords(s.description), inWords(again))
	}
	return nil
}

func inWords(d sdk.Description) string {
	return fmt.Sprintf("%s %s %s, services %v, schema %s", d.Name, d.Version, d.Commit, d.Services, d.ConfigSchema)
}

func goodSettings(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	health, err := p.Health(ctx)
	if err != nil {
		return err
	}
	if !health.OK {
		return fmt.Errorf("Health says: %s", health.Message)
	}
	return nil
}

func badSettings(ctx context.Context, s *session) error {
	for _, bad := range append([]string{`{"unfinished":`, `["a", "list"]`, `"a text"`}, wronglyTyped(s.description.ConfigSchema)...) {
		p, err := s.open(ctx)
		if err != nil {
			return err
		}
		err = p.Configure(ctx, sdk.Configuration{Provider: "conformance", Settings: json.RawMessage(bad)})
		if err := wantKind(err, reason.Misconfigured); err != nil {
			return fmt.Errorf("the settings %s: %w", bad, err)
		}
	}
	return nil
}

// wronglyTyped are settings with one value that the schema's own types refuse:
// at most one, for the first such setting in the order of names.
func wronglyTyped(schema json.RawMessage) []string {
	var doc struct {
		Properties map[string]struct{ Type any }
	}
	if json.Unmarshal(schema, &doc) != nil {
		return nil
	}
	wrong := map[any]string{"string": "12", "integer": `"many"`, "number": `"many"`, "boolean": `"perhaps"`, "array": `{"a":1}`, "object": `"none"`}
	for _, name := range sorted(doc.Properties) {
		if value, ok := wrong[doc.Properties[name].Type]; ok {
			quoted, err := json.Marshal(name)
			if err != nil {
				return nil
			}
			return []string{"{" + string(quoted) + ":" + value + "}"}
		}
	}
	return nil
}

func typedConfigureError(ctx context.Context, s *session) error {
	p, err := s.open(ctx)
	if err != nil {
		return err
	}
	_, err = pluginv1.NewPluginClient(p.conn.Conn).Configure(ctx, &pluginv1.ConfigureRequest{Settings: "[]"})
	if err == nil {
		return errors.New("settings that are a list were taken")
	}
	for _, d := range status.Convert(err).Details() {
		if detail, ok := d.(*pluginv1.ErrorDetail); ok && detail.GetKind() == pluginv1.ErrorKind_ERROR_KIND_MISCONFIGURED {
			return nil
		}
	}
	return fmt.Errorf("the status %v has no ErrorDetail of kind misconfigured", err)
}

func callBeforeConfigure(ctx context.Context, s *session) error {
	p, err := s.open(ctx)
	if err != nil {
		return err
	}
	for _, c := range serviceCalls {
		if !offers(s.description, c.service) {
			continue
		}
		// A plugin that needs no settings may answer.
		err := c.call(ctx, p, s.target.Model)
		if kind := sdk.KindOf(err); err != nil && (kind == reason.InternalProvider || kind == reason.Unavailable) {
			return fmt.Errorf("%s: the error is %w; the kind misconfigured says what is wrong", c.service, err)
		}
	}
	_, err = p.Describe(ctx)
	return err
}

func healthCallsNoServer(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	before := len(p.server.Requests())
	if _, err := p.Health(ctx); err != nil {
		return err
	}
	if after := len(p.server.Requests()); after > before {
		return fmt.Errorf("the model server was asked for %s; it may be slow or down, and the plugin would be restarted for it", p.server.Requests()[before].Path)
	}
	return nil
}

func stopTwice(ctx context.Context, s *session) error {
	fresh, err := s.open(ctx)
	if err != nil {
		return err
	}
	if err := fresh.Stop(ctx); err != nil {
		return fmt.Errorf("before Configure: %w", err)
	}
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	for _, when := range []string{"the first time", "the second time"} {
		if err := p.Stop(ctx); err != nil {
			return fmt.Errorf("%s: %w", when, err)
		}
	}
	return nil
}

func unknownCalls(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	for _, method := range []string{"/querent.plugin.v1.Plugin/Levitate", "/querent.plugin.v9.Model/Generate"} {
		err := p.conn.Conn.Invoke(ctx, method, &pluginv1.HealthRequest{}, &pluginv1.HealthResponse{})
		if code := status.Code(err); code != codes.Unimplemented {
			return fmt.Errorf("%s: the code is %s", method, code)
		}
	}
	return nil
}
