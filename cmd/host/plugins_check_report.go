package main

import (
	"fmt"
	"strings"

	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/reason"
)

// conformanceReport is the output of plugins test for programs.
type conformanceReport struct {
	conformance.Report
	OK           bool `json:"ok"`
	Passed       int  `json:"passed"`
	Failed       int  `json:"failed"`
	DoesNotApply int  `json:"does_not_apply"`
}

// tellResult writes a line of the matrix as soon as it is known.
func (a *app) tellResult(r conformance.Result) {
	if a.output == outputJSON {
		return
	}
	said := r.Promise
	if r.Detail != "" {
		said = strings.ReplaceAll(r.Detail, "\n", " ")
	}
	fmt.Fprintf(a.stdout, "%-14s  %-36s  %s\n", r.Status, r.Check, said)
}

// reportCheck sums up, and ends with the exit code of the plugin's conformance.
func (a *app) reportCheck(r conformance.Report) error {
	sum := conformanceReport{r, r.OK(), r.Count(conformance.Passed), r.Count(conformance.Failed), r.Count(conformance.DoesNotApply)}
	var err error
	if a.output == outputJSON {
		err = a.writeJSON(sum)
	} else {
		err = a.sumUp(sum)
	}
	if err == nil && !sum.OK {
		err = exitCode(reason.ExitProvider)
	}
	return err
}

func (a *app) sumUp(r conformanceReport) error {
	services := make([]string, len(r.Services))
	for i, s := range r.Services {
		services[i] = string(s)
	}
	verdict := "conforms"
	if !r.OK {
		verdict = "does not conform"
	}
	_, err := fmt.Fprintf(a.stdout, "\n%s %s (%s) %s: %d passed, %d failed, %d do not apply.\n",
		r.Plugin, r.Version, strings.Join(services, ", "), verdict, r.Passed, r.Failed, r.DoesNotApply)
	if err != nil || r.Shape != "" || !strings.Contains(strings.Join(services, " "), "model") {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, "It was not pointed to fake model servers: --quirks openai or --quirks ollama, with --set NAME={url}, checks what it makes of their answers.")
	return err
}
