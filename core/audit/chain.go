package audit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Chain checks the lines of an audit log one by one. The zero Chain stands before
// the first entry. A copy of it goes on from where it was taken.
type Chain struct {
	Key Key // zero: signatures are counted and not checked

	count  int64
	last   string // hash of the last entry
	prev   string // hash of the one before it
	signed int64
	torn   []byte // what stands behind the last entry and is none
	why    error  // of the first torn line
}

// Count is how many entries there were.
func (c *Chain) Count() int64 { return c.count }

// Signed is how many of them were signed.
func (c *Chain) Signed() int64 { return c.signed }

// Last is the hash of the last entry, 64 zeros before the first.
func (c *Chain) Last() string {
	if c.count == 0 {
		return firstPrev
	}
	return c.last
}

// The details of an entry that seals a torn end.
const (
	detailTornBytes = "torn_bytes"
	detailTornHash  = "torn_sha256"
)

// Line checks the next line, without its newline. A line that is no entry is an
// error unless an entry that seals it comes next; since that is known only then,
// such a line is reported by the Line or the End behind it.
func (c *Chain) Line(line []byte) error {
	e, err := c.entry(line)
	if err != nil {
		if c.why == nil {
			c.why = err
		}
		// No crash leaves an entry behind a torn line, wherever it belongs.
		_, whole := parseEntry(line)
		if len(c.torn)+len(line) > maxTorn || len(c.torn) > 0 && whole {
			return c.why
		}
		c.torn = append(append(slices.Clip(c.torn), line...), '\n')
		return nil
	}
	if err := c.seal(e); err != nil {
		return err
	}
	c.count, c.last, c.prev = e.Seq, e.Hash, e.Prev
	if e.MAC != "" {
		c.signed++
	}
	return nil
}

// maxTorn is more than crashes leave of entries, each of which is written at once.
const maxTorn = 1 << 20

// parseEntry is the line's entry, wherever it belongs.
func parseEntry(line []byte) (Entry, bool) {
	var e Entry
	if decode(line, &e, func() ([]byte, error) { return canonical(e) }) != nil {
		return e, false
	}
	own, err := e.hash()
	return e, err == nil && own == e.Hash
}

// End is the error of what stands behind the last entry.
func (c *Chain) End() error { return c.why }

// entry is the line's entry, if it is the next one.
func (c *Chain) entry(line []byte) (Entry, error) {
	var e Entry
	if err := decode(line, &e, func() ([]byte, error) { return canonical(e) }); err != nil {
		return e, fmt.Errorf("the line is no entry of an audit log: %w", err)
	}
	own, err := e.hash()
	switch {
	case err != nil || own != e.Hash:
		return e, errors.New("the entry was changed: its content has another hash than it says")
	case e.Seq != c.count+1:
		return e, fmt.Errorf("the entry is number %d where number %d follows: entries were dropped, added or moved", e.Seq, c.count+1)
	case e.Prev != c.Last():
		return e, errors.New("the entry does not follow the one before it: entries were dropped, added, moved or changed")
	case !slices.Contains(Kinds(), e.Kind):
		return e, fmt.Errorf("there is no kind of entry %q", e.Kind)
	}
	return e, c.signature(e)
}

// signature checks the MAC of an entry. Entries from before there was a key are
// held by the first one that is signed: it names the hash of the one before it.
func (c *Chain) signature(e Entry) error {
	if e.MAC == "" {
		if c.signed > 0 {
			return errors.New("the entry is not signed, and those before it are")
		}
		return nil
	}
	if !c.Key.Known() {
		return nil
	}
	if e.KeyID != c.Key.ID() {
		return fmt.Errorf("the entry is signed with the key %q, and this is the key %s", e.KeyID, c.Key.ID())
	}
	again, err := e.mac(c.Key)
	if err != nil || again != e.MAC {
		return errors.New("the entry was written by someone without the key: its signature is wrong")
	}
	return nil
}

// seal checks that e seals what is torn, and that nothing is torn that it does not
// seal.
func (c *Chain) seal(e Entry) error {
	if c.why == nil {
		if e.Kind == Recovered {
			return errors.New("the entry seals a torn end, and there is none before it")
		}
		return nil
	}
	if e.Kind != Recovered || e.Detail[detailTornBytes] != strconv.Itoa(len(c.torn)) || e.Detail[detailTornHash] != digest(c.torn) {
		return c.why
	}
	c.torn, c.why = nil, nil
	return nil
}

// recovery is the entry that seals a torn end.
func recovery(torn []byte) Entry {
	return Entry{Kind: Recovered, Detail: map[string]string{
		detailTornBytes: strconv.Itoa(len(torn)), detailTornHash: digest(torn),
	}}
}
