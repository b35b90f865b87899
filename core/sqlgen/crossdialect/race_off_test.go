//go:build databases && !race

package crossdialect_test

// plansWanted is how many generated plans must agree.
const plansWanted = 2000
