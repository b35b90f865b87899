package main

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much the heap may grow before it is collected. The host keeps
// a few megabytes alive, so at Go's 100 it would collect every few dozen questions;
// at 400 it takes some tens of megabytes more and does so a quarter as often.
const gcPercent = 400

// tuneMemory sets the garbage collector, unless GOGC says how.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
