// Package confine starts processes that may do less than the one that starts them:
// without a network, without files, within limits. The kernel enforces it, from
// before the first instruction of the process to its end, and for all that it
// starts in turn.
//
// Between fork and exec no code of Go can run. So the host's own executable is
// started, which takes its rights away and then becomes the program; Enter is that
// part, and every program that uses Command calls it first thing in main.
package confine

// Network says what a process reaches.
type Network string

// The networks.
const (
	NetworkAny  Network = "any"
	NetworkNone Network = "none" // not even this machine's own addresses
)

// Rules are what a process may do. The zero value takes its privileges alone.
type Rules struct {
	Network Network // empty: any
	// Files are what it may open; nil: whatever its user may.
	Files  *Files
	Limits Limits
}

// Files are absolute paths of files, and of folders with all that is in them. What
// is on neither list cannot be opened, but for the process's own executable, its
// folder for sockets, /dev/null and its like and, where it has the network, the files
// of name resolution and of certificates.
type Files struct {
	Read  []string // may be read and executed
	Write []string // may be read, executed and written
}

// Limits bound what a process takes. Zero is no limit.
type Limits struct {
	Memory    int64 // bytes that it may write to; a program that gets no more ends
	Processes int   // processes and threads at the same time, with its own
	OpenFiles int
}

// ownRoot reports whether the process sees a tree of files of its own, in which there
// is nothing but what it may open. Only so it cannot reach the sockets of others, for
// which Linux asks no rights that could be taken away otherwise.
func (r Rules) ownRoot() bool { return r.Network == NetworkNone && r.Files != nil }

// ExecError is the error of a program that was confined, and could not be executed
// then.
type ExecError struct{ Cause error }

// Error says what was being done.
func (e *ExecError) Error() string { return "executing it: " + e.Cause.Error() }

// Unwrap is the system's error.
func (e *ExecError) Unwrap() error { return e.Cause }
