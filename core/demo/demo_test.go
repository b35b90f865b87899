package demo_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/demo"
)

// shared is one demo database for the tests that only read it.
var shared string

func TestMain(m *testing.M) {
	os.Exit(runWithDemo(m))
}

func runWithDemo(m *testing.M) int {
	folder, err := os.MkdirTemp("", "demo-test-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	shared = filepath.Join(folder, "demo.db")
	if err := demo.Write(context.Background(), shared); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func open(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func number(t testing.TB, db *sql.DB, query string) int {
	t.Helper()
	var n int
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// content is the hash of every row of every table. It changes when the demo
// does, and then the answers in the documentation do, too.
const content = "a7ccb790c1320bc7e50acb434a0cbc5e60e754ae011c00a1689d1fb221cf7e51"

func TestContentIsAlwaysTheSame(t *testing.T) {
	db := open(t, shared)
	h := sha256.New()
	total := 0
	for _, table := range []string{"categories", "products", "stores", "employees", "customers",
		"addresses", "order", "order_lines", "payments", "returns"} {
		rows, err := db.Query(`SELECT * FROM "` + table + `" ORDER BY 1, 2`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		cells, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			dest[i] = &cells[i]
		}
		for rows.Next() {
			if err := rows.Scan(dest...); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %v\n", table, cells)
			total++
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if total < 45000 || total > 55000 {
		t.Errorf("the demo has %d rows, which is not about 50,000", total)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != content {
		t.Errorf("the content has the hash %s, want %s", got, content)
	}
}

func TestTheRetailerIsPlausible(t *testing.T) {
	db := open(t, shared)
	for _, c := range []struct {
		what, query string
		low, high   int
	}{
		{"countries of customers", `SELECT count(DISTINCT country) FROM customers`, 15, 30},
		{"customers without orders", `SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM "order" o WHERE o.customer_id = c.id)`, 100, 900},
		{"customers without a phone", `SELECT count(*) FROM customers WHERE phone IS NULL`, 100, 900},
		{"names that are not ASCII", `SELECT count(*) FROM customers WHERE length(name) < length(CAST(name AS BLOB))`, 1000, 3000},
		{"orders from the web", `SELECT count(*) FROM "order" WHERE store_id IS NULL`, 2000, 7000},
		{"stores without an order", `SELECT count(*) FROM stores s WHERE NOT EXISTS (SELECT 1 FROM "order" o WHERE o.store_id = s.id)`, 0, 3},
		{"products never sold", `SELECT count(*) FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.product_id = p.id)`, 0, 20},
		{"products of unknown origin", `SELECT count(*) FROM products WHERE "원산지" IS NULL`, 10, 100},
		{"returns", `SELECT count(*) FROM returns`, 800, 2500},
		{"months without revenue", `SELECT 58 - count(DISTINCT strftime('%Y-%m', ordered_at)) FROM "order"`, 0, 0},
		{"rows after the last day", `SELECT (SELECT count(*) FROM "order" WHERE ordered_at >= '2026-11-01')
			+ (SELECT count(*) FROM returns WHERE returned_on > '2026-10-31')
			+ (SELECT count(*) FROM payments WHERE paid_at >= 1793577600000)`, 0, 0},
		{"orders before their customer", `SELECT count(*) FROM "order" o JOIN customers c ON c.id = o.customer_id WHERE o.ordered_at < c.joined_at`, 0, 0},
		{"managers of nobody's store", `SELECT count(*) FROM employees WHERE manager_id IS NULL`, 1, 1},
		{"payments that are not the order's sum", `SELECT count(*) FROM (SELECT sum(amount) paid, (SELECT round(sum(quantity * unit_price), 2)
			FROM order_lines l WHERE l.order_id = p.order_id) due FROM payments p GROUP BY order_id) WHERE abs(paid - due) > 0.001`, 0, 60},
	} {
		if n := number(t, db, c.query); n < c.low || n > c.high {
			t.Errorf("%s: %d, want %d to %d", c.what, n, c.low, c.high)
		}
	}
	if rows, err := db.Query("PRAGMA foreign_key_check"); err != nil || rows.Next() {
		t.Errorf("a foreign key points nowhere (%v)", err)
	} else {
		rows.Close()
	}
}

func TestWriteReplacesADemoAndNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.db")
	draft, err := os.ReadFile(shared)
	if err != nil {
		t.Fatal(err)
	}
	// Another content, so that the replacement shows.
	if err := os.WriteFile(path, draft[:len(draft)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Write(context.Background(), path); err != nil {
		t.Errorf("a demo database was not replaced: %v", err)
	}
	if n := number(t, open(t, path), "SELECT count(*) FROM customers"); n != 3000 {
		t.Errorf("the new demo has %d customers", n)
	}
	mine := filepath.Join(t.TempDir(), "mine.db")
	db := open(t, mine)
	if _, err := db.Exec("CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{mine, notes, t.TempDir()} {
		before, _ := os.ReadFile(path)
		err := demo.Write(context.Background(), path)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", path)
		}
	}
}

func TestWriteThatIsCancelledLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := demo.Write(ctx, filepath.Join(folder, "demo.db")); err == nil {
		t.Fatal("a cancelled write reported success")
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
