package synth

import (
	"context"
	"fmt"
	"strings"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
)

// Check words every sample in every language of the set, and says which cannot
// be worded or are left without a summary. The problems are of no file: they are
// of all packs together.
func Check(set *pack.Set) pack.Problems {
	var out pack.Problems
	s := New(set)
	for _, l := range set.Languages() {
		for _, sample := range Samples() {
			res, err := s.Synthesize(context.Background(), sdk.SynthesizeRequest{Outcome: sample.Outcome, Language: l.Tag.String()})
			switch {
			case err != nil:
				out = append(out, pack.Problem{File: l.File(), ID: sample.Name, Message: fmt.Sprintf("in %s: %v", l.Tag, err)})
			case strings.TrimSpace(res.Response.Summary) == "":
				out = append(out, pack.Problem{File: l.File(), ID: sample.Name, Message: fmt.Sprintf("in %s: the summary is empty", l.Tag)})
			}
		}
	}
	return out
}
