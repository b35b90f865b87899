package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
)

// The control socket is its user's alone, one server's at a time, and not kept by one
// that was killed.
func TestTheControlSocketIsPrivate(t *testing.T) {
	base, err := os.MkdirTemp("", "q") // a short path: sockets need one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv(runtimeDirVariable, base)
	if _, err := reachServer("some.yaml"); !errors.Is(err, errNoServer) {
		t.Errorf("without a server: %v", err)
	}
	l, err := listenForControl("some.yaml")
	if err != nil {
		t.Fatal(err)
	}
	socket := l.Addr().String()
	for path, want := range map[string]os.FileMode{socket: 0o600, filepath.Dir(socket): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v: %v", path, info.Mode(), err)
		}
	}
	if _, err := reachServer("./some.yaml"); err != nil {
		t.Errorf("by another spelling of the path: %v", err)
	}
	if _, err := reachServer("other.yaml"); !errors.Is(err, errNoServer) {
		t.Errorf("by another configuration: %v", err)
	}
	if _, err := listenForControl("some.yaml"); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("a second server: %v", err)
	}
	l.(ownPeers).SetUnlinkOnClose(false) // as when it is killed
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := reachServer("some.yaml"); !errors.Is(err, errNoServer) {
		t.Errorf("after the server was killed: %v", err)
	}
	again, err := listenForControl("some.yaml")
	if err != nil {
		t.Fatalf("after a server that was killed: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(socket), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := listenForControl("some.yaml"); err == nil || !strings.Contains(err.Error(), "alone") {
		t.Errorf("in a folder that others can read: %v", err)
	}
}

// A server that is stopped takes connections and answers none: who asks it is told so.
func TestAServerThatDoesNotAnswerIsNotWaitedForForever(t *testing.T) {
	base, err := os.MkdirTemp("", "q") // a short path: sockets need one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv(runtimeDirVariable, base)
	l, err := listenForControl("some.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if _, err := livePlugins(t.Context(), "some.yaml"); err == nil || !strings.Contains(err.Error(), "did not answer within 5s") {
		t.Errorf("error %v", err)
	}
}

// A control socket that a cleaner deleted is made anew, and what was deleted is not
// waited for.
func TestTheControlSocketComesBack(t *testing.T) {
	base, err := os.MkdirTemp("", "q") // a short path: sockets need one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv(runtimeDirVariable, base)
	l, err := listenSteadily("some.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	beside.Go(func() { l.keep(ctx, time.Millisecond, hclog.NewNullLogger()) })
	accepted := make(chan struct{}, 100)
	beside.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
			accepted <- struct{}{}
		}
	})
	for range 3 {
		if err := os.RemoveAll(filepath.Dir(l.Addr().String())); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(hostDeadline); ; time.Sleep(5 * time.Millisecond) {
			if _, err := reachServer("some.yaml"); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the socket does not come back")
			}
		}
		<-accepted
	}
	cancel()
	_ = l.Close()
	beside.Wait()
	if _, err := os.Lstat(l.Addr().String()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}
