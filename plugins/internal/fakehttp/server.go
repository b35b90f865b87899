// Package fakehttp is the common part of the fake model servers: a loopback HTTP
// server that records what it is asked and can misbehave on purpose. It is that of
// the conformance kit.
package fakehttp

import "querent.dev/querent/sdk/conformance/fakeserver"

type (
	// Request is a request as it came in.
	Request = fakeserver.Request
	// Server is a running fake. Its methods may be called concurrently.
	Server = fakeserver.Server
	// Handler answers a request that has been read and recorded.
	Handler = fakeserver.Handler
	// Response writes an answer.
	Response = fakeserver.Response
)

// Start runs a server on a loopback address until Close.
func Start(h Handler) *Server { return fakeserver.Listen(h) }

// Always makes a script that answers every call the same.
func Always[Reply any](r Reply) func(Request) Reply { return func(Request) Reply { return r } }

// Queue makes a script that answers with one reply after the other, and then with
// spent.
func Queue[Reply any](spent Reply, replies ...Reply) func(Request) Reply {
	next := make(chan Reply, len(replies))
	for _, r := range replies {
		next <- r
	}
	return func(Request) Reply {
		select {
		case r := <-next:
			return r
		default:
			return spent
		}
	}
}
