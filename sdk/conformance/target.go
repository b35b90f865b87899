// Package conformance is the kit with which a plugin is checked: that it keeps
// the contracts of the protocol, and that it makes the right thing of what real
// model servers send. It talks to a plugin over a connection, so it does not
// matter in which language the plugin is written.
//
// In a test of Go:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Target{Open: conformance.InProcess(newPlugin)})
//	}
//
// From the command line: querent plugins test NAME.
package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// Key is what settings should give as the key of the fake model server. No error
// may hold it.
const Key = "sk-conformance-8f3a61c0d27e4b95"

// standardModel is the model that is asked for where a Target names none.
const standardModel = "conformance-model"

// Target is a plugin that is to be checked.
type Target struct {
	// Program is the plugin's executable, and Open is then nil.
	Program *Program
	// Open starts the plugin anew, not configured. The kit closes the connection.
	Open func(ctx context.Context) (*Connection, error)
	// Settings are settings that the plugin works with. server is the address of a
	// fake model server, "" without a Shape. nil: an empty object.
	Settings func(server string) json.RawMessage
	// Files are the files that the settings name.
	Files map[string][]sdk.File
	// Shape is whose API the plugin speaks with its model server: it is then pointed
	// to fake ones, and quirks apply. "" leaves out what needs that.
	Shape fakeserver.Shape
	// Model is the model that is asked for. "" is a name of the kit's own.
	Model string
	// Questions are questions of which a Planner plans at least one, over the tables
	// riders (id, name, city) and trips (id, rider_id, km, started_at). nil: plain
	// English ones.
	Questions []string
	// Only are the beginnings of the names of the checks to run. nil: all.
	Only []string
	// Limit is when a check counts as hanging. 0: five minutes; the slowest was seen to
	// take one on a loaded machine, under the race detector.
	Limit time.Duration
}

// Connection is a connection to a running plugin.
type Connection struct {
	Conn grpc.ClientConnInterface
	// Close ends the plugin and returns when it is gone.
	Close func() error
}

func (t Target) withDefaults() Target {
	if t.Open == nil && t.Program != nil {
		t.Open = t.Program.Open
	}
	if t.Settings == nil {
		t.Settings = func(string) json.RawMessage { return json.RawMessage("{}") }
	}
	if t.Model == "" {
		t.Model = standardModel
	}
	if t.Limit == 0 {
		t.Limit = 5 * time.Minute
	}
	if t.Questions == nil {
		t.Questions = []string{"How many riders?", "How many trips?", "How many trips per rider?"}
	}
	return t
}

// OpenAISettings point a plugin with the settings of the openai plugin to a fake
// server.
func OpenAISettings(server string) json.RawMessage {
	return object(map[string]string{"base_url": server, "api_key": Key})
}

// OllamaSettings point a plugin with the settings of the ollama plugin to a fake
// server.
func OllamaSettings(server string) json.RawMessage {
	return object(map[string]string{"url": server, "api_key": Key})
}

func object(fields map[string]string) json.RawMessage {
	b, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings always can be
	}
	return b
}

// pipeSize is the buffer of an in-process connection, in bytes.
const pipeSize = 1 << 20

// InProcess opens plugins in the caller's process, behind real gRPC, each of them
// made anew.
func InProcess(make func() sdk.Plugin) func(context.Context) (*Connection, error) {
	return func(context.Context) (*Connection, error) {
		return serve(sdk.NewServer(make()))
	}
}

func serve(server *grpc.Server) (*Connection, error) {
	listener := bufconn.Listen(pipeSize)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:plugin", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		server.Stop()
		return nil, errors.Join(err, <-done)
	}
	return &Connection{Conn: conn, Close: func() error {
		err := conn.Close()
		server.Stop()
		return errors.Join(err, <-done)
	}}, nil
}
