//go:build linux

package pluginhost_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/confine"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// offline is a plugin without network and files.
func offline(s *pluginhost.Spec) {
	s.Confine = &pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{}}
}

func confined(rules pluginhost.Confinement) func(*pluginhost.Spec) {
	return func(s *pluginhost.Spec) { s.Confine = &rules }
}

// TestThisMachineConfines keeps the other tests from passing on a machine where
// nothing was confined.
func TestThisMachineConfines(t *testing.T) {
	for _, rules := range []pluginhost.Confinement{
		{Network: confine.NetworkNone}, {Files: &confine.Files{}},
		{Network: confine.NetworkNone, Files: &confine.Files{}, Limits: confine.Limits{Memory: 1 << 30, Processes: 100, OpenFiles: 100}},
	} {
		if err := confine.Missing(rules); err != nil {
			t.Errorf("%+v: %v", rules, err)
		}
	}
}

// reached are things outside of a plugin that it may reach or not.
type reached struct{ tcp, udp, socket, file, folder string }

func outside(t *testing.T) reached {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tcp.Close() })
	dir := shortDir(t)
	socket, err := net.Listen("unix", filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	file := filepath.Join(dir, "querent.yaml")
	if err := os.WriteFile(file, []byte("api_key: secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	return reached{tcp.Addr().String(), "192.0.2.1:53", socket.Addr().String(), file, dir}
}

// attempts says what of the outside a plugin gets hold of.
func attempts(t *testing.T, m sdk.Model, what map[string]bool) {
	t.Helper()
	for attempt, may := range what {
		answer := mustAsk(t, m, attempt)
		if done := answer == "done"; done != may {
			t.Errorf("%s: %s, want that it may: %v", attempt, answer, may)
		}
	}
}

// TestConfined lets a plugin try what its confinement forbids, and what it leaves, on
// locked and unlocked executables, before and after a restart.
func TestConfined(t *testing.T) {
	o := outside(t)
	network := func(may bool, what map[string]bool) map[string]bool {
		what["dial:"+o.tcp], what["udp:"+o.udp], what["resolve:localhost.example"] = may, may, false
		return what
	}
	for name, c := range map[string]struct {
		rules pluginhost.Confinement
		may   map[string]bool
	}{
		"free": {pluginhost.Confinement{}, network(true, map[string]bool{"read:" + o.file: true, "read:/etc/passwd": true, "connect:" + o.socket: true, "mount:/mnt": false})},
		"no network": {pluginhost.Confinement{Network: confine.NetworkNone},
			network(false, map[string]bool{"read:" + o.file: true, "read:/etc/passwd": true, "write:" + o.folder + "/new": true, "mount:/mnt": false})},
		"no files": {pluginhost.Confinement{Files: &confine.Files{}},
			network(true, map[string]bool{"read:" + o.file: false, "read:/etc/passwd": false, "list:/": false, "write:" + o.folder + "/new": false, "cut:" + o.file: false,
				"read:/etc/hosts": true, fmt.Sprint("signal:", os.Getpid()): false})},
		"neither": {pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{}},
			network(false, map[string]bool{"read:" + o.file: false, "read:/etc/passwd": false, "read:/etc/hosts": false, "connect:" + o.socket: false,
				"write:" + o.folder + "/new": false, "write:/new": false, "write:/tmp/new": false, "cut:" + o.file: false, "read:/proc/1/environ": false,
				fmt.Sprint("signal:", os.Getpid()): false, "mount:/mnt": false})},
		"some files": {pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{Read: []string{o.file, "/usr"}}},
			network(false, map[string]bool{"read:" + o.file: true, "cut:" + o.file: false, "write:" + o.file: false, "list:/usr": true, "write:/usr/new": false, "connect:" + o.socket: false})},
		"a folder to write": {pluginhost.Confinement{Files: &confine.Files{Write: []string{o.folder}}},
			network(true, map[string]bool{"write:" + o.folder + "/new": true, "read:/etc/passwd": false})},
		"a folder to write, no network": {pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{Write: []string{o.folder}}},
			network(false, map[string]bool{"write:" + o.folder + "/new": true, "read:/etc/passwd": false})},
	} {
		for kind, lock := range map[string]*pluginhost.Lock{"locked": required(t, config.LockRequire, "test"), "unlocked": nil} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				w := newWorld(t, func(o *pluginhost.Options) { o.Lock = lock })
				_, m := w.mustStart(t, confined(c.rules))
				attempts(t, m, c.may)
				if _, err := ask(t, m, "exit"); err == nil {
					t.Fatal("the plugin did not exit")
				}
				attempts(t, m, c.may)
			})
		}
	}
	if text, err := os.ReadFile(o.file); err != nil || string(text) != "api_key: secret" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// TestOtherPluginsSocket keeps a confined plugin from the socket of another.
func TestOtherPluginsSocket(t *testing.T) {
	dir := shortDir(t)
	w := newWorld(t, func(o *pluginhost.Options) { o.RuntimeDir = dir })
	w.mustStart(t)
	sockets, err := filepath.Glob(filepath.Join(dir, "*", "*", "plugin*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("sockets: %v %v", sockets, err)
	}
	_, m := w.mustStart(t, offline, func(s *pluginhost.Spec) { s.Provider = "other" })
	attempts(t, m, map[string]bool{"connect:" + sockets[0]: false, "list:" + filepath.Dir(sockets[0]): false})
}

// TestLimits lets a plugin take more than it may. It is alive afterwards, or was
// replaced by one that is.
func TestLimits(t *testing.T) {
	shell := &confine.Files{Read: []string{"/bin", "/usr", "/lib", "/lib64"}}
	for name, c := range map[string]struct {
		rules   pluginhost.Confinement
		attempt string
		dies    bool
	}{
		"processes":                      {pluginhost.Confinement{Limits: confine.Limits{Processes: 64}}, "fork:100", false},
		"processes without network":      {pluginhost.Confinement{Network: confine.NetworkNone, Limits: confine.Limits{Processes: 64}}, "fork:100", false},
		"processes in a tree of its own": {pluginhost.Confinement{Network: confine.NetworkNone, Files: shell, Limits: confine.Limits{Processes: 64}}, "fork:100", false},
		"open files":                     {pluginhost.Confinement{Limits: confine.Limits{OpenFiles: 64}}, "open:100", false},
		"memory":                         {pluginhost.Confinement{Limits: confine.Limits{Memory: 256 << 20}}, "eat:400", true},
		"memory without network":         {pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{}, Limits: confine.Limits{Memory: 256 << 20}}, "eat:400", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			i, m := w.mustStart(t, confined(c.rules))
			answer, err := ask(t, m, c.attempt)
			if c.dies != (err != nil) || answer == "done" {
				t.Errorf("%s: %q, %v", c.attempt, answer, err)
			}
			if c.attempt == "fork:100" && !strings.Contains(answer, "resource temporarily unavailable") {
				t.Errorf("failed by something else: %s", answer)
			}
			if c.dies {
				eventually(t, "it is back", func() bool { s := i.State(); return s.Name == pluginhost.StateReady && s.Restarts == 1 })
			}
			mustAsk(t, m, "pid")
		})
	}
	t.Run("within them", func(t *testing.T) {
		w := newWorld(t)
		_, m := w.mustStart(t, confined(pluginhost.Confinement{Network: confine.NetworkNone, Files: shell, Limits: confine.Limits{Memory: 512 << 20, Processes: 64, OpenFiles: 256}}))
		attempts(t, m, map[string]bool{"fork:5": true, "eat:100": true, "open:50": true})
	})
}

// TestUnconfined starts nothing that was to be confined and cannot be, and says which
// rule is in the way.
func TestUnconfined(t *testing.T) {
	t.Run("the machine cannot", func(t *testing.T) {
		w := newWorld(t, func(o *pluginhost.Options) {
			o.Confine = func(*exec.Cmd, pluginhost.Confinement, string) (func(error) error, error) {
				return nil, errors.New("this kernel has no Landlock")
			}
		})
		_, err := w.start(t, offline)
		notConfined(t, err, "cannot be confined as plugins.test.network, files and limits want", "this kernel has no Landlock")
	})
	t.Run("no namespace is left", func(t *testing.T) {
		w := newWorld(t, func(o *pluginhost.Options) {
			o.Confine = func(_ *exec.Cmd, _ pluginhost.Confinement, _ string) (func(error) error, error) {
				return func(error) error { return errors.New("all namespaces are taken") }, nil
			}
		})
		_, err := w.start(t, offline)
		notConfined(t, err, "cannot be confined", "all namespaces are taken")
	})
	t.Run("a file is not there", func(t *testing.T) {
		w := newWorld(t)
		_, err := w.start(t, confined(pluginhost.Confinement{Network: confine.NetworkNone, Files: &confine.Files{Read: []string{"/no/such"}}}))
		notConfined(t, err, "cannot be confined", "opening /no/such")
	})
	t.Run("not an executable", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte("text"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, rules := range []pluginhost.Confinement{{}, {Network: confine.NetworkNone, Files: &confine.Files{}}} {
			w := newWorld(t)
			_, err := w.start(t, confined(rules), func(s *pluginhost.Spec) { s.Path = path })
			refused(t, err, "not an executable for")
		}
	})
}

// notConfined checks that err tells the operator why, and the asker what alone.
func notConfined(t *testing.T, err error, says ...string) {
	t.Helper()
	e := reason.From(err)
	if e == nil || e.Reason != reason.Reason(reason.Misconfigured) {
		t.Fatalf("got %v", err)
	}
	for _, part := range says {
		if !strings.Contains(e.Message, part) {
			t.Errorf("the message lacks %q: %s", part, e.Message)
		}
	}
	untold(t, e, "its plugin cannot be confined", "querent doctor", says[1:]...)
}

// TestNoConfinedOrphan kills a host as the system would, with a confined plugin.
func TestNoConfinedOrphan(t *testing.T) {
	for _, kind := range []string{"offline", "counted"} {
		t.Run(kind, func(t *testing.T) {
			host, plugin := startHost(t, shortDir(t), kind)
			if err := syscall.Kill(plugin, syscall.SIGSTOP); err != nil { // so that it does not end by itself
				t.Fatal(err)
			}
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait() // it was killed
			eventually(t, "the plugin is gone", func() bool { return gone(plugin) })
		})
	}
}

// TestConfinedByAnyUser confines plugins of a host that is not root's.
func TestConfinedByAnyUser(t *testing.T) {
	for _, kind := range []string{"offline", "counted"} {
		t.Run(kind, func(t *testing.T) {
			dir := shortDir(t)
			cmd := exec.Command(binaries.host, binaries.plugin, dir, kind)
			if os.Geteuid() == 0 {
				const nobody = 65534
				if err := errors.Join(os.Chmod(filepath.Dir(binaries.host), 0o755), os.Chown(dir, nobody, nobody)); err != nil {
					t.Fatal(err)
				}
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			}
			host, plugin := startedHost(t, cmd)
			mine, err := os.Readlink(fmt.Sprint("/proc/", host.Process.Pid, "/ns/net"))
			if err != nil {
				t.Fatal(err)
			}
			its, err := os.Readlink(fmt.Sprint("/proc/", plugin, "/ns/net"))
			if err != nil {
				t.Fatal(err)
			}
			if apart := mine != its; apart != (kind == "offline") {
				t.Errorf("networks %s of the host, %s of the plugin", mine, its)
			}
			status, err := os.ReadFile(fmt.Sprint("/proc/", plugin, "/status"))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range []string{"CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"} {
				if !strings.Contains(string(status), line) {
					t.Errorf("the plugin's status lacks %q:\n%s", line, status)
				}
			}
			limits, err := os.ReadFile(fmt.Sprint("/proc/", plugin, "/limits"))
			if err != nil {
				t.Fatal(err)
			}
			if kind == "counted" && !strings.Contains(string(limits), "Max processes             100 ") {
				t.Errorf("limits:\n%s", limits)
			}
		})
	}
}
