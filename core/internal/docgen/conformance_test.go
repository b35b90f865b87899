package docgen

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// shapeTitles are the headings over the quirks.
var shapeTitles = map[fakeserver.Shape]string{
	fakeserver.OpenAI: "Servers that speak OpenAI's API",
	fakeserver.Ollama: "Ollama",
}

func TestConformancePage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Conformance of plugins\n\nThis page is made from the kit in `sdk/conformance`; do not edit it.\n" + `
A plugin is checked by its executable, in whatever language it is written:

` + "```text\n" + `querent plugins test NAME
querent plugins test ./querent-plugin-mine --quirks openai --set endpoint={url} --set api_key={key}
` + "```" + `

or in a test of Go:

` + "```go\n" + `conformance.Run(t, conformance.Target{Open: conformance.InProcess(newPlugin)})
` + "```" + `

` + "`{url}` and `{key}`" + ` become the address and the key of a fake model server, which the kit
starts; no other server is asked. What does not apply to a plugin is shown with the
reason and counts as neither passed nor failed; a run in which nothing applied fails.

## Contracts

Those of a model server (` + "`server/`" + `) need ` + "`--quirks`" + `, since the kit looks at what the
server was asked.

| check | what a plugin must do |
|---|---|
`)
	for _, r := range conformance.Rules() {
		fmt.Fprintf(&b, "| %s | %s |\n", r.Name, plain(r.Promise))
	}
	b.WriteString(`
## Quirks of model servers

Each is sent twice, to a request of a whole answer and to one of a stream, as far as
the quirk is of that. Beside what the table says, the plugin must ask once only, keep
the key out of its error, and say truly whether output was passed on. Finding JSON in
a text is the host's.
`)
	for _, shape := range fakeserver.Shapes() {
		quirks := fakeserver.Quirks(shape)
		fmt.Fprintf(&b, "\n### %s: %d\n\n| quirk | what the server sends | where it comes from | what the plugin returns |\n|---|---|---|---|\n", shapeTitles[shape], len(quirks))
		for _, q := range quirks {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", q.Name, plain(q.Sends), plain(q.Source), plain(q.Want.String()))
		}
	}
	check(t, "docs/conformance.md", b.String())
}

// plain is a cell of a table whose text may hold tags.
func plain(text string) string { return cell(strings.ReplaceAll(text, "<", "&lt;")) }
