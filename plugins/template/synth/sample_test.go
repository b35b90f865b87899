package synth_test

import (
	"context"
	"fmt"
	"testing"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/plugins/template/synth"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// The samples leave out no outcome, shape or reason, and can all be worded.
func TestSamplesAreOfEverything(t *testing.T) {
	s, seen := open(t), map[string]bool{}
	for _, sample := range synth.Samples() {
		if seen[sample.Name] {
			t.Errorf("two samples are named %s", sample.Name)
		}
		seen[sample.Name] = true
		res, err := s.Synthesize(context.Background(), sdk.SynthesizeRequest{Outcome: sample.Outcome, Language: "ko"})
		if err != nil || res.Response.Summary == "" {
			t.Errorf("%s: %q, %v", sample.Name, res.Response.Summary, err)
		}
	}
	kinds := map[wire.OutcomeKind]bool{}
	for _, sample := range synth.Samples() {
		kinds[sample.Outcome.Kind] = true
	}
	for _, kind := range wire.OutcomeKinds() {
		if !kinds[kind] {
			t.Errorf("no sample is %s", kind)
		}
	}
	for _, shape := range pack.Shapes() {
		for _, name := range []string{fmt.Sprintf("answered/%s", shape), fmt.Sprintf("partial/%s, full", shape)} {
			if !seen[name] {
				t.Errorf("there is no sample %s", name)
			}
		}
	}
	if want := 2 * len(reason.Rows()); len(seen) < want+2*2*len(pack.Shapes()) {
		t.Errorf("%d samples are too few for %d reasons", len(seen), len(reason.Rows()))
	}
}
