package server

import (
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/policy"
)

// route is a method of a path, and what answers it.
type route struct {
	method string
	path   string // {run_id} stands for one segment
	key    need
	handle func(*Server, *response, *http.Request, *call) *problem
}

// need is whether a route needs a key.
type need int

const (
	always    need = iota
	elsewhere      // not where the server listens on the loopback interface alone
	never
)

var routes = []route{
	{http.MethodPost, "/v1/ask", always, (*Server).ask},
	{http.MethodDelete, "/v1/runs/{run_id}", always, (*Server).cancelRun},
	{http.MethodGet, "/v1/runs/{run_id}/receipt", always, (*Server).receipt},
	{http.MethodGet, "/healthz", never, (*Server).healthz},
	{http.MethodGet, "/readyz", never, (*Server).readyz},
	{http.MethodGet, "/metrics", elsewhere, (*Server).metrics},
}

// Routes lists the methods and paths of the API, as in "POST /v1/ask".
func Routes() []string {
	out := make([]string, len(routes))
	for i, r := range routes {
		out[i] = r.method + " " + r.path
	}
	return out
}

// call is what is known of a request while it is answered.
type call struct {
	id       string // of the request; that of the trace once there is a run
	caller   policy.Caller
	runID    string
	segment  string // what stands for {run_id} in the path
	received time.Time
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{id: newID(), received: s.options().Clock()}
	out := newResponse(w, s.options().Timeouts.Write)
	defer s.log(out, r, c)
	defer s.rescue(out, c)
	out.readWithin(s.options().Timeouts.Body)
	h := out.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if p := s.serve(out, r, c); p != nil {
		s.refuse(out, c, p)
	}
}

// serve finds who answers. Without a valid key nothing is told of what there is.
func (s *Server) serve(w *response, r *http.Request, c *call) *problem {
	at := matching(r.URL.Path)
	if len(at) == 0 || !s.open(at[0], r) {
		var ok bool
		if c.caller, ok = s.options().Callers.identify(r, s.options().Clock()); !ok {
			return problemOf(unauthenticated, "Send a valid key in the header Authorization, as Bearer qk_….")
		}
	}
	if len(at) == 0 {
		return problemOf(notFound, "This path is not part of the API.")
	}
	var allowed []string
	for _, route := range at {
		if r.Method == route.method || r.Method == http.MethodHead && route.method == http.MethodGet {
			c.segment, _ = segment(route.path, r.URL.Path)
			return route.handle(s, w, r, c)
		}
		allowed = append(allowed, route.method)
	}
	p := problemOf(methodNotAllowed, "Use %s.", strings.Join(allowed, " or "))
	p.allow = strings.Join(allowed, ", ")
	return p
}

// open reports whether the request of a route needs no key.
func (s *Server) open(at route, r *http.Request) bool {
	return at.key == never || at.key == elsewhere && s.options().Callers.fromHere(r)
}

func matching(path string) []route {
	return slices.DeleteFunc(slices.Clone(routes), func(r route) bool {
		_, matches := segment(r.path, path)
		return !matches
	})
}

// segment is what stands for {run_id} in a path, and whether the path is of the
// pattern at all.
func segment(pattern, path string) (string, bool) {
	prefix, suffix, wild := strings.Cut(pattern, "{run_id}")
	if !wild {
		return "", pattern == path
	}
	rest, under := strings.CutPrefix(path, prefix)
	id, ends := strings.CutSuffix(rest, suffix)
	return id, under && ends && id != "" && !strings.Contains(id, "/")
}

// rescue turns a panic into an INTERNAL problem, or, when the answer has begun,
// into the end of the connection: half an answer must not look whole.
func (s *Server) rescue(w *response, c *call) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		s.options().Logger.Error("panic while a request was answered", "trace", c.id, "panic", p, "stack", string(debug.Stack()))
		if w.status == 0 {
			s.refuse(w, c, problemOf(internalError, "The server made a mistake. Its log has more under the trace id."))
			return
		}
	}
	panic(http.ErrAbortHandler)
}

// longestPath is what of a path is logged; ours are shorter.
const longestPath = 100

// log writes the line of a request. Nothing in it is the caller's but the path,
// which is written escaped.
func (s *Server) log(w *response, r *http.Request, c *call) {
	level := hclog.Info
	if slices.ContainsFunc(matching(r.URL.Path), func(r route) bool { return r.key != always }) {
		level = hclog.Debug // probes come every few seconds
	}
	path := r.URL.EscapedPath()
	if len(path) > longestPath {
		path = path[:longestPath] + "…"
	}
	s.options().Logger.Log(level, "request", "method", method(r.Method), "path", path, "status", w.status,
		"ms", s.options().Clock().Sub(c.received).Milliseconds(), "caller", c.caller.Name, "run", c.runID, "trace", c.id)
}

// method is the request's method as far as it is one that exists.
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "other"
}
