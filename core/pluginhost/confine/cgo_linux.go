//go:build cgo

package confine

// linkedWithC says that threads may run that Go does not know of. The library that
// takes rights from those, too, looks for them in /proc, and must find the process's
// own folder there.
const linkedWithC = true
