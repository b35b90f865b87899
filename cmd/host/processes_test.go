package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// executable is a running process and the program that it runs.
type executable struct {
	pid  int
	path string
}

// executables lists the processes whose program can be read, under the paths that they
// were started by: a confined plugin runs from a tree of its own, where its program has
// another path.
func executables(t *testing.T) []executable {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil || len(links) == 0 {
		t.Fatalf("no processes are to be seen: %v", err)
	}
	var out []executable
	for _, l := range links {
		path, err := os.Readlink(l)
		if err != nil {
			continue // it has ended, or it is somebody else's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(l)))
		if err != nil {
			t.Fatal(err)
		}
		if started := startedBy(pid); filepath.IsAbs(started) {
			path = started
		}
		out = append(out, executable{pid, strings.TrimSuffix(path, " (deleted)")})
	}
	return out
}

// startedBy is the first argument of a process, "" where there is none.
func startedBy(pid int) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(line), "\x00")
	return first
}
