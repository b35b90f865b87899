//go:build unix

package pluginhost

import (
	"os"
	"syscall"
)

// A group that is gone already is what the caller of both wants.

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

func terminateGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
