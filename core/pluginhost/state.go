package pluginhost

import (
	"time"

	"querent.dev/querent/core/config"
)

// StateName is where an instance stands.
type StateName string

// The states, a closed set. starting leads to ready; a death leads to
// restarting, and from there to ready or to failed; stopping and stopped come
// from any of them and are final.
const (
	StateStarting   StateName = "starting"
	StateReady      StateName = "ready"
	StateRestarting StateName = "restarting"
	StateFailed     StateName = "failed" // died too often; calls fail at once
	StateStopping   StateName = "stopping"
	StateStopped    StateName = "stopped"
)

// State is what is known of an instance.
type State struct {
	Name       StateName
	Generation int       // counts the processes that were started, from 1
	Restarts   int       // counts the processes that replaced a dead one
	LastError  string    // why the last process died or did not start; for the operator
	PID        int       // of the running process, 0 when there is none
	Since      time.Time // of the state
}

// Event says that an instance's state has changed.
type Event struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	State    State
}
