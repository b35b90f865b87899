package pluginhost

import (
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/pluginhost/confine"
)

// Options are a Host's. The zero value is usable; a zero field takes the default
// that it names.
type Options struct {
	// Logger gets the host's own lines and, under each plugin's name, the
	// plugin's. Its level is the level at which plugins log. Default: no log.
	Logger hclog.Logger
	// Lock names the executables that may run. Default: any may.
	Lock *Lock
	// Compliance runs nothing but what can be answered for: locked executables,
	// with an encrypted connection, started by the host, without a model. A Spec
	// that is anything else is refused, and the refusal says what to change.
	Compliance bool
	// Redact takes secrets out of what plugins say: of their log lines and of
	// State.LastError. Default: nothing is taken out.
	Redact func(string) string
	// RuntimeDir is where the host makes its private folder for sockets.
	// Default: XDG_RUNTIME_DIR, the folder for temporary files or /tmp, whichever
	// is the first in which it can be made with a path short enough for sockets.
	RuntimeDir string
	// Environ is the host's environment, as os.Environ gives it.
	Environ func() []string
	// MemoryLimit is the soft limit of a plugin's heap (GOMEMLIMIT), in bytes.
	// Default: 256 MiB.
	MemoryLimit int64
	// Confine changes the command of a plugin whose Spec asks for confinement, right
	// before it is started, as confine.Command does, which is the default: own is the
	// plugin's folder of sockets, and the returned function is called once the process
	// has started, with nil, or could not be. An error of either keeps the plugin from
	// starting.
	Confine  func(cmd *exec.Cmd, c Confinement, own string) (started func(error) error, err error)
	Timeouts Timeouts
	Restart  RestartPolicy
	Health   HealthPolicy
	// OnEvent is told of every change of an instance's state, in order for each
	// instance. It must return quickly and must not call the Host or a Set.
	OnEvent func(Event)
}

// defaultMemoryLimit is several times what a plugin under load was seen to use
// (45 MB), since a client library may hold 8 MB for each call.
const defaultMemoryLimit = 256 << 20

// Timeouts bound what the host waits for. A zero field takes its default.
type Timeouts struct {
	Start     time.Duration // until the handshake; 30 s, since a loaded machine was seen to take 10
	Control   time.Duration // Describe and Health each, which do no work; 5 s
	Configure time.Duration // 30 s
	Probe     time.Duration // a Spec's probe; 15 s, since it may ask a remote server
	Drain     time.Duration // for what still uses an instance that no set holds; 2 min, the default time limit of a run
	Stop      time.Duration // grace until the process is killed; 2 s
	Call      time.Duration // a call without a deadline of its own; 5 min
	Pull      time.Duration // fetching a model, without a deadline of its own; 6 h
}

// ready is the longest time from the start of a process to its being ready.
func (t Timeouts) ready() time.Duration {
	return t.Start + t.Configure + 2*t.Control + t.Probe
}

// RestartPolicy says how a plugin that died is brought back. A zero field takes
// its default.
type RestartPolicy struct {
	First  time.Duration // wait before the first try; 200 ms. Each further wait is twice as long
	Max    time.Duration // longest wait; 30 s
	Deaths int           // so many deaths within Window make the instance failed; 5
	Window time.Duration // 1 min; after as long without a death the waits start anew
}

// HealthPolicy says how a plugin that runs, but does not work, is found out: by
// calls of Health, each with Timeouts.Control as its deadline. A zero field takes
// its default.
type HealthPolicy struct {
	// Interval is the wait between calls; 10 s, which keeps the connection from
	// going idle and costs nothing that can be measured. After a call that was not
	// answered, and after any call whose connection broke, the next comes at once.
	Interval time.Duration
	// Misses is how many calls in a row that fail, or that the plugin answers with
	// not being well, make it unhealthy: it is killed and restarted; 3.
	Misses int
}

// Defaults are the Options that the zero value stands for.
func Defaults() Options { return Options{}.withDefaults() }

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Environ == nil {
		o.Environ = os.Environ
	}
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	if o.Confine == nil {
		o.Confine = confine.Command
	}
	fill(&o.MemoryLimit, defaultMemoryLimit)
	fill(&o.Timeouts.Start, 30*time.Second)
	fill(&o.Timeouts.Control, 5*time.Second)
	fill(&o.Timeouts.Configure, 30*time.Second)
	fill(&o.Timeouts.Probe, 15*time.Second)
	fill(&o.Timeouts.Drain, 2*time.Minute)
	fill(&o.Timeouts.Stop, 2*time.Second)
	fill(&o.Timeouts.Call, 5*time.Minute)
	fill(&o.Timeouts.Pull, 6*time.Hour)
	fill(&o.Restart.First, 200*time.Millisecond)
	fill(&o.Restart.Max, 30*time.Second)
	fill(&o.Restart.Deaths, 5)
	fill(&o.Restart.Window, time.Minute)
	fill(&o.Health.Interval, 10*time.Second)
	fill(&o.Health.Misses, 3)
	return o
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
