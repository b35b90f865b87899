//go:build databases

package main

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/schema"
)

// commented are the guests on a server, with orders in the comments of the table and of a
// column.
func commented(dialect schema.Dialect) string {
	const rows = "; INSERT INTO guests VALUES (1, 'Ann', 'Oslo', 3, '" + hidden + "'), (2, 'Bob', 'Bern', 5, 'x'), (3, 'Eve', 'Rome', 8, 'y')"
	const columns = "CREATE TABLE guests (id int PRIMARY KEY, name varchar(40), city varchar(40), visits int%s, pin varchar(40))%s"
	if dialect == schema.MySQL {
		comment := " COMMENT " + literal(order)
		return fmt.Sprintf(columns, comment, comment) + rows
	}
	return fmt.Sprintf(columns, "", "") + rows +
		"; COMMENT ON COLUMN guests.visits IS " + literal(order) + "; COMMENT ON TABLE guests IS " + literal(order)
}

// An order in a comment of a server's table or column is told a model inside of a fence, and
// what a model writes that obeys is not shown.
func TestOrdersInCommentsAreNotObeyed(t *testing.T) {
	for dialect, shared := range map[schema.Dialect]func(testing.TB) *dbtest.Server{schema.Postgres: dbtest.Postgres, schema.MySQL: dbtest.MariaDB} {
		t.Run(string(dialect), func(t *testing.T) {
			db := shared(t).Database(t, commented(dialect))
			t.Setenv("GUESTS_DSN", db.Reader(t))
			m := &speaker{plan: guestsPlan}
			i := install(t, m.cloud(t), "http://127.0.0.1:1")
			s := i.serve(t, "cloud", fmt.Sprintf(`datasources: {demo: {adapter: %s, dsn: "${env:GUESTS_DSN}"}}`, dialect),
				`roles: {analyst: {tables: {allow: ["demo.*.*"]}, columns: {deny: ["demo.*.guests.pin"]}}}`)
			for what, text := range obeyed {
				m.starts(spoken{text: written(text, "")}, spoken{text: written(text, "")})
				r, answer := s.heard(t, guests)
				refusesToObey(t, "a comment, "+what, text, r, answer)
			}
			m.seenInFences(t)
			m.starts(spoken{text: written("Ann has 3 visits.", "")})
			if _, answer := s.heard(t, guests); !strings.Contains(answer, `"synthesized_by":"cloud"`) {
				t.Errorf("an honest answer is not shown: %s", answer)
			}
			s.stop(t)
			neverTold(t, "the log", s.log.String())
		})
	}
}
