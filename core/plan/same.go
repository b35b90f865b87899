package plan

// Same reports whether two expressions of one block are written alike: then they
// have the same value in every row.
func Same(a, b Expr) bool { return key(a) == key(b) }

// Written is the expression as a plan writes it, with the names that it was given.
func Written(e Expr) string { return writtenNames.expr(e) }
