package sdk

// ProtocolVersion is the version of the plugin protocol that this module speaks:
// the package querent.plugin.v1.
const ProtocolVersion = 1

// The magic cookie tells a plugin that a host started it. It is no secret: it
// keeps a person who runs the executable by hand from waiting for nothing.
const (
	MagicCookieKey   = "QUERENT_PLUGIN"
	MagicCookieValue = "c4f1d0a6-7a3e-4e0b-9d53-2f6b8e1a90cd"
)

// MaxMessageBytes is the size of the largest message in either direction. A
// catalog of 5,000 columns with descriptions is under 2 MiB and a long prompt
// under 1 MiB; eight times that leaves room, and bounds what one call can make
// either side hold in memory. A larger request is refused with invalid_request,
// a larger response with invalid_output.
const MaxMessageBytes = 16 << 20

// The variables with which the host tells a plugin how to run.
const (
	// EnvLogLevel is the least level of log lines that the host keeps: trace,
	// debug, info, warn, error or off.
	EnvLogLevel = "QUERENT_LOG_LEVEL"
	// EnvHostWatch is "stdin" when standard input ends with the host: the plugin
	// then exits at end of file.
	EnvHostWatch = "QUERENT_HOST_WATCH"
	// EnvDebug is set by who runs a plugin by hand, for a debugger: Serve then prints
	// where it listens, for hosts to reattach to.
	EnvDebug = "QUERENT_PLUGIN_DEBUG"
	// HostWatchStdin is the value of EnvHostWatch.
	HostWatchStdin = "stdin"
)

// ReattachPrefix begins the name of the host's variable that says where a plugin
// listens which somebody runs by hand; the plugin's name in capitals follows.
const ReattachPrefix = "QUERENT_REATTACH_"
