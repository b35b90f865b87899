package docgen

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

//go:embed plugin-protocol.md
var protocolPage string

const protoPackage = "querent.plugin.v1"

// protoFiles are the files of the protocol, in the order of the page.
var protoFiles = []string{"plugin", "error", "model", "planner", "synthesizer", "catalog", "plan", "outcome", "value"}

func TestPluginProtocolPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(strings.NewReplacer(protocolFacts()...).Replace(protocolPage))
	for _, name := range protoFiles {
		text, err := os.ReadFile(filepath.Join(root, "sdk/proto/querent/plugin/v1", name+".proto"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s.proto\n", name)
		protoTables(&b, string(text))
	}
	page := b.String()
	if at := strings.Index(page, "{{"); at >= 0 {
		t.Errorf("the page has an unknown fact: %.40s", page[at:])
	}
	everythingIsOnThePage(t, page)
	check(t, "docs/plugin-protocol.md", page)
}

// protocolFacts are what the page takes from the code, by placeholder.
func protocolFacts() []string {
	var kinds strings.Builder
	for _, k := range reason.Kinds() {
		row, _ := reason.Lookup(reason.ProviderCode(k), reason.Reason(k))
		again := "no"
		if row.Retryable {
			again = "yes"
		}
		fmt.Fprintf(&kinds, "| `%s` | %s | %s |\n", k, again, row.SafeMessage)
	}
	limits := pluginhost.Defaults()
	return []string{
		"{{cookieKey}}", sdk.MagicCookieKey, "{{cookie}}", sdk.MagicCookieValue, "{{version}}", fmt.Sprint(sdk.ProtocolVersion),
		"{{logLevel}}", sdk.EnvLogLevel, "{{hostWatch}}", sdk.EnvHostWatch, "{{stdin}}", sdk.HostWatchStdin,
		"{{debug}}", sdk.EnvDebug, "{{reattach}}", sdk.ReattachPrefix, "{{message}}", fmt.Sprint(sdk.MaxMessageBytes),
		"{{start}}", limits.Timeouts.Start.String(), "{{control}}", limits.Timeouts.Control.String(),
		"{{configure}}", limits.Timeouts.Configure.String(), "{{stop}}", limits.Timeouts.Stop.String(),
		"{{interval}}", limits.Health.Interval.String(), "{{misses}}", fmt.Sprint(limits.Health.Misses),
		"{{kinds}}", kinds.String(),
	}
}

var (
	protoBlock = regexp.MustCompile(`^(service|message|enum|oneof) (\w+) \{(\})?$`)
	protoCall  = regexp.MustCompile(`^rpc (\w+)\((\w+)\) returns \((?:(stream) )?(\w+)\);$`)
	protoField = regexp.MustCompile(`^((?:(?:optional|repeated) )?(?:map<\w+, \w+>|[\w.]+)) (\w+) = (\d+);$`)
	protoValue = regexp.MustCompile(`^(\w+) = (\d+);$`)
)

// protoHeads are the heads of the tables of a block's members.
var protoHeads = map[string]string{
	"service": "| call | request | response | |\n|---|---|---|---|\n",
	"message": "| field | type | number | |\n|---|---|---|---|\n",
	"enum":    "| value | number | |\n|---|---|---|\n",
}

// protoTables writes a table for each service, message and enum of a file, whose lines
// are those of the house: a definition or a comment each.
func protoTables(b *strings.Builder, text string) {
	var comment []string
	oneof := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		said, isComment := strings.CutPrefix(line, "//")
		if isComment {
			comment = append(comment, strings.TrimSpace(said))
			continue
		}
		about := cell(strings.Join(comment, " "))
		if m := protoBlock.FindStringSubmatch(line); m != nil && m[1] == "oneof" {
			oneof = ", one of " + m[2]
		} else if m != nil {
			fmt.Fprintf(b, "\n### %s %s\n\n", m[1], m[2])
			if len(comment) > 0 {
				fmt.Fprintf(b, "%s\n\n", strings.Join(comment, "\n"))
			}
			if m[3] == "" {
				b.WriteString(protoHeads[m[1]])
			} else {
				b.WriteString("It has no fields.\n")
			}
		} else if m := protoCall.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(b, "| `%s` | `%s` | %s | %s |\n", m[1], m[2], strings.TrimSpace(m[3]+" `"+m[4]+"`"), about)
		} else if m := protoField.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(b, "| `%s` | %s%s | %s | %s |\n", m[2], strings.ReplaceAll(m[1], "<", "&lt;"), oneof, m[3], about)
		} else if m := protoValue.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", m[1], m[2], about)
		} else if line == "}" {
			oneof = ""
		}
		comment = nil
	}
}

// everythingIsOnThePage looks for all that the compiled protocol has.
func everythingIsOnThePage(t *testing.T, page string) {
	t.Helper()
	found := 0
	want := func(section, line string) {
		found++
		_, after, ok := strings.Cut(page, "\n### "+section+"\n")
		own, _, _ := strings.Cut(after, "\n### ")
		if !ok || !strings.Contains(own, line) {
			t.Errorf("the page has no %q under %q", line, section)
		}
	}
	protoregistry.GlobalFiles.RangeFilesByPackage(protoPackage, func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			s := f.Services().Get(i)
			for j := range s.Methods().Len() {
				want("service "+string(s.Name()), fmt.Sprintf("| `%s` | `%s` |", s.Methods().Get(j).Name(), s.Methods().Get(j).Input().Name()))
			}
		}
		for i := range f.Messages().Len() {
			m := f.Messages().Get(i)
			want("message "+string(m.Name()), "")
			for j := range m.Fields().Len() {
				want("message "+string(m.Name()), fmt.Sprintf("| `%s` | ", m.Fields().Get(j).Name()))
			}
		}
		for i := range f.Enums().Len() {
			e := f.Enums().Get(i)
			for j := range e.Values().Len() {
				want("enum "+string(e.Name()), fmt.Sprintf("| `%s` | %d |", e.Values().Get(j).Name(), e.Values().Get(j).Number()))
			}
		}
		return true
	})
	if found < 200 {
		t.Errorf("the protocol has only %d calls, fields and values", found)
	}
}
