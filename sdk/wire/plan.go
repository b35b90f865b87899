package wire

// PlanVersion is the version of the plan language that this module reads and
// writes. Stored plans carry it; a plan of a model leaves it out.
const PlanVersion = 1

// Plan is a plan in wire form, as a provider proposes it: flat JSON whose
// strings are clauses of the plan language. The top object is the result; helper
// blocks stand in With and see earlier ones only. Empty means absent. Nothing
// in it is trusted: core/plan parses and checks every string.
type Plan struct {
	Version   int     `json:"version,omitempty"`
	Reasoning string  `json:"reasoning,omitempty"`
	With      []Block `json:"with,omitempty"`
	Clauses
}

// Block is a named helper query.
type Block struct {
	Name      string   `json:"name"`
	Op        string   `json:"op"` // select, union, union_all, intersect or except
	Of        []string `json:"of,omitempty"`
	Recursive bool     `json:"recursive,omitempty"`
	Clauses
}

// Clauses are the parts of a select, in the order in which they are written.
type Clauses struct {
	From     string   `json:"from"`
	Joins    []string `json:"joins,omitempty"`
	Where    string   `json:"where,omitempty"`
	Group    []string `json:"group,omitempty"`
	Select   []string `json:"select,omitempty"`
	Having   string   `json:"having,omitempty"`
	Order    []string `json:"order,omitempty"`
	Limit    int64    `json:"limit,omitempty"`
	Offset   int64    `json:"offset,omitempty"`
	Per      []string `json:"per,omitempty"`
	Distinct bool     `json:"distinct,omitempty"`
}
