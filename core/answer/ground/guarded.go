package ground

// Unread is why a text is refused at which the check itself fails.
const Unread = "it cannot be read"

// guarded refuses the whole text where a check panics: what is not checked is not shown, and
// the run goes on.
func (c *Checker) guarded(check func() []Violation) (found []Violation) {
	unread := []Violation{{Item: "the text", Clause: "the text", Why: Unread}}
	if c.unread {
		return unread
	}
	defer func() {
		if recover() != nil {
			found = unread
		}
	}()
	return check()
}

// orUnread is a checker that refuses every text where its preparation panics.
func orUnread(prepare func() *Checker) (c *Checker) {
	defer func() {
		if recover() != nil {
			c = &Checker{unread: true}
		}
	}()
	return prepare()
}
