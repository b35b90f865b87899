// Package drill lets tests that try many things at random have a short form, which
// runs with every change, and a long one, which make drill runs.
package drill

import "os"

// Env is the environment variable that asks for the long forms, if it is not empty.
const Env = "QUERENT_DRILL"

// Size is how many things a test tries: short, or long in a drill. For tests only.
func Size(short, long int) int {
	if os.Getenv(Env) != "" {
		return long
	}
	return short
}
