package docgen

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/sdk/reason"
)

func TestErrorsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# What can go wrong

This page is made from the table in ` + "`sdk/reason`" + `; do not edit it.

The *code* says which step failed, the *reason* is what programs switch on. Both
are a contract: they are added, never renamed. Messages may change. Whatever the
database or the provider said stays in the host's log under the trace id.

| code | reason | retried | exit code | worded by | message | what to do |
|---|---|---|---|---|---|---|
`)
	for _, r := range reason.Rows() {
		retried := "no"
		if r.Retryable {
			retried = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %s | %s |\n", r.Code, r.Reason, retried, r.Exit, r.Wording, r.SafeMessage, r.NextAction)
	}
	b.WriteString(`
"Retried" means that another attempt may help, not that one is made.

Exit codes: 0 answered, 1 internal, 2 usage or configuration, 3 refused by policy,
4 cannot be answered, 5 provider failed, 6 datasource failed, 7 answered with
warnings under ` + "`--strict`" + `, 130 cancelled.

Warnings do not end a run:

`)
	for _, w := range reason.Warnings() {
		fmt.Fprintf(&b, "- %s\n", w)
	}
	check(t, "docs/errors.md", b.String())
}
