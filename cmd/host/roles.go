package main

import (
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
)

// compileRoles makes the policy of the configured roles, with the keys of their
// masks looked up.
func compileRoles(cfg *config.Config) (*policy.Policy, error) {
	roles, err := cfg.ResolveRoles()
	if err != nil {
		return nil, err
	}
	return policy.Compile(roles)
}
