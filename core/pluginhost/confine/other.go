//go:build !linux

package confine

import (
	"errors"
	"os/exec"
)

// Support is what this machine lets this process do to others.
type Support struct {
	// Landlock is the version of the kernel's interface to take away files; 0: none.
	Landlock int
	// Network is why no process can be started without the network.
	Network error
	// Processes is why processes cannot be counted.
	Processes error
	// Doubt is what may still keep a process from being confined.
	Doubt string
}

var errSystem = errors.New("plugins can be confined on Linux alone; run Querent there, or take the plugin's network, files and limits out of the configuration")

// Here is the support of this machine: there is none.
func Here() Support { return Support{Network: errSystem, Processes: errSystem} }

// Missing is why this machine cannot enforce r.
func Missing(Rules) error { return errSystem }

// Command refuses: see Missing.
func Command(*exec.Cmd, Rules, string) (started func(error) error, err error) { return nil, errSystem }

// Enter returns at once.
func Enter() {}
