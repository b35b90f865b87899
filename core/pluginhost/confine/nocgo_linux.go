//go:build !cgo

package confine

// linkedWithC says that threads may run that Go does not know of: the host is built
// without C, so there are none.
const linkedWithC = false
