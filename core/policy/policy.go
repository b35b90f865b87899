package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// Policy is the compiled roles of a configuration. What no role of a caller
// allows is denied. It is safe for concurrent use.
type Policy struct {
	roles map[config.RoleName]*role

	mu    sync.Mutex
	views map[viewKey]*View
}

// role is a role with its patterns compiled.
type role struct {
	name                     config.RoleName
	allow, deny, denyColumns ruleSet
	aggregateOnly            ruleSet
	minGroup                 int
	filters                  ruleMap[filterRule]
	masks                    ruleMap[mask]
	hash                     string // of the role as configured
	alone                    string // hash of a caller with this role alone
}

// filterRule is a row filter as it is written, with its place in the configuration.
type filterRule struct{ at, text string }

// viewKey finds the view of a set of roles. One view a datasource and set is
// kept, that of the catalog asked for last, so the cache does not grow with the
// snapshots of a catalog.
type viewKey struct {
	datasource schema.DatasourceID
	roles      string
}

// Compile checks the roles and makes a Policy of them. References to secrets must
// have been resolved (config.ResolveRoles). The error names every role and rule
// that is wrong. What depends on a catalog is checked when the catalog is known,
// by Check and at the latest by Secure, which refuses what it cannot enforce: a
// right is never wider than its configuration says.
func Compile(roles map[config.RoleName]config.Role) (*Policy, error) {
	p := &Policy{roles: map[config.RoleName]*role{}, views: map[viewKey]*View{}}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(roles)) {
		r, err := compileRole(name, roles[name])
		errs = append(errs, err)
		p.roles[name] = r
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return p, nil
}

func compileRole(name config.RoleName, r config.Role) (*role, error) {
	c := &compiler{}
	at := "roles." + string(name)
	out := &role{
		name:          name,
		hash:          digest([]any{name, r}),
		allow:         c.set(r.Tables.Allow, tableSegments, at+".tables.allow"),
		deny:          c.set(r.Tables.Deny, tableSegments, at+".tables.deny"),
		denyColumns:   c.set(r.Columns.Deny, columnSegments, at+".columns.deny"),
		aggregateOnly: c.set(r.Columns.AggregateOnly, columnSegments, at+".columns.aggregate_only"),
		minGroup:      r.Columns.MinGroup,
		filters:       ruleMap[filterRule]{},
		masks:         ruleMap[mask]{},
	}
	if out.minGroup < 0 {
		c.fail("%s.columns.min_group: %d is no number of rows", at, out.minGroup)
	}
	if out.minGroup == 0 {
		out.minGroup = defaultMinGroup
	}
	for _, pattern := range slices.Sorted(maps.Keys(r.RowFilters)) {
		c.filter(out, pattern, r.RowFilters[pattern], at+".row_filters")
	}
	for _, pattern := range slices.Sorted(maps.Keys(r.Masks)) {
		c.mask(out, pattern, r.Masks[pattern], at+".masks")
	}
	out.alone = digest([]string{out.hash})
	return out, errors.Join(c.errs...)
}

// compiler collects what is wrong with a role.
type compiler struct{ errs []error }

func (c *compiler) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *compiler) set(rules []string, segments int, at string) ruleSet {
	set := ruleSet{}
	for i, text := range rules {
		pattern, err := parsePattern(text, segments)
		if err != nil {
			c.fail("%s[%d] %q: %w", at, i, text, err)
			continue
		}
		set.add(pattern)
	}
	return set
}

func (c *compiler) filter(r *role, pattern, text, at string) {
	at = fmt.Sprintf("%s %q", at, pattern)
	segments, err := parsePattern(pattern, tableSegments)
	if err == nil {
		_, err = plan.ParseCondition(text)
	}
	if err != nil {
		c.fail("%s: %w", at, err)
		return
	}
	r.filters.add(segments, filterRule{at, text})
}

func (c *compiler) mask(r *role, pattern string, m config.Mask, at string) {
	at = fmt.Sprintf("%s %q", at, pattern)
	segments, err := parsePattern(pattern, columnSegments)
	if err == nil {
		err = m.Check()
	}
	if err == nil && strings.Contains(m.HashKey, "${") {
		err = errors.New("hash_key is a reference that was not resolved")
	}
	if err != nil {
		c.fail("%s: %w", at, err)
		return
	}
	r.masks.add(segments, mask{at: at, Mask: m})
}

// rolesOf finds the caller's roles, sorted and each once. A caller without a
// role is unknown, and so is one with a role that the configuration lacks.
func (p *Policy) rolesOf(caller Caller) ([]config.RoleName, error) {
	if !caller.Known() {
		return nil, reason.New(reason.CallerAuthRequired, reason.ReasonAuthContextRequired, "caller %q has no role", caller.Name)
	}
	names := make([]config.RoleName, len(caller.Roles))
	for i, name := range caller.Roles {
		names[i] = config.RoleName(name)
		if p.roles[names[i]] == nil {
			return nil, reason.New(reason.CallerAuthRequired, reason.ReasonAuthContextRequired,
				"caller %q has the role %q, which is not under roles in the configuration", caller.Name, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// PolicyHash identifies the rules that apply to the caller, for receipts and keys of
// caches: two callers with the same hash may read the same. It is empty for an
// unknown caller.
func (p *Policy) PolicyHash(caller Caller) string {
	names, err := p.rolesOf(caller)
	if err != nil {
		return ""
	}
	return p.hash(names)
}

func (p *Policy) hash(names []config.RoleName) string {
	if len(names) == 1 {
		return p.roles[names[0]].alone
	}
	hashes := make([]string, len(names))
	for i, name := range names {
		hashes[i] = p.roles[name].hash
	}
	return digest(hashes)
}

func digest(v any) string {
	h := sha256.New()
	// A hash never fails to take bytes, and names and roles always encode.
	_ = json.NewEncoder(h).Encode(v)
	return hex.EncodeToString(h.Sum(nil))
}

func key(datasource schema.DatasourceID, names []config.RoleName) viewKey {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = string(name)
	}
	return viewKey{datasource, strings.Join(parts, "\x00")}
}
