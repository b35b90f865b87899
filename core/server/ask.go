package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/schema"
)

// runHeader names the run in the header of its answer.
const runHeader = "Querent-Run-Id"

// asked is the body of POST /v1/ask.
type asked struct {
	Question   string `json:"question"`
	Datasource string `json:"datasource"`
	Language   string `json:"language"`
	Format     string `json:"format"`
	Stream     *bool  `json:"stream"`
}

// ask answers a question. When the client leaves, the run is cancelled.
func (s *Server) ask(w *response, r *http.Request, c *call) *problem {
	body, p := s.read(w, r)
	if p != nil {
		return p
	}
	streamed, q, p := body.question(r, c)
	if p != nil {
		return p
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	run, p := s.runs.begin(c.caller, cancel)
	if p != nil {
		return p
	}
	defer s.runs.end(run)
	if streamed {
		s.stream(ctx, w, c, run, q)
		return nil
	}
	s.whole(ctx, w, c, run, q)
	return nil
}

// read reads the body, strictly.
func (s *Server) read(w *response, r *http.Request) (asked, *problem) {
	var body asked
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return body, problemOf(wrongMediaType, "Send the question as JSON, with the header Content-Type: application/json.")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options().MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return body, problemOf(bodyTooLarge, "The body may have %d bytes (server.max_body).", s.options().MaxBody)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return body, problemOf(slowBody, "The body must be there within %s.", s.options().Timeouts.Body)
	case err != nil:
		return body, problemOf(invalidJSON, "The body broke off.")
	}
	w.readFreely()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		return body, unreadable(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return body, problemOf(invalidJSON, "Something follows the JSON object.")
	}
	return body, nil
}

// unknown finds the field in encoding/json's error, which has no type of its own.
var unknown = regexp.MustCompile(`^json: unknown field "([A-Za-z0-9_.-]{1,40})"$`)

func unreadable(err error) *problem {
	var wrongType *json.UnmarshalTypeError
	switch {
	case unknown.MatchString(err.Error()):
		return problemOf(unknownField, "There is no field %q; there are question, datasource, language, format and stream.", unknown.FindStringSubmatch(err.Error())[1])
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return problemOf(unknownField, "There are the fields question, datasource, language, format and stream.")
	case errors.As(err, &wrongType) && wrongType.Field != "":
		return problemOf(invalidValue, "%s must be %s.", wrongType.Field, map[bool]string{true: "true or false", false: "a text"}[wrongType.Field == "stream"])
	}
	return problemOf(invalidJSON, "Expected one JSON object, such as {\"question\": \"How many customers do we have?\"}.")
}

// formats are the forms of an answer that fit into its JSON.
var formats = []string{"", "text", "json", "table"}

// question is the body as the engine takes it, and whether events are wanted:
// where the body does not say, the header Accept does.
func (a asked) question(r *http.Request, c *call) (streamed bool, q pipeline.Question, p *problem) {
	switch {
	case strings.TrimSpace(a.Question) == "":
		return false, q, problemOf(missingQuestion, "Put the question into the field question.")
	case !slices.Contains(formats, a.Format):
		return false, q, problemOf(invalidValue, "format must be text, json or table.")
	}
	if a.Language != "" {
		if _, err := language.Parse(a.Language); err != nil {
			return false, q, problemOf(invalidValue, "language must be a tag such as en or ko.")
		}
	}
	streamed = acceptsEvents(r)
	if a.Stream != nil {
		streamed = *a.Stream
	}
	return streamed, pipeline.Question{
		Text: a.Question, Caller: c.caller, Language: a.Language, Format: a.Format,
		Datasource: schema.DatasourceID(a.Datasource), Stream: streamed,
	}, nil
}

func acceptsEvents(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept") {
		for media := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(media, ";")
			if strings.EqualFold(strings.TrimSpace(name), eventStream) {
				return true
			}
		}
	}
	return false
}

// whole answers with the run's JSON when it has ended.
func (s *Server) whole(ctx context.Context, w *response, c *call, run *active, q pipeline.Question) {
	done := s.options().Engine.Ask(ctx, q, func(e graph.Event) { s.begun(c, run, e) })
	defer s.free(done)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(runHeader, done.ID)
	if err := s.options().Write(w, done); err != nil {
		s.options().Logger.Info("the answer could not be sent", "trace", c.id, "error", err)
		panic(http.ErrAbortHandler) // what was sent is no whole answer
	}
}

// begun names the run by its first event.
func (s *Server) begun(c *call, run *active, e graph.Event) {
	if c.runID == "" {
		c.runID, c.id = e.RunID, e.TraceID
		s.runs.named(run, e.RunID)
	}
}

func (s *Server) free(done *pipeline.Run) {
	if err := done.Close(); err != nil {
		s.options().Logger.Error("the results of a run could not be freed", "trace", done.TraceID, "error", err)
	}
}

// cancelRun ends a run of the same caller. Of others' runs nothing is told.
func (s *Server) cancelRun(w *response, _ *http.Request, c *call) *problem {
	if !s.runs.cancel(c.caller, c.segment) {
		return problemOf(notFound, "No run of yours with this id is on its way.")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
