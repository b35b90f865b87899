package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/core/audit"
)

// writeReceiptText writes a receipt for people, or itself under --output json.
func (a *app) writeReceiptText(r *audit.Receipt) error {
	if a.output == outputJSON {
		text, err := r.Encode()
		if err != nil {
			return err
		}
		_, err = a.stdout.Write(text)
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, output.Escape(fmt.Sprintf(format, args...)))
	}
	line("run", "%s", r.RunID)
	line("time", "%s, read as %s in %s", r.Time.Format("2006-01-02 15:04:05Z07:00"), r.Clock.Now, r.Clock.Zone)
	line("question", "%s", r.Question.Text)
	line("caller", "%s (%s)", r.Caller.Name, strings.Join(r.Caller.Roles, ", "))
	line("outcome", "%s", r.Answer.Outcome)
	if f := r.Answer.Failure; f != nil {
		line("failure", "%s (%s) at %s", f.Code, f.Reason, f.Step)
	}
	receiptQueries(line, r)
	for _, res := range r.Results {
		line("result", "%s rows: %d, hash %s", res.SubQuery, res.RowCount, res.Hash)
	}
	for _, c := range r.Calls {
		line("call", "%s by %s %s", c.Agent, c.Provider, c.Model)
	}
	line("worded by", "%s %s", r.Answer.SynthesizedBy, strings.Join(r.Answer.TemplateIDs, " "))
	line("policy hash", "%s", r.PolicyHash)
	line("took", "%d ms", r.Elapsed)
	line("hash", "%s", r.Hash)
	line("signed", "%s", signedBy(r))
	if p := r.Part; p != nil && len(p.Withheld) > 0 {
		line("left out", "%s", strings.Join(p.Withheld, ", "))
	}
	return w.Flush()
}

func receiptQueries(line func(name, format string, args ...any), r *audit.Receipt) {
	for _, q := range r.Queries {
		line("query", "%s on %s, planned by %s, plan %s", q.SubQuery, q.Datasource, q.Planner, q.PlanID)
		line("sql", "%s", strings.Join(strings.Fields(q.SQL), " "))
		var args []string
		for _, arg := range q.Args {
			switch {
			case arg.HMAC != "":
				args = append(args, "hmac:"+arg.HMAC)
			case arg.List != nil:
				args = append(args, fmt.Sprintf("%s of %d", arg.Kind, len(arg.List)))
			default:
				args = append(args, fmt.Sprintf("%q", arg.Text))
			}
		}
		line("arguments", "%s", strings.Join(args, ", "))
	}
}

func signedBy(r *audit.Receipt) string {
	if r.Signature == "" {
		return "no"
	}
	return "with the key " + r.KeyID
}

// writeChecks writes the lines of a report.
func writeChecks(out io.Writer, report audit.Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range report {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Status, output.Escape(c.What), output.Escape(c.Detail))
	}
	return w.Flush()
}
