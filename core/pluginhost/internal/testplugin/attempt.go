//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"querent.dev/querent/sdk"
)

// attempts are what a confined plugin may not be able to do. Each does it to what the
// model's name holds after a colon, and returns why it failed.
var attempts = map[string]func(string) error{
	"dial":    dial("tcp"),
	"udp":     datagram,
	"connect": dial("unix"),
	"resolve": func(name string) error {
		_, err := net.LookupHost(name)
		return err
	},
	"read": func(path string) error {
		_, err := os.ReadFile(path)
		return err
	},
	"list": func(path string) error {
		_, err := os.ReadDir(path)
		return err
	},
	"write": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
	"cut":   func(path string) error { return os.Truncate(path, 0) },
	"fork":  fork,
	"eat":   eat,
	"open":  openMany,
	"signal": func(pid string) error {
		n, err := strconv.Atoi(pid)
		if err != nil {
			return err
		}
		return syscall.Kill(n, 0)
	},
	"mount": func(path string) error { return mount(path) },
}

// attempt answers done, or with what the system said.
func attempt(verb, what string) (sdk.GenerateResponse, error) {
	do, ok := attempts[verb]
	if !ok {
		return sdk.GenerateResponse{}, fmt.Errorf("no attempt %q", verb)
	}
	if err := do(what); err != nil {
		return text("failed: " + err.Error())
	}
	return text("done")
}

const attemptTime = 3 * time.Second

func dial(network string) func(string) error {
	return func(address string) error {
		ctx, cancel := context.WithTimeout(context.Background(), attemptTime)
		defer cancel()
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

func datagram(address string) error {
	conn, err := net.Dial("udp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte("x"))
	return err
}

// fork starts as many processes, which live on.
func fork(count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for range n {
		if err := exec.Command("/bin/sleep", "300").Start(); err != nil {
			return err
		}
	}
	return nil
}

// eat takes so many MiB and uses them.
func eat(mebibytes string) error {
	n, err := strconv.Atoi(mebibytes)
	if err != nil {
		return err
	}
	var eaten [][]byte
	for range n {
		piece := make([]byte, 1<<20)
		for at := 0; at < len(piece); at += 4096 {
			piece[at] = 1
		}
		eaten = append(eaten, piece)
	}
	if len(eaten) != n {
		return fmt.Errorf("%d MiB", len(eaten))
	}
	return nil
}

// openMany opens so many pipes, and closes them again.
func openMany(count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	var open []*os.File
	defer func() {
		for _, f := range open {
			_ = f.Close()
		}
	}()
	for range n {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		open = append(open, r, w)
	}
	return nil
}
