package policy

// Caller is who asks. It is an argument of every call that reads anything. The
// zero Caller is unknown and is refused everything.
type Caller struct {
	Kind  CallerKind
	Name  string // among those of its kind
	Roles []string
	// Attributes are the caller's properties that row filters may name.
	Attributes map[string]string
}

// CallerKind says what names a caller: callers of two kinds are never the same one,
// whatever their names.
type CallerKind string

// The kinds of callers.
const (
	ConfiguredCaller CallerKind = ""    // named under callers in the configuration
	KeyCaller        CallerKind = "key" // known by the id of its API key
)

// Same reports whether both are one caller, whatever it may do now.
func (c Caller) Same(other Caller) bool { return c.Kind == other.Kind && c.Name == other.Name }

// Known reports whether the caller has a role at all.
func (c Caller) Known() bool { return len(c.Roles) > 0 }
