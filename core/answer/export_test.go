package answer

// CheckSuccess is the check of a model's words, for its benchmark.
var CheckSuccess = checkSuccess
