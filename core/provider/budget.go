package provider

import (
	"context"
	"fmt"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

// Spent is what calls of providers took.
type Spent struct {
	Tokens int64 // of the input and the output
	// Cost is by the configured prices, in the currency of the budget; 0 for a
	// provider without prices.
	Cost float64
	// Estimated is set when the provider did not say how much it used.
	Estimated bool
}

func (s Spent) plus(o Spent) Spent {
	return Spent{Tokens: s.Tokens + o.Tokens, Cost: s.Cost + o.Cost, Estimated: s.Estimated || o.Estimated}
}

// Budget is what a run may spend on models, and what it has spent. It is safe for
// concurrent use: what calls on their way are expected to take is kept for them.
// A nil Budget has no limit and counts nothing.
type Budget struct {
	limit config.Budget

	mu       sync.Mutex
	spent    Spent
	reserved Spent
}

// NewBudget is the unspent budget of a run.
func NewBudget(limit config.Budget) *Budget { return &Budget{limit: limit} }

// Spent is what has been spent so far.
func (b *Budget) Spent() Spent {
	if b == nil {
		return Spent{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

type budgetKey struct{}

// WithBudget makes b the budget of all calls of agents under the context.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

func budgetOf(ctx context.Context) *Budget {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	return b
}

// overspent says which limit a call would break.
type overspent struct {
	what        string // of settings.run.budget
	limit, need string
}

// Error implements error.
func (e *overspent) Error() string {
	return fmt.Sprintf("the run would use %s of the %s that settings.run.budget.%s allows", e.need, e.limit, e.what)
}

// reserve keeps what a call is expected to take, or is an *overspent.
func (b *Budget) reserve(expect tokens, prices *config.Prices) error {
	if b == nil || expect.none() {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted := b.spent.plus(b.reserved).plus(expect.cost(prices))
	switch {
	case b.limit.Tokens > 0 && wanted.Tokens > b.limit.Tokens:
		return &overspent{"tokens", fmt.Sprint(b.limit.Tokens), fmt.Sprint(wanted.Tokens)}
	case b.limit.Cost > 0 && prices != nil && wanted.Cost > b.limit.Cost:
		return &overspent{"cost", b.money(b.limit.Cost), b.money(wanted.Cost)}
	}
	b.reserved = b.reserved.plus(expect.cost(prices))
	return nil
}

func (b *Budget) money(amount float64) string {
	return fmt.Sprintf("%.4f %s", amount, firstOf(b.limit.Currency, config.DefaultCurrency))
}

// settle replaces what was expected of a call by what it took.
func (b *Budget) settle(expect, used tokens, prices *config.Prices) Spent {
	cost := used.cost(prices)
	if b == nil || expect.none() {
		return cost
	}
	kept := expect.cost(prices)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved.Tokens -= kept.Tokens
	b.reserved.Cost -= kept.Cost
	b.spent = b.spent.plus(cost)
	return cost
}

// overBudget is the error of a call for which the run has nothing left.
func (t *turn) overBudget(err error) *reason.Error {
	out := reason.New(reason.BudgetExceeded, reason.ReasonBudgetExceeded, "agent %s, provider %q: %w", t.agent.name, t.name, err)
	return out.WithSafe("%s %s %s", t.title(), out.SafeMessage, sentence(err))
}
