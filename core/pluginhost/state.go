package pluginhost

import (
	"time"

	"querent.dev/querent/core/config"
)

// StateName is where an instance stands.
type StateName string

// The states, a closed set. An instance goes from verifying, step by step, to
// ready; a death leads to restarting, and from there the same way again or to
// failed, which Reset ends. draining is ready for who still uses an instance that
// no set holds any more; it leads to stopping, or back to ready when a set takes
// the instance up again. stopping and stopped are final.
const (
	StateVerifying   StateName = "verifying"   // the executable is checked
	StateStarting    StateName = "starting"    // the process is started
	StateHandshake   StateName = "handshake"   // the process runs; it has not said where it listens
	StateDescribing  StateName = "describing"  // it says what it is
	StateConfiguring StateName = "configuring" // it gets its settings and secrets
	StateProbing     StateName = "probing"     // it shows that it works
	StateReady       StateName = "ready"
	StateDraining    StateName = "draining"
	StateRestarting  StateName = "restarting" // waits until State.NextRetry
	StateFailed      StateName = "failed"     // died too often, or never started; calls fail at once
	StateStopping    StateName = "stopping"
	StateStopped     StateName = "stopped"
)

// States are all states, in the order of an instance's life.
var States = []StateName{
	StateVerifying, StateStarting, StateHandshake, StateDescribing, StateConfiguring, StateProbing,
	StateReady, StateDraining, StateRestarting, StateFailed, StateStopping, StateStopped,
}

// State is what is known of an instance. Its JSON form is for programs.
type State struct {
	Name       StateName `json:"state"`
	Generation int       `json:"generation"`           // counts the processes that were started, from 1
	Restarts   int       `json:"restarts"`             // counts the processes that replaced a dead one
	LastError  string    `json:"last_error,omitempty"` // why the last process died or did not start; for the operator; it went through Options.Redact
	NextRetry  time.Time `json:"next_retry,omitzero"`  // when the next start is tried; zero unless restarting
	PID        int       `json:"pid,omitempty"`        // of the running process, 0 when there is none
	Since      time.Time `json:"since"`                // of the state
}

// InstanceID tells instances of a Host apart, from 1 on: during a change of the
// configuration there may be two of one provider.
type InstanceID int

// Event says that an instance's state has changed.
type Event struct {
	Instance InstanceID
	Provider config.ProviderName
	Plugin   config.PluginName
	State    State
}
