package answer

import "querent.dev/querent/sdk/wire"

// CheckSuccess is the check of a model's words, for its benchmark.
var CheckSuccess = func(o wire.Outcome, r wire.AggregatedResponse) error { return successCheck(o)(r) }
