//go:build databases && race

package crossdialect_test

// plansWanted is how many generated plans must agree. The race detector makes
// SQLite, which is Go here, thirty times slower; it looks at few plans.
const plansWanted = 100
