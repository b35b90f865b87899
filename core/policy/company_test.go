package policy_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
)

// The database of the differential tests: what the policy withholds in the plan is
// compared with what views and row-level security withhold in the database.

// companyTables are the tables, with types that SQLite and PostgreSQL both take.
var companyTables = []string{
	`CREATE TABLE people (id INTEGER PRIMARY KEY, boss_id INTEGER REFERENCES people (id), name VARCHAR(40) NOT NULL, email VARCHAR(60),
		region VARCHAR(10), city VARCHAR(20), salary DECIMAL(10,2), joined DATE NOT NULL, seen TIMESTAMP, grade INTEGER)`,
	`CREATE TABLE orders (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (id), total DECIMAL(10,2), placed TIMESTAMP NOT NULL,
		state VARCHAR(10) NOT NULL, qty INTEGER)`,
	`CREATE TABLE notes (order_id INTEGER REFERENCES orders (id), no INTEGER, body VARCHAR(40), day DATE, PRIMARY KEY (order_id, no))`,
}

// companyRows are INSERT statements, the same on every run.
func companyRows() []string {
	g := rand.New(rand.NewPCG(7, 7))
	maybe := func(format string, args ...any) string {
		if g.IntN(5) == 0 {
			return "NULL"
		}
		return fmt.Sprintf(format, args...)
	}
	names := []string{"Ann", "Bob", "bob", "Zoë", "김민수", "O''Hara", "Li", ""}
	var out []string
	for id := 1; id <= 30; id++ {
		boss := "NULL"
		if id > 3 {
			boss = maybe("%d", 1+g.IntN(id-1))
		}
		name := names[g.IntN(len(names))]
		out = append(out, fmt.Sprintf("INSERT INTO people VALUES (%d, %s, '%s', %s, %s, %s, %s, '2024-%02d-%02d', %s, %s)", id, boss, name,
			maybe("'%s%d@example.test'", strings.ToLower(name), g.IntN(12)), maybe("'%s'", []string{"EU", "US", "KR"}[g.IntN(3)]),
			maybe("'%s'", []string{"Paris", "Seoul", "Bern"}[g.IntN(3)]), maybe("%d.%02d", g.IntN(900), g.IntN(100)),
			1+g.IntN(12), 1+g.IntN(28), maybe("'2024-%02d-%02d %02d:%02d:00'", 1+g.IntN(12), 1+g.IntN(28), g.IntN(24), g.IntN(60)), maybe("%d", g.IntN(40)-10)))
	}
	for id := 100; id < 160; id++ {
		out = append(out, fmt.Sprintf("INSERT INTO orders VALUES (%d, %s, %s, '2024-%02d-%02d %02d:30:00', '%s', %s)", id, maybe("%d", 1+g.IntN(30)),
			maybe("%d.%02d", g.IntN(500), g.IntN(100)), 1+g.IntN(12), 1+g.IntN(28), g.IntN(24), []string{"open", "paid", "lost"}[g.IntN(3)], maybe("%d", g.IntN(25)-5)))
	}
	for id := 100; id < 160; id += 2 {
		for no := range 1 + g.IntN(3) {
			out = append(out, fmt.Sprintf("INSERT INTO notes VALUES (%d, %d, %s, %s)", id, no, maybe("'%s'", []string{"late", "ok", "called back"}[g.IntN(3)]),
				maybe("'2024-%02d-%02d'", 1+g.IntN(12), 1+g.IntN(28))))
		}
	}
	return out
}

// testKey is the configured key of the masks of the kind hash.
const testKey = "a key of the differential test"

// digestOf is what a hash mask makes of a text, computed beside the product.
func digestOf(text string) string {
	key := sha256.Sum256([]byte("querent mask\x00" + testKey))
	sum := sha256.Sum256([]byte(hex.EncodeToString(key[:]) + text))
	return hex.EncodeToString(sum[:])[:32]
}

// seat is a caller whose rights are written twice: as roles of the policy, and as
// SQL of a database. A table that views and filters lack is there whole.
type seat struct {
	name   string
	caller policy.Caller
	denied string // a column that is denied
	// masks are the expressions of the masked columns, by table.column; where both
	// databases need their own, the second is PostgreSQL's.
	masks map[string][2]string
	// filters are the conditions on rows, by table.
	filters map[string]string
}

func both(text string) [2]string { return [2]string{text, text} }

var companyRoles = map[config.RoleName]config.Role{
	"all": {Tables: allowAll},
	"europe": {Tables: allowAll, Columns: config.ColumnRules{Deny: []string{"*.*.people.grade"}},
		RowFilters: map[string]string{"*.*.people": "region = :user.region"},
		Masks:      map[string]config.Mask{"*.*.people.email": {Kind: config.MaskPartial, KeepLast: 4}}},
	"sales": {Tables: allowAll,
		RowFilters: map[string]string{"*.*.orders": "state in ('open', 'paid') and qty > 2", "*.*.notes": "day is null or day < '2024-09-01'"},
		Masks: map[string]config.Mask{"*.*.people.salary": {Kind: config.MaskBucket, Size: 100}, "*.*.people.joined": {Kind: config.MaskBucket, Unit: "month"},
			"*.*.orders.qty": {Kind: config.MaskBucket, Size: 10}, "*.*.people.grade": {Kind: config.MaskBucket, Size: 7}}},
	"blind": {Tables: allowAll,
		Masks: map[string]config.Mask{"*.*.people.name": {Kind: config.MaskHash, HashKey: testKey}, "*.*.people.email": {Kind: config.MaskHash, HashKey: testKey},
			"*.*.people.city": {Kind: config.MaskNull}, "*.*.orders.person_id": {Kind: config.MaskBucket, Size: 4}, "*.*.*.seen": {},
			"*.*.notes.day": {Kind: config.MaskBucket, Unit: "quarter"}}},
	"keyless": {Tables: allowAll,
		RowFilters: map[string]string{"*.*.*": "1 = 1", "*.*.orders": "during(placed, '2024-01..2024-06') or contains(state, :user.word)"},
		Masks: map[string]config.Mask{"*.*.people.id": {Kind: config.MaskNull}, "*.*.orders.placed": {Kind: config.MaskBucket, Unit: "week"},
			"*.*.people.name": {Kind: config.MaskPartial, KeepFirst: 1, KeepLast: 1}, "*.*.people.boss_id": {Kind: config.MaskBucket, Size: 5}}},
	// Two roles of one caller: one shows few rows as they are, one all rows masked.
	"own": {Tables: allowAll, RowFilters: map[string]string{"*.*.people": "boss_id = :user.id or id = :user.id", "*.*.orders": "qty is null"}},
	"rest": {Tables: allowAll, RowFilters: map[string]string{"*.*.orders": "total > 100"},
		Masks: map[string]config.Mask{"*.*.people.salary": {Kind: config.MaskNull}, "*.*.people.email": {Kind: config.MaskPartial, KeepLast: 2},
			"*.*.orders.state": {Kind: config.MaskHash, HashKey: testKey}}},
}

var allowAll = config.TableRules{Allow: []string{"*.*.*"}}

const (
	sqliteMod = "%[1]s - ((%[1]s %% %[2]d) + %[2]d) %% %[2]d"
	hashed    = "(SELECT h FROM digests WHERE t = %s)"
)

func step(column string, size int) [2]string { return both(fmt.Sprintf(sqliteMod, column, size)) }

var companySeats = []seat{
	{name: "all", caller: policy.Caller{Name: "a", Roles: []string{"all"}}},
	{name: "europe", caller: policy.Caller{Name: "b", Roles: []string{"europe"}, Attributes: map[string]string{"region": "EU"}}, denied: "people.grade",
		filters: map[string]string{"people": "region = 'EU'"},
		masks:   map[string][2]string{"people.email": both("CASE WHEN length(email) > 4 THEN '***' || substr(email, length(email) - 3) WHEN email IS NOT NULL THEN '***' END")}},
	{name: "sales", caller: policy.Caller{Name: "c", Roles: []string{"sales"}},
		filters: map[string]string{"orders": "(state = 'open' OR state = 'paid') AND qty > 2", "notes": "day IS NULL OR day < '2024-09-01'"},
		masks: map[string][2]string{"people.salary": {"floor(salary / 100) * 100", "(floor(salary / 100) * 100)::numeric(10,2)"},
			"people.joined": {"date(joined, 'start of month')", "date_trunc('month', joined)::date"},
			"orders.qty":    {"CAST(floor(qty / 10.0) * 10 AS INTEGER)", "(floor(qty / 10.0) * 10)::int"}, "people.grade": step("grade", 7)}},
	{name: "blind", caller: policy.Caller{Name: "d", Roles: []string{"blind"}},
		masks: map[string][2]string{"people.name": both(fmt.Sprintf(hashed, "name")), "people.email": both(fmt.Sprintf(hashed, "email")),
			"people.city": {"NULL", "NULL::text"}, "orders.person_id": step("person_id", 4), "people.seen": {"NULL", "NULL::timestamp"},
			"notes.day": {"CASE WHEN day < '2024-04-01' THEN '2024-01-01' WHEN day < '2024-07-01' THEN '2024-04-01' WHEN day < '2024-10-01' THEN '2024-07-01' WHEN day IS NOT NULL THEN '2024-10-01' END", "date_trunc('quarter', day)::date"}}},
	{name: "keyless", caller: policy.Caller{Name: "e", Roles: []string{"keyless"}, Attributes: map[string]string{"word": "OST"}},
		filters: map[string]string{"orders": "placed < '2024-07-01' OR state = 'lost'"},
		masks: map[string][2]string{"people.id": {"NULL", "NULL::int"}, "people.boss_id": step("boss_id", 5),
			"orders.placed": {"date(placed, 'weekday 0', '-6 days') || ' 00:00:00.000'", "date_trunc('week', placed)"},
			"people.name":   both("CASE WHEN length(name) > 2 THEN substr(name, 1, 1) || '***' || substr(name, length(name)) ELSE '***' END")}},
	{name: "own and rest", caller: policy.Caller{Name: "f", Roles: []string{"rest", "own"}, Attributes: map[string]string{"id": "2"}},
		filters: map[string]string{"orders": "qty IS NULL OR total > 100"},
		masks: map[string][2]string{"people.salary": both("CASE WHEN boss_id = 2 OR id = 2 THEN salary END"),
			"people.email": both("CASE WHEN boss_id = 2 OR id = 2 THEN email WHEN length(email) > 2 THEN '***' || substr(email, length(email) - 1) WHEN email IS NOT NULL THEN '***' END"),
			"orders.state": both("CASE WHEN qty IS NULL THEN state ELSE " + fmt.Sprintf(hashed, "state") + " END")}},
}

// digestKey is the key as the database gets it.
func digestKey() string {
	key := sha256.Sum256([]byte("querent mask\x00" + testKey))
	return hex.EncodeToString(key[:])
}
