//go:build unix

// Command testplugin is a plugin that misbehaves as its first argument, or the
// model that is asked for, says. It exists for the tests of package pluginhost.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"querent.dev/querent/core/pluginhost/internal/bare"
	"querent.dev/querent/core/pluginhost/internal/full"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The executable's name says how the start goes wrong: a copy named
// querent-plugin-printsfirst prints first.
func main() {
	switch strings.TrimPrefix(filepath.Base(os.Args[0]), "querent-plugin-") {
	case "printsfirst":
		fmt.Println("hello, I am a plugin") // sdk diverts it
	case "rawprint":
		_, _ = syscall.Write(1, []byte("hello, I write to descriptor 1\n"))
	case "newprotocol":
		fakeHandshake(2)
	case "oldprotocol":
		fakeHandshake(0)
	case "foreign":
		serveForeign(sdk.NewServer(sdk.Plugin{Lifecycle: &lifecycle{}, Model: &model{}}))
		return
	case "unlimited":
		serveForeign(unlimited())
		return
	case "planner":
		sdk.Serve(sdk.Plugin{Lifecycle: &lifecycle{}, Planner: full.Plugin().Planner})
		return
	case "full":
		sdk.Serve(full.Plugin())
		return
	case "plain":
		os.Unsetenv("PLUGIN_CLIENT_CERT") // as a language that knows no AutoMTLS
	case "slow":
		time.Sleep(time.Hour)
	case "slowish":
		time.Sleep(time.Second)
	case "mute-describe", "mute-configure", "mute-health", "mute-stop":
		muted = strings.TrimPrefix(filepath.Base(os.Args[0]), "querent-plugin-mute-")
	case "dies":
		fmt.Fprintln(os.Stderr, "panic: cannot live like this")
		os.Exit(3)
	case "bare":
		plugin.Serve(&plugin.ServeConfig{HandshakeConfig: bare.Handshake, Plugins: bare.Plugins(), GRPCServer: plugin.DefaultGRPCServer})
		return
	case "elsewhere":
		_, _ = syscall.Write(1, []byte("1|1|unix|/tmp/somebody-elses.sock|grpc\n"))
		time.Sleep(time.Hour)
	}
	fmt.Println("a stray line before Serve")
	sdk.Serve(sdk.Plugin{Lifecycle: &lifecycle{}, Model: &model{}})
}

// serveForeign serves as a program in another language does: the services of the
// protocol and nothing of go-plugin's own, behind a handshake written by hand.
func serveForeign(server *grpc.Server) {
	path := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "foreign")
	listener, err := net.Listen("unix", path)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(os.NewFile(1, "stdout"), "1|%d|unix|%s|grpc\n", sdk.ProtocolVersion, path)
	if err := server.Serve(listener); err != nil {
		panic(err)
	}
}

func fakeHandshake(version int) {
	_, _ = syscall.Write(1, fmt.Appendf(nil, "1|%d|unix|%s/s|grpc\n", version, os.Getenv("PLUGIN_UNIX_SOCKET_DIR")))
	time.Sleep(time.Hour)
}

// configSchema has a setting of each kind that the host treats on its own.
const configSchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["mode"],
	"properties": {
		"mode": {"type": "string", "enum": ["good", "unhealthy", "refuses", "refuses_second", "ill_later"]},
		"api_key": {"type": "string", "minLength": 8},
		"marker": {"type": "string"},
		"packs": {"type": "array", "items": {"type": "string", "format": "querent-file"}},
		"nested": {"type": "object", "properties": {"one": {"type": "string", "format": "querent-file"}}}
	}
}`

type settings struct {
	Mode   string `json:"mode"`
	APIKey string `json:"api_key"`
	Marker string `json:"marker"`
}

// configured is what Configure got; it comes before every other call.
var configured struct {
	settings settings
	files    map[string][]sdk.File
	provider string
}

// muted is the call that is never answered.
var muted string

// unlessMuted never returns when the call is muted, whatever its context says.
func unlessMuted(call string) {
	if call == muted {
		select {}
	}
}

type lifecycle struct{}

func (*lifecycle) Describe() sdk.Description {
	unlessMuted("describe")
	return sdk.Description{Name: "test", Version: "1.2.3", Commit: "abc", ConfigSchema: json.RawMessage(configSchema)}
}

func (*lifecycle) Configure(_ context.Context, c sdk.Configuration) error {
	unlessMuted("configure")
	if err := json.Unmarshal(c.Settings, &configured.settings); err != nil {
		return sdk.Errorf(reason.Misconfigured, "settings: %w", err)
	}
	configured.files, configured.provider = c.Files, c.Provider
	switch configured.settings.Mode {
	case "refuses":
		return sdk.Errorf(reason.AuthFailed, "the server says no")
	case "refuses_second":
		if exists(configured.settings.Marker) {
			return sdk.Errorf(reason.Misconfigured, "not twice")
		}
		return os.WriteFile(configured.settings.Marker, nil, 0o600)
	}
	return nil
}

func (*lifecycle) Health(context.Context) sdk.HealthState {
	unlessMuted("health")
	ill := configured.settings.Mode == "unhealthy" || configured.settings.Mode == "ill_later" && exists(configured.settings.Marker)
	return sdk.HealthState{OK: !ill, Message: "said to be ill"}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (*lifecycle) Stop(context.Context) error {
	unlessMuted("stop")
	return nil
}

type model struct{}

func (*model) ModelInfo(_ context.Context, name string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{Model: name, Present: true}, nil
}

// Generate does what the model's name says. A number is a text of so many bytes.
func (*model) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	if n, err := strconv.Atoi(r.Model); err == nil {
		return text(strings.Repeat("x", n))
	}
	if verb, what, ok := strings.Cut(r.Model, ":"); ok {
		return attempt(verb, what)
	}
	switch r.Model {
	case "panic":
		panic("in a handler")
	case "exit":
		os.Exit(7)
	case "crash":
		go panic("in a goroutine")
		select {}
	case "third":
		if calls.Add(1) == 3 {
			os.Exit(7)
		}
	case "hangup":
		hangUp()
	case "flood":
		flood()
	case "betray":
		fmt.Println("my key is " + configured.settings.APIKey)
		sdk.Logger().Error("my key is not good", "key", configured.settings.APIKey)
		time.Sleep(50 * time.Millisecond) // so that the lines are on their way
		go panic("my key is " + configured.settings.APIKey)
		select {}
	case "wait":
		<-ctx.Done()
		return sdk.GenerateResponse{}, ctx.Err()
	case "freeze":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		<-ctx.Done()
		return sdk.GenerateResponse{}, ctx.Err()
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "child":
		return child()
	case "big":
		return text(strings.Repeat("x", 20<<20))
	case "env":
		return text(strings.Join(os.Environ(), "\n"))
	case "files":
		return text(fmt.Sprint(configured.provider, configured.settings.APIKey, configured.files))
	case "print":
		fmt.Println("printed after the handshake")
		fmt.Fprintln(os.Stderr, `{"@level":"error","@message":42,"@timestamp":7}`)
	case "log":
		sdk.Logger().Warn("a warning", "n", 1, "long", strings.Repeat("y", 100<<10))
	}
	return text(fmt.Sprint(os.Getpid()))
}

// calls counts those to the model "third".
var calls atomic.Int64

// hangUp ends every connection of the process, and leaves the process as it is.
func hangUp() {
	for fd := 3; fd < 64; fd++ {
		if _, err := syscall.Getpeername(fd); err == nil {
			_ = syscall.Shutdown(fd, syscall.SHUT_RDWR) // it may be closing already
		}
	}
}

// flood writes 4 MiB on each stream: short lines, and one of 1 MiB.
func flood() {
	for range 1 << 16 {
		fmt.Println("0123456789012345678901234567890123456789")
		fmt.Fprintln(os.Stderr, "0123456789012345678901234567890123456789")
	}
	fmt.Println(strings.Repeat("x", 1<<20))
	fmt.Fprintln(os.Stderr, strings.Repeat("x", 1<<20))
	_, _ = syscall.Write(1, []byte(strings.Repeat("y", 1<<20)+"\n"))
	_, _ = syscall.Write(2, []byte(strings.Repeat("z", 1<<20)+"\n"))
}

// child leaves a process behind that holds the streams open.
func child() (sdk.GenerateResponse, error) {
	cmd := exec.Command("sleep", "300")
	cmd.Stdout, cmd.Stderr = os.NewFile(1, "stdout"), os.NewFile(2, "stderr")
	if err := cmd.Start(); err != nil {
		return sdk.GenerateResponse{}, err
	}
	return text(fmt.Sprint(cmd.Process.Pid))
}

func text(s string) (sdk.GenerateResponse, error) {
	return sdk.GenerateResponse{Text: s, Finish: sdk.FinishStop}, nil
}

func (m *model) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	if count, ok := strings.CutPrefix(r.Model, "tokens:"); ok {
		return tokens(count, send)
	}
	if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: "first"}); err != nil {
		return err
	}
	time.Sleep(100 * time.Millisecond) // so that the chunk is on its way before a crash
	resp, err := m.Generate(ctx, r)
	if err != nil {
		return err
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: resp})
}

// tokens streams so many tokens, one every 10 ms.
func tokens(count string, send func(sdk.Chunk) error) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	err = bare.Tokens(n, 10*time.Millisecond, func(text string) error { return send(sdk.Chunk{Kind: sdk.ChunkText, Text: text}) })
	if err != nil {
		return err
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: sdk.GenerateResponse{Finish: sdk.FinishStop}})
}

func (*model) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}
