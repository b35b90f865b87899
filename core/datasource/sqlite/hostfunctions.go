package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

// The functions that sqlgen calls and SQLite does not have. They are registered for
// the process, since the driver has no other way, under names that no schema uses
// by chance.
func init() {
	aggregate := func(name string, args int32, make func() sqlite.AggregateFunction) {
		sqlite.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: args, Deterministic: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return make(), nil }})
	}
	aggregate("querent_stddev", 1, func() sqlite.AggregateFunction { return &spread{root: true} })
	aggregate("querent_variance", 1, func() sqlite.AggregateFunction { return &spread{} })
	aggregate("querent_percentile", 2, func() sqlite.AggregateFunction { return &percentile{} })
	sqlite.MustRegisterDeterministicScalarFunction("querent_reverse", 1, reverse)
	sqlite.MustRegisterDeterministicScalarFunction("querent_join", 2, joinTexts)
}

// numberOf reads a cell as a number. Null, and what is no number, does not count.
func numberOf(v driver.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil
	}
	return 0, false
}

// spread is the variance of a sample, or with root its standard deviation. It keeps
// the mean and the sum of squared distances from it, which loses fewer digits than
// sums of squares do.
type spread struct {
	root    bool
	n       float64
	mean    float64
	squares float64
}

// Step adds a row.
func (s *spread) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	x, ok := numberOf(args[0])
	if !ok {
		return nil
	}
	s.n++
	distance := x - s.mean
	s.mean += distance / s.n
	s.squares += distance * (x - s.mean)
	return nil
}

// WindowInverse takes the oldest row out again.
func (s *spread) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	x, ok := numberOf(args[0])
	if !ok {
		return nil
	}
	if s.n <= 1 {
		*s = spread{root: s.root}
		return nil
	}
	before := (s.n*s.mean - x) / (s.n - 1)
	s.squares = max(0, s.squares-(x-s.mean)*(x-before))
	s.n, s.mean = s.n-1, before
	return nil
}

// WindowValue is null for fewer than two numbers.
func (s *spread) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if s.n < 2 {
		return nil, nil
	}
	v := s.squares / (s.n - 1)
	if s.root {
		v = math.Sqrt(v)
	}
	return v, nil
}

// Final has nothing to give back.
func (s *spread) Final(*sqlite.FunctionContext) {}

// percentile is the value at a part, 0 to 1, of the ordered numbers, interpolated
// between the two that are next to it.
type percentile struct {
	part   float64
	values []float64
}

// Step adds a row.
func (p *percentile) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	part, ok := numberOf(args[1])
	if !ok || part < 0 || part > 1 {
		return errors.New("the part of a percentile is a number from 0 to 1")
	}
	p.part = part
	if x, ok := numberOf(args[0]); ok {
		p.values = append(p.values, x)
	}
	return nil
}

// WindowInverse takes the oldest row out again.
func (p *percentile) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	if _, ok := numberOf(args[0]); ok && len(p.values) > 0 {
		p.values = p.values[1:]
	}
	return nil
}

// WindowValue is null over no numbers.
func (p *percentile) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if len(p.values) == 0 {
		return nil, nil
	}
	sorted := slices.Sorted(slices.Values(p.values))
	at := p.part * float64(len(sorted)-1)
	low, share := math.Modf(at)
	value := sorted[int(low)]
	if share > 0 {
		value += share * (sorted[int(low)+1] - value)
	}
	return value, nil
}

// Final gives the numbers back.
func (p *percentile) Final(*sqlite.FunctionContext) { p.values = nil }

// reverse turns a text around, by characters.
func reverse(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	if args[0] == nil {
		return nil, nil
	}
	runes := []rune(fmt.Sprint(args[0]))
	slices.Reverse(runes)
	return string(runes), nil
}

// joinTexts joins the texts of a JSON list with a separator; null over none.
func joinTexts(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	text, ok := args[0].(string)
	separator, alsoOK := args[1].(string)
	if !ok || !alsoOK {
		return nil, nil
	}
	var list []*string
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, errors.New("the list to join is not one of texts")
	}
	var out []string
	for _, s := range list {
		if s != nil {
			out = append(out, *s)
		}
	}
	if out == nil {
		return nil, nil
	}
	return strings.Join(out, separator), nil
}
