package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"querent.dev/querent/cmd/host/internal/output"
)

// Names and types up to these widths are aligned; a longer one pushes its line out,
// which is better than wide gaps in all the others.
const (
	widestName = 32
	widestType = 13
)

// shownLabels are listed of an enumeration.
const shownLabels = 8

// writeSchemas writes datasources for people: a line for each column, so that a
// wide table is long and not wide.
func writeSchemas(w io.Writer, reports []schemaReport) error {
	out := bufio.NewWriter(w)
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s (%s): %s, fingerprint %.12s\n", output.Escape(r.Datasource), r.Dialect, count(len(r.Tables), "table"), r.Fingerprint)
		if r.Description != "" {
			fmt.Fprintf(out, "  %s\n", output.Escape(r.Description))
		}
		for _, t := range r.Tables {
			t.write(out, r.severalSchemas())
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (r schemaReport) severalSchemas() bool {
	return slices.ContainsFunc(r.Tables, func(t tableReport) bool { return t.Schema != r.Tables[0].Schema })
}

func (t tableReport) write(w io.Writer, withSchema bool) {
	name := t.Name
	if withSchema {
		name = t.Schema + "." + t.Name
	}
	fmt.Fprintf(w, "\n%s (%s", output.Escape(name), t.Kind)
	if t.RowEstimate != nil {
		fmt.Fprintf(w, ", about %s", count(int(*t.RowEstimate), "row"))
	}
	fmt.Fprintln(w, ")")
	if t.Description != "" {
		fmt.Fprintf(w, "  %s\n", output.Escape(t.Description))
	}
	if len(t.Synonyms) > 0 {
		fmt.Fprintf(w, "  also called %s\n", output.Escape(strings.Join(t.Synonyms, ", ")))
	}
	width := 0
	for _, c := range t.Columns {
		width = max(width, min(widestName, len([]rune(output.Escape(c.Name)))))
	}
	for _, c := range t.Columns {
		line := fmt.Sprintf("    %-*s  %-*s  %s", width, output.Escape(c.Name), widestType, c.Type, output.Escape(strings.Join(t.notes(c), "; ")))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	for _, u := range t.Unique {
		fmt.Fprintf(w, "  unique (%s)\n", output.Escape(strings.Join(u, ", ")))
	}
	for _, k := range t.ForeignKeys {
		if len(k.Columns) > 1 {
			fmt.Fprintf(w, "  (%s) -> %s (%s)\n", output.Escape(strings.Join(k.Columns, ", ")), output.Escape(k.Table), output.Escape(strings.Join(k.RefColumns, ", ")))
		}
	}
}

// notes are what there is to say of a column beside its name and type.
func (t tableReport) notes(c columnReport) []string {
	var out []string
	switch {
	case len(t.PrimaryKey) == 1 && t.PrimaryKey[0] == c.Name:
		out = append(out, "primary key")
	case slices.Contains(t.PrimaryKey, c.Name):
		out = append(out, "part of the primary key")
	case c.Nullable:
		out = append(out, "nullable")
	}
	for _, k := range t.ForeignKeys {
		if len(k.Columns) == 1 && k.Columns[0] == c.Name {
			out = append(out, fmt.Sprintf("-> %s.%s", k.Table, k.RefColumns[0]))
		}
	}
	if c.Generated {
		out = append(out, "generated")
	}
	if c.Storage != "" {
		out = append(out, "kept as "+c.Storage)
	}
	if c.Evidence != "" {
		out = append(out, c.Evidence)
	}
	if c.Collation != "" {
		out = append(out, "collation "+c.Collation)
	}
	if n := len(c.Enum); n > shownLabels {
		out = append(out, fmt.Sprintf("one of %s and %d more", strings.Join(c.Enum[:shownLabels], ", "), n-shownLabels))
	} else if n > 0 {
		out = append(out, "one of "+strings.Join(c.Enum, ", "))
	}
	if len(c.Tags) > 0 {
		out = append(out, "tagged "+strings.Join(c.Tags, ", "))
	}
	if len(c.Synonyms) > 0 {
		out = append(out, "also called "+strings.Join(c.Synonyms, ", "))
	}
	if c.Description != "" {
		out = append(out, c.Description)
	}
	return out
}
