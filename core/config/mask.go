package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

const (
	// minHashKey bounds the key of a hash from below: with a short one, the values
	// that a digest may stand for can be tried out.
	minHashKey = 16
	// maxKept bounds what partial keeps: a mask that keeps more hides nothing of
	// most texts.
	maxKept = 100
)

// MaskUnits are the periods to which a mask can cut a date.
var MaskUnits = []string{"year", "quarter", "month", "week", "day"}

// Check says what is wrong with the mask, as far as that needs no catalog. A key
// that is a reference is taken as it is.
func (m Mask) Check() error {
	type setting struct {
		name string
		set  bool
		of   MaskKind
	}
	for _, s := range []setting{
		{"keep_first", m.KeepFirst != 0, MaskPartial}, {"keep_last", m.KeepLast != 0, MaskPartial},
		{"size", m.Size != 0, MaskBucket}, {"unit", m.Unit != "", MaskBucket}, {"hash_key", m.HashKey != "", MaskHash},
	} {
		if s.set && m.Kind != s.of {
			return fmt.Errorf("%s belongs to a mask of the kind %s, not %s", s.name, s.of, cmp.Or(m.Kind, MaskNull))
		}
	}
	switch m.Kind {
	case MaskNull, "":
		return nil
	case MaskHash:
		return m.checkHash()
	case MaskPartial:
		return m.checkPartial()
	case MaskBucket:
		return m.checkBucket()
	}
	return fmt.Errorf("%q is no kind of mask: expected null, hash, partial or bucket", m.Kind)
}

func (m Mask) checkHash() error {
	if m.HashKey == "" {
		return errors.New("a mask of the kind hash needs hash_key, such as ${env:QUERENT_HASH_KEY}")
	}
	if reference.FindString(m.HashKey) == "" && len(m.HashKey) < minHashKey {
		return fmt.Errorf("hash_key needs at least %d characters", minHashKey)
	}
	return nil
}

func (m Mask) checkPartial() error {
	if m.KeepFirst < 0 || m.KeepLast < 0 || m.KeepFirst+m.KeepLast == 0 || m.KeepFirst+m.KeepLast > maxKept {
		return fmt.Errorf("a mask of the kind partial needs keep_first or keep_last, together 1 to %d; use the kind null to keep nothing", maxKept)
	}
	return nil
}

func (m Mask) checkBucket() error {
	switch {
	case (m.Size != 0) == (m.Unit != ""):
		return errors.New("a mask of the kind bucket needs either size, for numbers, or unit, for dates")
	case m.Size < 0:
		return fmt.Errorf("size %d is no range of numbers", m.Size)
	case m.Unit != "" && !slices.Contains(MaskUnits, m.Unit):
		return fmt.Errorf("%q is no unit of a mask: expected year, quarter, month, week or day", m.Unit)
	}
	return nil
}

// ResolveRoles is the roles with every reference of their masks replaced by what
// it names. The result holds secrets: it is for the policy alone, never for a log.
// A variable that is not set, or a file that cannot be read, is Problems that
// names the setting and the reference, never a value.
func (c *Config) ResolveRoles() (map[RoleName]Role, error) {
	var problems Problems
	out := make(map[RoleName]Role, len(c.Roles))
	for _, name := range sortedKeys(c.Roles) {
		role := c.Roles[name]
		masks := make(map[string]Mask, len(role.Masks))
		for _, pattern := range sortedKeys(role.Masks) {
			m := role.Masks[pattern]
			key, err := c.expand(m.HashKey)
			if m.HashKey = key; err == nil {
				err = m.Check()
			}
			if err != nil {
				at := path{"roles", string(name), "masks", pattern, "hash_key"}
				problems = append(problems, Problem{Place{Key: at.String()}, err.Error()})
			}
			masks[pattern] = m
		}
		if len(masks) > 0 {
			role.Masks = masks
		}
		out[name] = role
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return out, nil
}
