package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// The size of the retailer: about 50,000 rows in all, which SQLite joins in
// milliseconds and nobody counts by hand.
const (
	productCount  = 420
	storeCount    = 26
	customerCount = 3000
	orderCount    = 9000
)

// The retailer's time. Nothing happens after lastDay, so the answers of the demo
// never change.
var (
	firstDay = time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)
)

// rowSet is the rows of a table, in its column order.
type rowSet struct {
	name string
	rows [][]any
}

func (s *rowSet) add(cells ...any) { s.rows = append(s.rows, cells) }

// retailer is the demo's data while it is invented.
type retailer struct {
	rand *rand.Rand

	categories, products, stores, employees, customers rowSet
	addresses, orders, lines, payments, returns        rowSet

	goods  []good
	shops  []shop
	people []person
}

type good struct {
	price      int // cents
	returnRate int
	since      time.Time
}

type shop struct {
	country int // index into countries
	open    time.Time
	closed  time.Time // zero: still open
}

type person struct {
	country int
	joined  time.Time
	home    int // address id
	buys    bool
}

// invent makes the whole retailer. The generator and its seed are part of the
// demo: the answers in the documentation depend on them.
func invent() *retailer {
	r := &retailer{rand: rand.New(rand.NewPCG(20261031, 1))}
	r.inventGoods()
	r.inventShops()
	r.inventPeople()
	r.inventOrders()
	return r
}

// tables lists the tables so that what a row refers to is there before it.
func (r *retailer) tables() []rowSet {
	sets := []*rowSet{&r.categories, &r.products, &r.stores, &r.employees, &r.customers,
		&r.addresses, &r.orders, &r.lines, &r.payments, &r.returns}
	names := []string{"categories", "products", "stores", "employees", "customers",
		"addresses", "order", "order_lines", "payments", "returns"}
	out := make([]rowSet, len(sets))
	for i, s := range sets {
		out[i] = rowSet{names[i], s.rows}
	}
	return out
}

func (r *retailer) inventGoods() {
	type leaf struct {
		id int
		category
	}
	var leaves []leaf
	id := 0
	for _, d := range departments {
		id++
		parent := id
		r.categories.add(parent, d.name, nil)
		for _, c := range d.categories {
			id++
			r.categories.add(id, c.name, parent)
			leaves = append(leaves, leaf{id, c})
		}
	}
	for id := 1; id <= productCount; id++ {
		c := leaves[id%len(leaves)]
		// Prices end in 9 or 0, and cheap things are more common than dear ones.
		spread := math.Pow(r.rand.Float64(), 3)
		price := (c.low+int(spread*float64(c.high-c.low)))/10*10 + 9*r.rand.IntN(2)
		since := r.day(firstDay.AddDate(-2, 0, 0), lastDay.AddDate(0, -6, 0))
		name := fmt.Sprintf("%s %s %d", pick(r, makers), pick(r, c.things), 100+r.rand.IntN(900))
		cost := price * (40 + r.rand.IntN(35)) / 100
		r.products.add(id, c.id, name, euros(price), euros(cost), orNull(pick(r, origins)), date(since), r.chance(80))
		r.goods = append(r.goods, good{price, c.returnRate, since})
	}
}

func (r *retailer) inventShops() {
	employee := 0
	for id := 1; id <= storeCount; id++ {
		at := (id - 1) % len(countries)
		c := countries[at]
		s := shop{country: at, open: r.day(firstDay.AddDate(-8, 0, 0), firstDay.AddDate(3, 0, 0))}
		city := c.cities[(id-1)/len(countries)]
		var closed any
		if id%13 == 0 {
			s.closed = r.day(lastDay.AddDate(-1, 0, 0), lastDay)
			closed = date(s.closed)
		}
		r.stores.add(id, "Alma "+city, city, c.name, date(s.open), closed)
		r.shops = append(r.shops, s)
		employee = r.inventStaff(id, s, employee)
	}
}

// inventStaff fills a store; its first employee manages the others, and the
// first store's manager manages the managers.
func (r *retailer) inventStaff(store int, s shop, employee int) int {
	manager := employee + 1
	for i := range 5 + r.rand.IntN(6) {
		employee++
		title, pay, boss := pick(r, []string{"sales assistant", "cashier", "stock clerk"}), 2300000, any(manager)
		switch i {
		case 0:
			title, pay, boss = "store manager", 4800000, any(1)
			if employee == 1 {
				title, pay, boss = "head of retail", 9600000, nil
			}
		case 1:
			title, pay = "deputy manager", 3600000
		}
		hired := r.day(s.open, later(s.open, lastDay.AddDate(0, -2, 0)))
		var left any
		if i > 1 && r.chance(180) {
			left = date(r.day(hired, lastDay))
		}
		salary := pay + pay/100*r.rand.IntN(30)
		r.employees.add(employee, store, boss, r.name(countries[s.country]), title, date(hired), left, euros(salary))
	}
	return employee
}

func (r *retailer) inventPeople() {
	total := 0
	for _, c := range countries {
		total += c.weight
	}
	for id := 1; id <= customerCount; id++ {
		at, ticket := 0, r.rand.IntN(total)
		for ticket >= countries[at].weight {
			ticket -= countries[at].weight
			at++
		}
		c := countries[at]
		p := person{country: at, joined: r.moment(firstDay.AddDate(-1, 0, 0), lastDay), buys: !r.chance(90)}
		var email, phone, born any
		if !r.chance(60) {
			email = fmt.Sprintf("%s%d@example.%s", pick(r, []string{"mail", "post", "box"}), id, pick(r, []string{"com", "org", "net"}))
		}
		if !r.chance(150) {
			phone = fmt.Sprintf("%s 555 %03d %04d", c.prefix, r.rand.IntN(1000), r.rand.IntN(10000))
		}
		if !r.chance(250) {
			born = date(r.day(firstDay.AddDate(-75, 0, 0), firstDay.AddDate(-17, 0, 0)))
		}
		r.customers.add(id, r.name(c), email, phone, c.name, born, timestamp(p.joined), r.chance(420))
		r.inventAddresses(id, c, &p)
		r.people = append(r.people, p)
	}
}

func (r *retailer) inventAddresses(customer int, c country, p *person) {
	kinds := []string{"home"}
	if r.chance(300) {
		kinds = append(kinds, "delivery")
	}
	for _, kind := range kinds {
		id := len(r.addresses.rows) + 1
		if kind == "home" {
			p.home = id
		}
		street := fmt.Sprintf("%s %d", pick(r, c.streets), 1+r.rand.IntN(180))
		r.addresses.add(id, customer, kind, street, pick(r, c.cities), fmt.Sprintf("%05d", 1000+r.rand.IntN(98999)))
	}
}

func (r *retailer) inventOrders() {
	type draft struct {
		customer int
		at       time.Time
	}
	var drafts []draft
	for len(drafts) < orderCount {
		customer := r.rand.IntN(len(r.people))
		p := r.people[customer]
		if !p.buys {
			continue
		}
		at := r.moment(later(p.joined, firstDay), lastDay)
		// The end of the year is busy, the summer is not.
		if r.rand.IntN(10) < []int{6, 5, 6, 6, 6, 5, 4, 4, 6, 7, 9, 10}[at.Month()-1] {
			drafts = append(drafts, draft{customer, at})
		}
	}
	sort.SliceStable(drafts, func(i, j int) bool { return drafts[i].at.Before(drafts[j].at) })
	for i, d := range drafts {
		r.inventOrder(i+1, d.customer, d.at)
	}
}

func (r *retailer) inventOrder(id, customer int, at time.Time) {
	status := "delivered"
	switch {
	case r.chance(45):
		status = "cancelled"
	case at.After(lastDay.AddDate(0, 0, -4)):
		status = "open"
	case at.After(lastDay.AddDate(0, 0, -12)):
		status = "shipped"
	}
	var shipped any
	sent := at.AddDate(0, 0, 1+r.rand.IntN(3))
	if status == "delivered" || status == "shipped" {
		shipped = date(sent)
	}
	p := r.people[customer]
	store := r.storeFor(p, at)
	var address any
	if store == nil {
		address = p.home
	}
	r.orders.add(id, customer+1, store, address, status, timestamp(at), shipped)
	total := 0
	for line := range 1 + r.rand.IntN(4) {
		total += r.inventLine(id, line+1, at, status, sent)
	}
	if status != "cancelled" && status != "open" {
		r.inventPayments(id, total, at)
	}
}

// storeFor is a store of the customer's country that was open, or none for an
// order from the web.
func (r *retailer) storeFor(p person, at time.Time) any {
	if r.chance(450) {
		return nil
	}
	for id, s := range r.shops {
		isOpen := s.open.Before(at) && (s.closed.IsZero() || at.Before(s.closed))
		if s.country == p.country && isOpen && !r.chance(300) {
			return id + 1
		}
	}
	return nil
}

// inventLine returns the line's amount in cents.
func (r *retailer) inventLine(order, line int, at time.Time, status string, sent time.Time) int {
	product := r.rand.IntN(len(r.goods))
	for r.goods[product].since.After(at) {
		product = r.rand.IntN(len(r.goods))
	}
	g := r.goods[product]
	price := g.price
	if r.chance(200) {
		price = price * (70 + r.rand.IntN(25)) / 100
	}
	quantity := 1
	for r.chance(350) && quantity < 6 {
		quantity++
	}
	r.lines.add(order, line, product+1, quantity, euros(price))
	back := sent.AddDate(0, 0, 3+r.rand.IntN(25))
	if status == "delivered" && r.chance(g.returnRate) && !back.After(lastDay) {
		returned := 1 + r.rand.IntN(quantity)
		r.returns.add(len(r.returns.rows)+1, order, line, returned, orNull(pick(r, returnReasons)), date(back), euros(returned*price))
	}
	return quantity * price
}

func (r *retailer) inventPayments(order, cents int, at time.Time) {
	parts := []int{cents}
	if cents > 20000 && r.chance(120) {
		parts = []int{cents / 2, cents - cents/2}
	}
	for i, part := range parts {
		paid := at.AddDate(0, i, 0).Add(time.Duration(r.rand.IntN(48*3600)) * time.Second)
		if paid.After(lastDay.AddDate(0, 0, 1)) {
			return
		}
		r.payments.add(len(r.payments.rows)+1, order, pick(r, paymentMethods), euros(part), paid.UnixMilli())
	}
}
