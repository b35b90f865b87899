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
	allow, deny, denyColumns ruleSet
	hash                     string // of the role as configured
}

// viewKey finds the view of a set of roles. One view a datasource and set is
// kept, that of the catalog asked for last, so the cache does not grow with the
// snapshots of a catalog.
type viewKey struct {
	datasource schema.DatasourceID
	roles      string
}

// Compile checks the roles and makes a Policy of them. The error names every
// role and rule that is wrong. A rule that this version cannot enforce is an
// error too: a right is never wider than its configuration says.
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
	at := "roles." + string(name)
	out := &role{hash: digest([]any{name, r})}
	errs := []error{unsupported(r, at)}
	compile := func(rules []string, segments int, at string) ruleSet {
		set := ruleSet{}
		for i, text := range rules {
			pattern, err := parsePattern(text, segments)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s[%d] %q: %w", at, i, text, err))
				continue
			}
			set.add(pattern)
		}
		return set
	}
	out.allow = compile(r.Tables.Allow, tableSegments, at+".tables.allow")
	out.deny = compile(r.Tables.Deny, tableSegments, at+".tables.deny")
	out.denyColumns = compile(r.Columns.Deny, columnSegments, at+".columns.deny")
	return out, errors.Join(errs...)
}

// unsupported names the rules that narrow a right in a way that is not enforced
// yet. They are refused: to ignore one would hand out what it withholds.
func unsupported(r config.Role, at string) error {
	var errs []error
	refuse := func(set bool, rule string) {
		if set {
			errs = append(errs, fmt.Errorf("%s.%s: this version does not enforce the rule, so it is refused; take it out and deny the tables or columns instead", at, rule))
		}
	}
	refuse(len(r.RowFilters) > 0, "row_filters")
	refuse(len(r.Masks) > 0, "masks")
	refuse(len(r.Columns.AggregateOnly) > 0, "columns.aggregate_only")
	refuse(r.Columns.MinGroup != 0, "columns.min_group")
	return errors.Join(errs...)
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
