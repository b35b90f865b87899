package fakeserver_test

import (
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/sdk/conformance/fakeserver"
)

func TestQuirksAreWhole(t *testing.T) {
	for _, shape := range fakeserver.Shapes() {
		seen := map[string]bool{}
		quirks := fakeserver.Quirks(shape)
		if len(quirks) < 40 {
			t.Errorf("%s has %d quirks", shape, len(quirks))
		}
		for _, q := range quirks {
			switch {
			case seen[q.Name]:
				t.Errorf("%s/%s is there twice", shape, q.Name)
			case q.Sends == "" || q.Source == "" || q.Shape != shape:
				t.Errorf("%s/%s does not say what it is: %+v", shape, q.Name, q)
			case len(q.Whole)+len(q.Stream) == 0:
				t.Errorf("%s/%s sends nothing", shape, q.Name)
			case len(q.Want.Kinds) == 0 && q.Want.Finish == "":
				t.Errorf("%s/%s expects nothing", shape, q.Name)
			}
			seen[q.Name] = true
		}
	}
}

func TestAReplyIsOfItsRequest(t *testing.T) {
	server := fakeserver.Start(fakeserver.Says(fakeserver.OpenAI, "$MODEL: $PROMPT"))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.Address(fakeserver.OpenAI)+"/chat/completions",
		strings.NewReader(`{"model":"m \"1\"","messages":[{"role":"user","content":"몇\n명?"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer key-1")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(body), `"content":"m \"1\": 몇\n명?"`) {
		t.Errorf("the answer is %s, %v", body, err)
	}
	if chats := server.Chats(); len(chats) != 1 || chats[0].Key() != "key-1" || chats[0].Texts()[0] != "몇\n명?" {
		t.Errorf("the server was asked %+v", chats)
	}
}

// The fake servers are for everybody: they bring nothing along.
func TestNothingElseIsImported(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !strings.HasPrefix(path, "querent.dev/querent/sdk") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
