package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/server"
)

// receipts are those of kim's run and of another's, and one that cannot be read.
type receipts struct{ own *audit.Receipt }

func (r receipts) Receipt(_ context.Context, id string, caller policy.Caller) (*audit.Receipt, error) {
	switch {
	case id == "broken":
		return nil, errors.New("the disk at /secret/path is gone")
	case id == "own" && caller.Name == "kim":
		return r.own, nil
	}
	return nil, fmt.Errorf("run %q: %w", id, audit.ErrNotFound)
}

func TestReceiptsOverHTTP(t *testing.T) {
	own, err := audit.Receipt{RunID: "own", Question: audit.Question{Text: "얼마나 <b> 많은?"}}.Sealed(audit.Key{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := own.Encode()
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, &engine{}, func(o *server.Options) { o.Receipts = receipts{own} })
	get := func(path string, headers ...string) reply {
		return a.do(t, a.request(t.Context(), "GET", path, "", headers...))
	}
	if got := get("/v1/runs/own/receipt"); got.status != 200 || got.body != string(text) || got.header.Get("Querent-Run-Id") != "own" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := get("/v1/runs/own/receipt", "Authorization", "Bearer qk_wrong"); got.status != 401 {
		t.Errorf("without a valid key: %d", got.status)
	}
	// Of a run that is not there no other answer comes than of one of somebody else.
	other, none := get("/v1/runs/other/receipt").problem(t), get("/v1/runs/none/receipt").problem(t)
	other.Instance, other.TraceID, none.Instance, none.TraceID = "", "", "", ""
	if other.Status != 404 || other != none {
		t.Errorf("%+v, %+v", other, none)
	}
	got := get("/v1/runs/broken/receipt")
	if p := got.problem(t); p.Status != 500 || strings.Contains(got.body, "secret") {
		t.Errorf("%d %s", p.Status, got.body)
	}
	for path, want := range map[string]int{"/v1/runs//receipt": 404, "/v1/runs/own/receipt/x": 404, "/v1/runs/a/b/receipt": 404, "/v1/runs/own": 405} {
		if got := get(path); got.status != want {
			t.Errorf("GET %s is %d, want %d", path, got.status, want)
		}
	}
	if got := a.do(t, a.request(t.Context(), "DELETE", "/v1/runs/own/receipt", "")); got.status != 405 {
		t.Errorf("DELETE is %d", got.status)
	}
	bare := start(t, &engine{})
	if got := bare.do(t, bare.request(t.Context(), "GET", "/v1/runs/own/receipt", "")); got.status != 404 {
		t.Errorf("without a store it is %d", got.status)
	}
}
