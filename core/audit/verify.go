package audit

import (
	"errors"
	"fmt"
	"slices"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/wire"
)

// Status is what came of a check.
type Status string

// What can come of a check.
const (
	Checked   Status = "checked"
	Broken    Status = "failed"
	Unchecked Status = "could not check"
	Different Status = "different" // now than then, which proves nothing by itself
)

// Check is one line of a report.
type Check struct {
	What   string `json:"what"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"` // what was found, or what the check needs
}

// Report is what became of all checks of a receipt, in order.
type Report []Check

// OK reports whether nothing failed. What could not be checked did not fail.
func (r Report) OK() bool {
	return !slices.ContainsFunc(r, func(c Check) bool { return c.Status == Broken })
}

// Evidence is what a receipt is checked with beside itself. The zero Evidence checks
// what needs nothing else.
type Evidence struct {
	Key    Key
	Policy *policy.Policy // of the configuration; nil: the rules in the receipt
	Whole  *Receipt       // of which the receipt is a part
	Host   string         // version of this program
	// Words words the answer again by the templates that worded it; nil where there
	// are none at hand. It gives errors.ErrUnsupported, wrapped, for what it cannot
	// word.
	Words func(r *Receipt) (wire.AggregatedResponse, []string, error)
}

// Verify checks a receipt that Decode read. It needs neither a database nor a
// network.
func Verify(r *Receipt, e Evidence) Report {
	c := &checking{r: r, with: e}
	c.hash()
	c.signature()
	c.policy()
	for i := range r.Queries {
		c.query(i)
	}
	for i := range r.Results {
		c.result(i)
	}
	c.answer()
	c.part()
	return c.report
}

// checking is one check of a receipt.
type checking struct {
	r      *Receipt
	with   Evidence
	report Report
}

func (c *checking) say(s Status, what, detail string, args ...any) {
	c.report = append(c.report, Check{what, s, fmt.Sprintf(detail, args...)})
}

// same reports a check of equal texts.
func (c *checking) same(what, want, got string) {
	if want == got {
		c.say(Checked, what, "")
		return
	}
	c.differs(what, "the receipt says %s, and it comes out as %s", short(want), short(got))
}

// differs reports what came out in another way than the receipt says. Another
// version of the program may write the same plan in other words.
func (c *checking) differs(what, detail string, args ...any) {
	if c.with.Host != "" && c.with.Host != c.r.Host {
		c.say(Unchecked, what, "%s; the receipt is of version %s and this is %s, so use that one",
			fmt.Sprintf(detail, args...), c.r.Host, c.with.Host)
		return
	}
	c.say(Broken, what, detail, args...)
}

// shortest is as much of a text as tells it from others.
const shortest = 60

func short(text string) string {
	if len(text) > shortest {
		return fmt.Sprintf("%.*s…", shortest, text)
	}
	return fmt.Sprintf("%q", text)
}

func (c *checking) hash() {
	own, err := c.r.hash()
	if err != nil || own != c.r.Hash {
		c.say(Broken, "receipt hash", "the receipt was changed: its content has another hash than it says")
		return
	}
	c.say(Checked, "receipt hash", "")
}

func (c *checking) signature() {
	const what = "signature"
	switch key := c.with.Key; {
	case c.r.Signature == "" && key.Known():
		c.say(Broken, what, "the receipt is not signed, and there is a key")
	case c.r.Signature == "":
		c.say(Unchecked, what, "the receipt is not signed: whoever could write it could change it")
	case !key.Known():
		c.say(Unchecked, what, "needs the deployment's key (%s)", c.r.KeyID)
	case key.ID() != c.r.KeyID:
		c.say(Broken, what, "the receipt says that it was signed with the key %s, and this is the key %s", c.r.KeyID, key.ID())
	default:
		text, err := c.r.signed()
		if err != nil || !key.signed(c.r.Signature, purposeReceipt, digest(text)) {
			c.say(Broken, what, "it is not that of the key")
			return
		}
		c.say(Checked, what, "")
	}
}

// policy checks the hash of the rules.
func (c *checking) policy() {
	const what = "policy hash"
	switch {
	case c.r.PolicyHash == "":
		c.say(Unchecked, what, "the caller had no role")
		return
	case c.with.Policy != nil:
		c.same(what, c.r.PolicyHash, c.with.Policy.PolicyHash(c.r.Caller.Policy()))
		return
	case c.r.Rules == nil || c.r.Rules.Reduced:
		c.say(Unchecked, what, "the rules are not in this receipt: needs the whole one, or the configuration")
		return
	case c.r.Rules.Keyed:
		c.say(Unchecked, what, "the keys of masks are not in a receipt: needs the configuration")
		return
	}
	rules, err := c.r.Rules.policy()
	if err != nil {
		c.say(Broken, what, "the rules do not compile: %v", err)
		return
	}
	c.same(what, c.r.PolicyHash, rules.PolicyHash(c.r.Caller.Policy()))
}

// query writes a query again and compares.
func (c *checking) query(i int) {
	q := c.r.Queries[i]
	at := q.SubQuery + ": "
	switch {
	case q.SQL == "":
		c.say(Unchecked, at+"SQL", "nothing was written for this part")
		return
	case q.Plan == nil:
		c.say(Unchecked, at+"SQL from plan", "the plan is withheld: needs the whole receipt")
		return
	}
	w, keyed, err := c.render(i, *q.Plan)
	switch {
	case errors.Is(err, errNoBasis):
		c.say(Unchecked, at+"SQL from plan", "the rules and the structure are not in this receipt: needs the whole one")
		return
	case err != nil && c.redacted():
		c.say(Unchecked, at+"SQL from plan", "it cannot be written again from what was left: needs the whole receipt")
		return
	case err != nil:
		c.differs(at+"SQL from plan", "the plan does not give SQL: %v", err)
		return
	}
	c.ids(at, q, w, keyed)
	c.same(at+"SQL from plan", q.SQL, w.sql)
	c.args(i, at, w.args)
	switch {
	case keyed:
		c.say(Unchecked, at+"statement as sent", "it holds keys of masks: needs the configuration")
	case c.redacted():
		c.say(Unchecked, at+"statement as sent", "its arguments are left out: needs the whole receipt")
	default:
		c.same(at+"statement as sent", q.Basis.SentHash, w.sent)
	}
}

// render writes a plan again, and reports whether keys of masks were lacking.
func (c *checking) render(i int, p wire.Plan) (written, bool, error) {
	if c.with.Policy != nil {
		w, err := c.r.renderUnder(i, p, c.with.Policy)
		return w, false, err
	}
	w, err := c.r.render(i, p)
	return w, c.r.Rules != nil && c.r.Rules.Keyed, err
}

func (c *checking) redacted() bool { return c.r.Part != nil && c.r.Part.Redacted }

// ids checks the ids of a plan before and after policy.
func (c *checking) ids(at string, q Query, w written, keyed bool) {
	if c.redacted() {
		c.say(Unchecked, at+"plan id", "texts of the plan are left out: needs the whole receipt")
		c.say(Unchecked, at+"secured plan id", "texts of the plan are left out: needs the whole receipt")
		return
	}
	c.same(at+"plan id", q.PlanID, w.planID)
	if c.with.Policy == nil && c.r.Rules.Reduced {
		c.say(Unchecked, at+"secured plan id", "the rules are not in this receipt: needs the whole one")
		return
	}
	if keyed {
		c.say(Unchecked, at+"secured plan id", "it depends on keys of masks: needs the configuration")
		return
	}
	c.same(at+"secured plan id", q.SecuredID, w.securedID)
}

// args compares the arguments that are there.
func (c *checking) args(i int, at string, again []wire.Value) {
	q, left := c.r.Queries[i], 0
	if len(q.Args) != len(again) {
		c.differs(at+"arguments", "the receipt has %d, and there are %d", len(q.Args), len(again))
		return
	}
	for n, a := range q.Args {
		if a.HMAC != "" {
			left++
			continue
		}
		want, got := argText(a.Tagged), argText(wire.Tag(again[n]))
		if want != got {
			c.differs(at+"arguments", "argument %d is %s in the receipt and comes out as %s", n+1, short(want), short(got))
			return
		}
	}
	if left > 0 {
		c.say(Unchecked, at+"arguments", "left out: %d of %d; needs the whole receipt and the key", left, len(q.Args))
		return
	}
	c.say(Checked, at+"arguments", "")
}

// result checks the hash of a result whose rows are all there.
func (c *checking) result(i int) {
	r := c.r.Results[i]
	what := "result hash"
	if r.SubQuery != "" {
		what = r.SubQuery + ": result hash"
	}
	switch {
	case r.Hash == "":
		c.say(Unchecked, what, "the result has none")
		return
	case r.Rows == nil:
		c.say(Unchecked, what, "the rows are not in this receipt: needs the database (--rerun)")
		return
	case r.Partial || int64(len(r.Rows)) != r.RowCount:
		c.say(Unchecked, what, "the receipt holds %d of %d rows: needs the database (--rerun)", len(r.Rows), r.RowCount)
		return
	}
	rows, err := r.values()
	if err != nil {
		c.say(Broken, what, "%v", err)
		return
	}
	own, err := result.HashOf(r.Columns, rows)
	if err != nil {
		c.say(Broken, what, "%v", err)
		return
	}
	c.same(what, r.Hash, own)
}

// values are the rows that the receipt holds.
func (r Result) values() ([][]wire.Value, error) {
	out := make([][]wire.Value, len(r.Rows))
	for i, row := range r.Rows {
		for n, cell := range row {
			v, err := cell.Value()
			if err != nil {
				return nil, fmt.Errorf("cell %d of row %d is no value of its kind", n+1, i+1)
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}
