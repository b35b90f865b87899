package planner

import (
	"context"
	"encoding/json"
	"testing"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

func col(name string, k wire.Kind) wire.ColumnView {
	return wire.ColumnView{Name: name, Type: wire.Type{Kind: k}}
}

func shop() wire.CatalogView {
	table := func(name string, columns ...wire.ColumnView) wire.TableView {
		return wire.TableView{Name: name, Columns: columns, PrimaryKey: []string{"id"}}
	}
	id, name := col("id", wire.KindInt), col("name", wire.KindText)
	customers := table("customers", id, name, col("country", wire.KindText), col("별명", wire.KindText), col("joined_on", wire.KindDate))
	customers.Synonyms = []string{"고객"}
	stores := table("stores", id, name, col("country", wire.KindText), col("city", wire.KindText))
	employees := table("employees", id, name, col("store_id", wire.KindInt), col("manager_id", wire.KindInt), col("hired_on", wire.KindDate), col("left_on", wire.KindDate))
	employees.Columns[3].Nullable = true
	employees.ForeignKeys = []wire.KeyView{
		{Columns: []string{"store_id"}, Table: "stores", RefColumns: []string{"id"}},
		{Columns: []string{"manager_id"}, Table: "employees", RefColumns: []string{"id"}},
	}
	products := table("products", id, name, col("category", wire.KindText), col("price", wire.KindDecimal), col("원산지", wire.KindText))
	order := table("order", id, col("customer_id", wire.KindInt), col("store_id", wire.KindInt), col("status", wire.KindText), col("placed_at", wire.KindTimestamp))
	order.Columns[2].Nullable = true
	order.ForeignKeys = []wire.KeyView{
		{Columns: []string{"customer_id"}, Table: "customers", RefColumns: []string{"id"}},
		{Columns: []string{"store_id"}, Table: "stores", RefColumns: []string{"id"}},
	}
	lines := table("order_lines", id, col("order_id", wire.KindInt), col("product_id", wire.KindInt), col("quantity", wire.KindInt), col("unit price", wire.KindDecimal))
	lines.ForeignKeys = []wire.KeyView{
		{Columns: []string{"order_id"}, Table: "order", RefColumns: []string{"id"}},
		{Columns: []string{"product_id"}, Table: "products", RefColumns: []string{"id"}},
	}
	return wire.CatalogView{Datasource: "demo", Dialect: "sqlite", Tables: []wire.TableView{customers, employees, order, lines, products, stores}}
}

func TestX(t *testing.T) {
	for _, q := range []string{
		"How many customers do we have, by country?", "How many customers are there?", "number of orders per store", "orders by country",
		"How many orders by country?", "How many orders are there by customer country?", "how many employees in each store", "List all products",
		"list the name and price of products sorted by price descending", "what are the different countries of customers?",
		"What is the average price of products?", "average product price by category", "total quantity of order lines by product",
		"top 5 products by price", "how many customers from country 'Brazil'?", "how many customers in Brazil", "products with price over 100",
		"list products with price over 100", "how many orders in 2025", "how many orders last month by status", "how many employees in 2025",
		"how many orders by month", "what is the meaning of life", "고객은 몇 명인가요?", "국가별 고객 수", "country별 customers 수는?", "customers는 몇 명인가요?",
		"how many products per 원산지?", "highest unit price of order lines", "customer count by country", "how many customers joined in 2025",
		"how many customers do not have orders", "list customers' names", "how many different countries of customers", "3 products with the highest price",
		"how many customers by country and 별명", "how many orders per customer", "total revenue", "how many orders in March 2025", "how many only customers",
	} {
		res, err := New(nil).Plan(context.Background(), sdk.PlanRequest{Question: q, Catalog: shop(), Language: "en"})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(res.Plan)
		r, _ := json.Marshal(res.Refusal)
		t.Logf("%s\n   %s\n   %s %s", q, b, res.Reading, r)
	}
}
