package main

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
)

// socketLook is how often a server looks whether its control socket is still there.
const socketLook = 5 * time.Second

// steadyListener is a control socket that is made anew when it was deleted, as cleaners
// of folders for temporary files do.
type steadyListener struct {
	configuration string

	mu      sync.Mutex // of replacing and closing
	current atomic.Pointer[placedSocket]
	closed  bool
}

// placedSocket is a control socket, and the file as which it was made.
type placedSocket struct {
	ownPeers
	file os.FileInfo
}

// listenSteadily opens the control socket of the server of a configuration. keep makes
// it anew.
func listenSteadily(configuration string) (*steadyListener, error) {
	s, err := place(configuration)
	if err != nil {
		return nil, err
	}
	l := &steadyListener{configuration: configuration}
	l.current.Store(s)
	return l, nil
}

func place(configuration string) (*placedSocket, error) {
	l, err := listenForControl(configuration)
	if err != nil {
		return nil, err
	}
	s := &placedSocket{ownPeers: l.(ownPeers)}
	s.file, _ = os.Lstat(l.Addr().String()) // nil where it is gone already, which keep notices
	return s, nil
}

func (s *placedSocket) isThere() bool {
	file, err := os.Lstat(s.Addr().String())
	return err == nil && s.file != nil && os.SameFile(file, s.file)
}

// keep looks after the socket until ctx ends.
func (l *steadyListener) keep(ctx context.Context, every time.Duration, logger hclog.Logger) {
	told := ""
	look := time.NewTicker(every)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		was := l.current.Load()
		if was.isThere() {
			continue
		}
		next, err := place(l.configuration)
		if err != nil {
			if told != err.Error() {
				told = err.Error()
				logger.Warn("the control socket was deleted, and querent plugins cannot reach this server; SIGHUP reloads it", "error", err)
			}
			continue
		}
		told = ""
		if !l.replace(was, next) {
			return
		}
		logger.Info("the control socket was deleted, and made anew", "socket", next.Addr())
	}
}

// replace goes on with the next socket, unless the listener was closed meanwhile.
func (l *steadyListener) replace(was, next *placedSocket) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = next.Close() // nothing has come in
		return false
	}
	was.SetUnlinkOnClose(false) // what has its name by now is the next one
	l.current.Store(next)
	_ = was.Close() // wakes Accept, which goes on with the next
	return true
}

// Accept implements net.Listener.
func (l *steadyListener) Accept() (net.Conn, error) {
	for {
		from := l.current.Load()
		c, err := from.Accept()
		if err == nil || from == l.current.Load() {
			return c, err
		}
	}
}

// Close implements net.Listener.
func (l *steadyListener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	s := l.current.Load()
	if !s.isThere() {
		s.SetUnlinkOnClose(false)
	}
	return s.Close()
}

// Addr implements net.Listener.
func (l *steadyListener) Addr() net.Addr { return l.current.Load().Addr() }
