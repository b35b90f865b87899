package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Store keeps receipts.
type Store interface {
	// Keep stores a sealed receipt. When it returns nil the receipt is on the disk.
	Keep(ctx context.Context, r *Receipt) error
	// Drop takes out the receipt of a run that could not be recorded otherwise.
	Drop(ctx context.Context, runID string) error
}

// Recorder seals the receipts of runs, stores them and notes them in the audit log.
// Its methods may be called concurrently.
type Recorder struct {
	Host  string // version of the program
	Key   Key
	Store Store // nil: receipts are not stored
	Log   *Log  // nil: there is no audit log
	// Packs are the template packs in use, with what they are.
	Packs func() []Pack
	Must  bool // nothing may be answered that was not recorded
}

// Required reports whether nothing may be answered that was not recorded.
func (c *Recorder) Required() bool { return c.Must }

// Record seals r, stores it, and writes an entry of it. With an error it is not
// recorded; the receipt is nil only if it could not be sealed.
func (c *Recorder) Record(ctx context.Context, r Receipt) (*Receipt, error) {
	r.Host = c.Host
	if c.Packs != nil && len(r.Answer.TemplateIDs) > 0 {
		r.Answer.Packs = packsOf(r.Answer.TemplateIDs, c.Packs())
	}
	sealed, err := r.Sealed(c.Key)
	if err != nil {
		return nil, fmt.Errorf("seal the receipt: %w", err)
	}
	if c.Store != nil {
		if err := c.Store.Keep(ctx, sealed); err != nil {
			return sealed, fmt.Errorf("store the receipt: %w", err)
		}
	}
	if c.Log != nil {
		if err := c.Log.Append(ctx, runFinished(sealed)); err != nil {
			return sealed, errors.Join(fmt.Errorf("write to the audit log: %w", err), c.drop(ctx, sealed.RunID))
		}
	}
	return sealed, nil
}

// drop takes the receipt out of the store again where recording is required: the
// answer in it is not given.
func (c *Recorder) drop(ctx context.Context, runID string) error {
	if c.Store == nil || !c.Must {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
	defer cancel()
	return c.Store.Drop(ctx, runID)
}

// dropTimeout is enough for a disk that others use; ctx may have ended with the wait
// for the log.
const dropTimeout = 10 * time.Second

func runFinished(r *Receipt) Entry {
	e := Entry{Kind: RunFinished, RunID: r.RunID, Caller: r.Caller.Name, By: r.Caller.Kind, Outcome: string(r.Answer.Outcome), Receipt: r.Hash}
	if f := r.Answer.Failure; f != nil {
		e.Detail = map[string]string{"code": string(f.Code), "reason": string(f.Reason)}
	}
	return e
}

// ErrNotFound is what a store has for a receipt that is not there.
var ErrNotFound = errors.New("there is no such receipt")

// packsOf are the packs that the templates are of; ids are pack/id@version.
func packsOf(ids []string, packs []Pack) []Pack {
	var out []Pack
	for _, p := range packs {
		if slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, p.ID+"/") }) {
			out = append(out, p)
		}
	}
	return out
}
