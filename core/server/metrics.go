package server

import "net/http"

// metrics answers with what is measured. It needs no key where the server listens
// on the loopback interface alone: what is measured names providers, models and
// reasons, and nothing that was asked.
func (s *Server) metrics(w *response, r *http.Request, _ *call) *problem {
	handler := s.options().Metrics
	if handler == nil {
		return problemOf(notFound, "This path is not part of the API.")
	}
	handler.ServeHTTP(w, r)
	return nil
}
