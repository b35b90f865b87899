package policy

// Caller is who asks. It is an argument of every call that reads anything. The
// zero Caller is unknown and is refused everything.
type Caller struct {
	Name  string
	Roles []string
	// Attributes are the caller's properties that row filters may name.
	Attributes map[string]string
}

// Known reports whether the caller has a role at all.
func (c Caller) Known() bool { return len(c.Roles) > 0 }
