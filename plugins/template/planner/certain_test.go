package planner_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/planner"
	"querent.dev/querent/sdk/wire"
)

func tableOf(name string, primary []string, columns ...wire.ColumnView) wire.TableView {
	return wire.TableView{Name: name, PrimaryKey: primary, Columns: columns}
}

func text(name string) wire.ColumnView { return col(name, wire.KindText) }

func number(name string) wire.ColumnView { return col(name, wire.KindInt) }

func keyTo(column, table, ref string) []wire.KeyView {
	return []wire.KeyView{{Columns: []string{column}, Table: table, RefColumns: []string{ref}}}
}

// TestWhatIsNotCertainIsNotAnswered asks questions whose every word is known but
// which, of these tables, might mean something else than they seem to.
func TestWhatIsNotCertainIsNotAnswered(t *testing.T) {
	id := []string{"id"}
	customers := tableOf("customers", id, number("id"), text("name"), text("status"), col("date_of_birth", wire.KindDate))
	orders := tableOf("orders", id, number("id"), number("customer_id"), col("total", wire.KindDecimal))
	orders.ForeignKeys = keyTo("customer_id", "customers", "id")
	invoices := tableOf("invoices", id, number("id"), col("order_total", wire.KindDecimal), number("number_of_orders"), number("order_count"))
	types := tableOf("ref_document_types", []string{"document_type_code"}, text("document_type_code"), text("document_type_name"))
	documents := tableOf("documents", id, number("id"), text("document_type_code"))
	documents.ForeignKeys = keyTo("document_type_code", "ref_document_types", "document_type_code")
	colors := tableOf("ref_colors", []string{"color_code"}, text("color_code"), text("color_description"))
	products := tableOf("products", id, number("id"), text("color_code"), text("product_description"))
	products.ForeignKeys = keyTo("color_code", "ref_colors", "color_code")
	cities := tableOf("cities", id, number("id"), text("zip"), text("mayor name"))
	shops := tableOf("shops", id, number("id"), text("zip"))
	shops.ForeignKeys = keyTo("zip", "cities", "zip")

	for question, tables := range map[string][]wire.TableView{
		// A customer's status is not the order's, and its birth not when it came.
		"how many orders by status":                   {customers, orders},
		"how many orders with name 'Kim'":             {customers, orders},
		"how many customers in 2025":                  {customers},
		"how many customers by month":                 {customers},
		"what is the total of orders":                 {customers, orders},
		"average order total":                         {orders, invoices},
		"what is the number of orders":                {orders, invoices},
		"order count":                                 {orders, invoices},
		"show all document type codes":                {documents, types},
		"list color code and description of products": {products, colors},
		// A zip may lead to several cities: each shop would count as often.
		"how many shops by mayor name": {cities, shops},
	} {
		t.Run(question, func(t *testing.T) {
			if res := ask(t, planner.New(nil), question, wire.CatalogView{Tables: tables}); res.Plan != nil {
				t.Errorf("answered: %s", encode(t, res.Plan))
			}
		})
	}
}

// The same tables answer what leaves no doubt.
func TestWhatIsCertainIsAnswered(t *testing.T) {
	id := []string{"id"}
	people := tableOf("people", id, number("id"), text("name"))
	gymnasts := tableOf("gymnasts", []string{"person_id"}, number("person_id"), number("points"))
	gymnasts.ForeignKeys = keyTo("person_id", "people", "id")
	customers := tableOf("customers", id, number("id"), text("name"), text("status"), col("date_of_birth", wire.KindDate))
	orders := tableOf("orders", id, number("id"), number("customer_id"), col("total", wire.KindDecimal))
	orders.ForeignKeys = keyTo("customer_id", "customers", "id")
	catalog := wire.CatalogView{Tables: []wire.TableView{people, gymnasts, customers, orders}}

	for question, part := range map[string]string{
		"list the names of gymnasts":                          "people.name",
		"how many orders by customer status":                  "customers.status",
		"how many customers with date of birth in 2025":       "during(customers.date_of_birth, '2025')",
		"what is the total total of orders":                   "sum(orders.total)",
		"list the total of each order":                        "orders.total",
		"list the id and total of orders":                     "orders.total",
		"how many orders":                                     "count(*)",
		"how many orders with total over 5 and total under 9": "orders.total > 5 and orders.total < 9",
	} {
		t.Run(question, func(t *testing.T) {
			res := ask(t, planner.New(nil), question, catalog)
			if res.Plan == nil {
				t.Fatalf("refused: %+v", res.Refusal)
			}
			if got := encode(t, res.Plan); !strings.Contains(strings.ReplaceAll(got, `\u003e`, ">"), part) {
				t.Errorf("plan %s without %q", got, part)
			}
		})
	}
}
