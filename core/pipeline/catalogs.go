package pipeline

import (
	"context"
	"sync"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/executor"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// sources are the datasources with what is known of their structure. A snapshot
// is read once and kept until it proves stale.
type sources struct {
	all map[schema.DatasourceID]*source
}

type source struct {
	datasource.Datasource
	reading chan struct{} // holds a token while someone introspects

	mu    sync.Mutex
	known *schema.Catalog
}

func newSources(all map[schema.DatasourceID]datasource.Datasource) *sources {
	s := &sources{all: map[schema.DatasourceID]*source{}}
	for id, d := range all {
		s.all[id] = &source{Datasource: d, reading: make(chan struct{}, 1)}
	}
	return s
}

// Catalog is the snapshot of the datasource's structure. Of several runs that
// need one, one reads it and the others wait; a failure is not kept.
func (s *sources) Catalog(ctx context.Context, id schema.DatasourceID) (*schema.Catalog, error) {
	src, ok := s.all[id]
	if !ok {
		return nil, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no datasource %q to read the schema of", id)
	}
	if cat := src.catalog(); cat != nil {
		return cat, nil
	}
	select {
	case src.reading <- struct{}{}:
		defer func() { <-src.reading }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if cat := src.catalog(); cat != nil {
		return cat, nil
	}
	cat, err := src.Introspect(ctx)
	if err != nil {
		return nil, err
	}
	src.keep(cat)
	return cat, nil
}

// Forget drops the snapshot, so that the next question reads the structure anew.
func (s *sources) Forget(id schema.DatasourceID) {
	if src, ok := s.all[id]; ok {
		src.keep(nil)
	}
}

// Querier is the database behind the name.
func (s *sources) Querier(id schema.DatasourceID) (executor.Querier, bool) {
	src, ok := s.all[id]
	return src, ok
}

// Explainer is what explains statements on the database behind the name.
func (s *sources) Explainer(id schema.DatasourceID) (datasource.Explainer, bool) {
	src, ok := s.all[id]
	if !ok {
		return nil, false
	}
	explainer, _ := src.Datasource.(datasource.Explainer)
	return explainer, true
}

func (s *source) catalog() *schema.Catalog {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

func (s *source) keep(cat *schema.Catalog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = cat
}
