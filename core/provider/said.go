package provider

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// explainSaid says in the host's own words what is known of a failure beside its
// kind: the HTTP status of the provider's server, and how long it asks to be left
// alone. The server's own text stays out.
func explainSaid(out *reason.Error, l link, said *sdk.Error) {
	status := statusWords(said.Status)
	if status != "" && said.Kind == reason.Unavailable {
		// It was reached, and could not answer.
		out.WithSafe("%s Its server %s.", l.title(), status).
			WithNext("Look at the log of the provider's server, or switch to another provider.")
	} else if said.Kind == reason.Unavailable && said.Status == 0 {
		out.WithNext("Check that the provider's server runs at the configured address and that plugins.%s.network does not keep the plugin from it, or switch to another provider; the log has the cause, with --log-level debug.", l.Plugin)
	} else if status != "" {
		out.WithSafe("%s Its server %s.", out.SafeMessage, status)
	}
	if wait := waitWords(said.RetryAfter); wait != "" {
		out.WithSafe("%s It asks to be left alone for %s.", out.SafeMessage, wait).
			WithNext("Wait %s, then ask again, or switch to another provider.", wait)
	}
}

// statusWords are an HTTP status in words, "" where none was given or where it says
// nothing of the failure.
func statusWords(status int) string {
	switch {
	case status < 100 || status > 599:
		return ""
	case status >= http.StatusMultipleChoices:
		return fmt.Sprintf("answered with HTTP status %d", status)
	case status == http.StatusOK:
		return "answered with HTTP status 200, but with an error in place of an answer"
	}
	return ""
}

// waitWords are a wait as people read it, to the second: 1h, 1m30s.
func waitWords(wait time.Duration) string {
	if wait <= 0 {
		return ""
	}
	text := (wait + time.Second - 1).Truncate(time.Second).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = strings.TrimSuffix(text, zero[1:])
		}
	}
	return text
}
