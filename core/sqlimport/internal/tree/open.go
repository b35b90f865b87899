package tree

// Open is a query without its limit, in the flavour that it was written in, with
// the terms that it is ordered by among its columns.
type Open struct {
	SQL string
	// Keys are the places of the terms among the columns: from the first, or, below
	// zero, from behind the last.
	Keys []int
	// Added is how many columns were added behind the query's own.
	Added int
}
