package sqlgen_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// TestCollatedTextOnMariaDB holds two things that MariaDB cannot do with a column
// beside a collation: join EXISTS, and find it in HAVING.
func TestCollatedTextOnMariaDB(t *testing.T) {
	cat, p := shop(), open(t)
	for _, table := range cat.Tables {
		for _, c := range table.Columns {
			c.Collation, c.Charset = "utf8mb4_general_ci", "utf8mb4"
		}
	}
	for _, c := range []struct{ plan, has, lacks string }{
		{`{"with":[{"name":"c","from":"customers","select":["city"]}],"from":"words","where":"in(s, c)","select":["id"]}`, " IN (SELECT ", "EXISTS"},
		{`{"with":[{"name":"c","from":"customers","select":["city"]}],"from":"words","where":"not in(s, c)","select":["id"]}`, " NOT IN (SELECT ", "EXISTS"},
		{`{"with":[{"name":"o","from":"orders","select":["customer_id"]}],"from":"customers","where":"in(id, o)","select":["name"]}`, "EXISTS (SELECT 1 ", " IN ("},
		{`{"from":"customers","group":["city"],"having":"city = 'Oslo' and count(*) > 1","select":["count(*)"]}`, "WHERE (", "HAVING (t1"},
	} {
		q, err := bind(cat, c.plan)
		if err != nil {
			t.Fatal(err)
		}
		secured, err := p.Secure(cat, q, reader)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sqlgen.Render(secured, schema.MySQL, sqlgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.SQL(), c.has) || strings.Contains(s.SQL(), c.lacks) {
			t.Errorf("%s\nwant %q and not %q in\n%s", c.plan, c.has, c.lacks, s.SQL())
		}
	}
}
