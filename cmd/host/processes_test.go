package main

import (
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

// executables lists the processes whose program can be read.
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
		out = append(out, executable{pid, strings.TrimSuffix(path, " (deleted)")})
	}
	return out
}
