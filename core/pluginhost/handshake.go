package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"time"

	"querent.dev/querent/core/pluginhost/confine"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// explainStart is why the plugin did not start: what go-plugin says is true, but
// names neither the plugin nor what to do. took is how long it was waited for.
func (o *ownProcess) explainStart(ctx context.Context, took time.Duration, err error) *reason.Error {
	if ctx.Err() != nil {
		return o.spec.startEnded(ctx)
	}
	var unconfined *confineError
	var unreached *confine.ExecError
	if o.process.pid() == 0 || errors.As(err, &unconfined) || errors.As(err, &unreached) {
		return o.explainSpawn(err)
	}
	o.process.kill() // so that what it wrote is complete
	if err := o.process.awaitEnd(); err != nil {
		return o.spec.unavailable("%w", err)
	}
	line := o.process.stdout.line()
	switch version, isHandshake := handshakeVersion(line); {
	case isHandshake && version != sdk.ProtocolVersion:
		return o.spec.misconfigured(versionMessage(o.process.path, version))
	case isHandshake:
		return o.spec.failed(reason.Misconfigured, "the handshake of %s is not usable: %w", o.process.path, err)
	case line != "":
		return o.garbled(line)
	case took >= o.opts.Timeouts.Start:
		return o.spec.failed(reason.Timeout, "the plugin %s printed no handshake within %v", o.process.path, o.opts.Timeouts.Start)
	}
	return o.spec.unavailable("the plugin %s ended before its handshake: %w", o.process.path, o.process.ended())
}

// unconfinedNext is what to do about a plugin that cannot be confined.
const unconfinedNext = "The operator can see with querent doctor what this host can enforce."

func (o *ownProcess) explainSpawn(err error) *reason.Error {
	why := err.Error()
	var unconfined *confineError
	switch {
	case errors.As(err, &unconfined):
		return o.spec.untrusted(fmt.Errorf("%s cannot be started: it cannot be confined as %s, files and limits want: %w", o.process.path, o.spec.setting("network"), err),
			"its plugin cannot be confined as the configuration wants, so it was not started.", unconfinedNext)
	case errors.Is(err, syscall.ENOEXEC):
		why = "it is not an executable for " + Platform() + "; install the plugin's build for this platform"
	case errors.Is(err, fs.ErrPermission):
		why = "it may not be executed; give it the x permission, and see that its file system is not mounted noexec"
	case errors.Is(err, fs.ErrNotExist):
		why = "the interpreter or the loader that it needs is missing"
	}
	return o.spec.misconfigured(fmt.Sprintf("%s cannot be started: %s", o.process.path, why))
}

// garbled is the error of a plugin whose first line is not the handshake. The
// line is the plugin's, so it is for the operator only.
func (o *ownProcess) garbled(line string) *reason.Error {
	own := fmt.Sprintf("%s printed something else than its handshake first; a plugin must print nothing on standard output before sdk.Serve", o.process.path)
	return o.spec.failed(reason.Misconfigured, "%s: %q", own, shorten(line)).WithSafe("%s", o.spec.prefix()+own)
}

// handshakeVersion is the protocol version of a handshake line:
// core version | protocol version | network | address | …
func handshakeVersion(line string) (int, bool) {
	parts := strings.Split(line, "|")
	if len(parts) < 4 {
		return 0, false
	}
	if _, err := strconv.Atoi(parts[0]); err != nil {
		return 0, false
	}
	version, err := strconv.Atoi(parts[1])
	return version, err == nil
}

// handshakeHasCertificate reports whether a handshake line carries the plugin's
// certificate, its sixth part.
func handshakeHasCertificate(line string) bool {
	parts := strings.Split(line, "|")
	return len(parts) > 5 && parts[5] != ""
}

func versionMessage(path string, version int) string {
	update := "the plugin is too old: update the plugin"
	if version > sdk.ProtocolVersion {
		update = "the host is too old: update the host, or install an older plugin"
	}
	return fmt.Sprintf("%s speaks version %d of the plugin protocol, and this host speaks version %d; %s", path, version, sdk.ProtocolVersion, update)
}

// pathCause is what is wrong with a file, without the path that the message
// names already.
func pathCause(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
