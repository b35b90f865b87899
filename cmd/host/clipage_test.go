package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestCommandLinePage keeps docs/cli.md as the commands describe themselves;
// -update writes it.
func TestCommandLinePage(t *testing.T) {
	t.Setenv("QUERENT_LOG", "") // it is a default in the help
	a := &app{stdout: os.Stdout, stderr: os.Stderr}
	var b strings.Builder
	b.WriteString("# Command line\n\nThis page is made of the commands' own help; do not edit it.\n")
	page(&b, a.root())
	const file = "../../docs/cli.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error("docs/cli.md is out of date: run `make generate`")
	}
}

func page(b *strings.Builder, c *cobra.Command) {
	if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
		return
	}
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```text\n%s```\n", c.CommandPath(), text, c.UsageString())
	for _, sub := range c.Commands() {
		page(b, sub)
	}
}
