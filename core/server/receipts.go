package server

import (
	"context"
	"errors"
	"net/http"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/policy"
)

// Receipts gives the receipts of runs to those who may read them.
type Receipts interface {
	// Receipt is what the caller may see of the receipt of a run. For a run that is
	// not there, and for one that the caller may not see, the error is
	// audit.ErrNotFound, wrapped.
	Receipt(ctx context.Context, runID string, caller policy.Caller) (*audit.Receipt, error)
}

// receipt answers with a receipt. Whether there is one that the caller may not see
// is not told.
func (s *Server) receipt(w *response, r *http.Request, c *call) *problem {
	none := problemOf(notFound, "There is no receipt of a run with this id that you may read.")
	if s.options().Receipts == nil {
		return none
	}
	found, err := s.options().Receipts.Receipt(r.Context(), c.segment, c.caller)
	if errors.Is(err, audit.ErrNotFound) {
		return none
	}
	var text []byte
	if err == nil {
		text, err = found.Encode()
	}
	if err != nil {
		s.options().Logger.Error("a receipt could not be read", "trace", c.id, "error", err)
		return problemOf(internalError, "The receipt could not be read. The server's log has more under the trace id.")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(runHeader, found.RunID)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	if _, err := w.Write(text); err != nil {
		panic(http.ErrAbortHandler) // what was sent is no whole receipt
	}
	return nil
}
