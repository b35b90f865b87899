package config_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"querent.dev/querent/core/config"
)

// FuzzParse: no content brings the reader down, every refusal says something,
// and what loads is shown in a form that loads again and shows the same.
func FuzzParse(f *testing.F) {
	stories, err := filepath.Glob("testdata/problems/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, story := range stories {
		archive, err := txtar.ParseFile(story)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Add([]byte("version: 1\nproviders: {p: {plugin: openai, model: m, config: {api_key: k, u: \"http://a:b@c?key=d\"}}}\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		c, _, err := config.Parse(filepath.Join(dir, "querent.yaml"), content)
		if err != nil {
			if err.Error() == "" || c != nil {
				t.Fatalf("Parse = %v, %q", c, err)
			}
			return
		}
		shown := show(t, c)
		again, _, err := config.Parse(filepath.Join(dir, "querent.yaml"), shown)
		if err != nil {
			t.Fatalf("what is shown does not load: %v\n%s", err, shown)
		}
		if second := show(t, again); !bytes.Equal(shown, second) {
			t.Fatalf("shown differently after reading back:\n%s\n%s", shown, second)
		}
	})
}

func show(t *testing.T, c *config.Config) []byte {
	t.Helper()
	text, err := c.Show()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
