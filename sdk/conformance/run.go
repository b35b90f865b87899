package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// check is one thing that a plugin must do.
type check struct {
	name    string
	promise string
	service sdk.ServiceName // that the plugin must offer; "": every plugin has it
	fake    bool            // needs a fake model server
	program bool            // needs an executable
	run     func(ctx context.Context, s *session) error
}

// contracts is every check of the protocol's contracts.
func contracts() []check {
	var all []check
	for _, group := range [][]check{processChecks(), lifecycleChecks(), limitChecks(), modelChecks(), serverChecks(), plannerChecks(), synthesizerChecks()} {
		all = append(all, group...)
	}
	return all
}

// Check runs the kit over a plugin, and tells of each result when it is there.
// tell may be nil. An error says that nothing could be checked, because the plugin
// does not even say what it is, or that ctx ended first.
func Check(ctx context.Context, t Target, tell func(Result)) (Report, error) {
	t = t.withDefaults()
	if t.Open == nil {
		return Report{}, errors.New("the target names neither a way to open the plugin nor its program")
	}
	description, err := describe(ctx, t)
	if err != nil {
		return Report{}, err
	}
	report := Report{Plugin: description.Name, Version: description.Version, Services: description.Services, Shape: t.Shape}
	add := func(r Result) {
		report.Results = append(report.Results, r)
		if tell != nil {
			tell(r)
		}
	}
	for _, c := range t.checks() {
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		add(c.result(ctx, t, description))
	}
	return report, ctx.Err()
}

// Checks are the names of the checks that are to run.
func (t Target) Checks() []string {
	var names []string
	for _, c := range t.checks() {
		names = append(names, c.name)
	}
	return names
}

// checks is what is to run of the contracts and of the quirks of the target's shape.
func (t Target) checks() []check {
	all := contracts()
	if t.Shape != "" {
		for _, q := range fakeserver.Quirks(t.Shape) {
			all = append(all, quirkCheck(q))
		}
	}
	return slices.DeleteFunc(all, func(c check) bool {
		begins := func(only string) bool { return strings.HasPrefix(c.name, only) }
		return t.Only != nil && !slices.ContainsFunc(t.Only, begins)
	})
}

// describe asks the plugin what it is.
func describe(ctx context.Context, t Target) (sdk.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	s := &session{target: t}
	defer s.close()
	p, err := s.open(ctx)
	if err != nil {
		return sdk.Description{}, err
	}
	d, err := p.Describe(ctx)
	if err != nil {
		return sdk.Description{}, fmt.Errorf("asking the plugin what it is: %w", err)
	}
	return d, nil
}

// notApplicable is why a check does not apply.
type notApplicable string

func (n notApplicable) Error() string { return string(n) }

func (c check) result(ctx context.Context, t Target, d sdk.Description) Result {
	r := Result{Check: c.name, Promise: c.promise, Status: Passed}
	err := c.applies(t, d)
	if err == nil {
		err = c.once(ctx, t, d)
	}
	var why notApplicable
	switch {
	case errors.As(err, &why):
		r.Status, r.Detail = DoesNotApply, string(why)
	case err != nil:
		r.Status, r.Detail = Failed, clip(strings.ReplaceAll(err.Error(), Key, "[the key]"))
	}
	return r
}

func (c check) applies(t Target, d sdk.Description) error {
	switch {
	case c.service != "" && !offers(d, c.service):
		return notApplicable("the plugin has no " + string(c.service))
	case c.program && t.Program == nil:
		return notApplicable("the plugin runs in the kit's own process")
	case c.fake && t.Shape == "":
		return notApplicable("no fake model server was named that the plugin can be pointed to")
	}
	return nil
}

// once runs the check with plugins and servers of its own.
func (c check) once(ctx context.Context, t Target, d sdk.Description) (err error) {
	ctx, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	s := &session{target: t, description: d}
	defer func() { err = errors.Join(err, s.close()) }()
	return c.run(ctx, s)
}

// session is what one check has opened.
type session struct {
	target      Target
	description sdk.Description
	closers     []func() error
}

func (s *session) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		if err := s.closers[i](); err != nil {
			errs = append(errs, fmt.Errorf("ending the plugin: %w", err))
		}
	}
	return errors.Join(errs...)
}

// plugin is a running plugin, with the fake model server that it was pointed to.
type plugin struct {
	*client.Client
	conn   *Connection
	server *fakeserver.Server // nil: none
}

// open starts a plugin, not configured.
func (s *session) open(ctx context.Context) (*plugin, error) {
	conn, err := s.target.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting the plugin: %w", err)
	}
	s.closers = append(s.closers, conn.Close)
	return &plugin{Client: client.New(conn.Conn), conn: conn}, nil
}

// ready starts a plugin and configures it, pointed to a fake server that works.
func (s *session) ready(ctx context.Context) (*plugin, error) {
	return s.facing(ctx, fakeserver.Says(s.target.Shape, "All is well."))
}

// facing starts a plugin and configures it, pointed to a fake server.
func (s *session) facing(ctx context.Context, script fakeserver.Script) (*plugin, error) {
	p, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	address := ""
	if s.target.Shape != "" {
		p.server = fakeserver.Start(script)
		s.closers = append(s.closers, func() error {
			p.server.Close()
			return nil
		})
		address = p.server.Address(s.target.Shape)
	}
	err = p.Configure(ctx, sdk.Configuration{Provider: "conformance", Settings: s.target.Settings(address), Files: s.target.Files})
	if err != nil {
		return nil, fmt.Errorf("configuring the plugin with its settings: %w", err)
	}
	return p, nil
}

func offers(d sdk.Description, service sdk.ServiceName) bool {
	for _, s := range d.Services {
		if s == service {
			return true
		}
	}
	return false
}
