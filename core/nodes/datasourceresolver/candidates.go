package datasourceresolver

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// candidate is a datasource that the caller may ask.
type candidate struct {
	id   schema.DatasourceID
	view wire.CatalogView
}

// candidates are the datasources, sorted by what the caller may do with them.
type candidates struct {
	permitted  []candidate
	restricted []*schema.Catalog
	lost       []error // of those that cannot be read just now
}

// look is what reading one datasource's structure gave.
type look struct {
	catalog *schema.Catalog
	view    *policy.View
	err     error
}

// candidates reads the structure of every datasource at once. The error is that of
// the caller, or of the datasources when no other is left.
func (n *Node) candidates(ctx context.Context, caller policy.Caller) (candidates, error) {
	looks := make([]look, len(n.Datasources))
	var group errgroup.Group
	for i, id := range n.Datasources {
		group.Go(func() error {
			looks[i] = n.look(ctx, id, caller)
			return nil
		})
	}
	// What went wrong is in each look; the group only waits.
	_ = group.Wait()
	if ctx.Err() != nil {
		return candidates{}, context.Cause(ctx)
	}
	var out candidates
	for i, l := range looks {
		switch {
		case l.err == nil:
			out.permitted = append(out.permitted, candidate{n.Datasources[i], l.view.Wire()})
		case errors.Is(l.err, &reason.Error{Code: reason.CallerAuthRequired}):
			return candidates{}, l.err
		case errors.Is(l.err, &reason.Error{Reason: reason.ReasonRestrictedDatasource}):
			out.restricted = append(out.restricted, l.catalog)
		default:
			out.lost = append(out.lost, l.err)
		}
	}
	if len(out.permitted) > 0 {
		return out, nil
	}
	if len(out.lost) > 0 {
		return out, out.lost[0]
	}
	return out, reason.New(reason.UnmappedCode, reason.ReasonRestrictedDatasource,
		"caller %q may read none of %d datasources", caller.Name, len(n.Datasources))
}

func (n *Node) look(ctx context.Context, id schema.DatasourceID, caller policy.Caller) look {
	ctx, cancel := context.WithTimeout(ctx, n.Patience)
	defer cancel()
	catalog, err := n.Catalogs.Catalog(ctx, id)
	if err != nil && ctx.Err() != nil {
		err = reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "the schema of %s was not read within %s: %w", id, n.Patience, err)
	}
	if err != nil {
		return look{err: err}
	}
	view, err := n.Policy.View(catalog, caller)
	return look{catalog, view, err}
}

// notes says that datasources were left out. It names none: whether the caller
// may know of them is not known.
func (c candidates) notes(language string) []wire.Note {
	if len(c.lost) == 0 {
		return nil
	}
	return []wire.Note{notes.DatasourceLeftOut(language)}
}

// described is a datasource as a choice.
func (c candidates) described(id schema.DatasourceID) string {
	for _, p := range c.permitted {
		if p.id == id && p.view.Description != "" {
			return string(id) + ": " + p.view.Description
		}
	}
	return string(id)
}

func (c candidates) has(id schema.DatasourceID) bool {
	for _, p := range c.permitted {
		if p.id == id {
			return true
		}
	}
	return false
}
