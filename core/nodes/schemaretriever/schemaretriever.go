// Package schemaretriever is the node that finds what a plan may use: the part
// of the datasource's structure that the caller may read. All of it is relevant:
// nothing is left out that the question could need.
package schemaretriever

import (
	"context"
	"fmt"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Datasource schema.DatasourceID
	Caller     policy.Caller
}

// Output is what the node gives to the sub-query.
type Output struct {
	Catalog *schema.Catalog // the snapshot that the whole sub-query works on
	View    *policy.View    // the caller's part of it
	Tables  wire.CatalogView
	Summary string
}

// Catalogs gives the snapshot of a datasource's structure. Its errors are
// *reason.Error.
type Catalogs interface {
	Catalog(ctx context.Context, id schema.DatasourceID) (*schema.Catalog, error)
}

// Policy decides what a caller may see.
type Policy interface {
	View(cat *schema.Catalog, caller policy.Caller) (*policy.View, error)
}

// Retriever is the node. It is safe for concurrent use.
type Retriever struct {
	Catalogs Catalogs
	Policy   Policy
}

// Run takes the snapshot and the caller's view of it. It fails when the
// datasource cannot be read, when the caller is unknown, and when the caller may
// read no table of it.
func (r *Retriever) Run(ctx context.Context, in Input) (Output, error) {
	cat, err := r.Catalogs.Catalog(ctx, in.Datasource)
	if err != nil {
		return Output{}, err
	}
	view, err := r.Policy.View(cat, in.Caller)
	if err != nil {
		return Output{}, err
	}
	tables := view.Wire()
	return Output{
		Catalog: cat, View: view, Tables: tables,
		Summary: fmt.Sprintf("Tables of %s that the caller may use: %d.", in.Datasource, len(tables.Tables)),
	}, nil
}
