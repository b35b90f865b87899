package plan

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxNames bounds the names that a message lists.
const maxNames = 12

// suggest names the candidate that is nearest to wrong, or lists them. The
// candidates must be visible to the caller.
func suggest(wrong string, candidates []string) string {
	if near := nearest(wrong, candidates); near != "" {
		return "did you mean " + quote(near) + "?"
	}
	if len(candidates) == 0 {
		return ""
	}
	names := slices.Clone(candidates)
	slices.Sort(names)
	names = slices.Compact(names)
	more := ""
	if len(names) > maxNames {
		names, more = names[:maxNames], ", …"
	}
	for i := range names {
		names[i] = quote(names[i])
	}
	return "there are " + strings.Join(names, ", ") + more
}

// nearest is the candidate at most a third of wrong's letters away from it, or
// ""; a tie goes to the first in the alphabet.
func nearest(wrong string, candidates []string) string {
	wrong = strings.ToLower(clip(wrong))
	best, limit := "", max(1, len([]rune(wrong))/3)
	for _, c := range candidates {
		d := levenshtein.ComputeDistance(wrong, strings.ToLower(clip(c)))
		if d < limit || d == limit && (best == "" || c < best) {
			best, limit = c, d
		}
	}
	return best
}
