package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// Basis is what a statement was written from beside its plan and the rules of its
// caller: the part of the catalog that it reads.
type Basis struct {
	MultiSchema bool    `json:"multi_schema,omitempty"`
	Tables      []Table `json:"tables"`
	// SentHash is that of the statement as the database got it, with what the
	// caller may not see of it.
	SentHash string `json:"sent_hash"`
}

// Table is a table of a basis.
type Table struct {
	Schema     string           `json:"schema"`
	Name       string           `json:"name"`
	Kind       schema.TableKind `json:"kind"`
	Columns    []Column         `json:"columns"`
	PrimaryKey []string         `json:"primary_key,omitempty"`
	Unique     [][]string       `json:"unique,omitempty"`
	Keys       []ForeignKey     `json:"foreign_keys,omitempty"`
}

// Column is a column of a basis.
type Column struct {
	Name      string         `json:"name"`
	Native    string         `json:"native,omitempty"`
	Type      wire.Type      `json:"type"`
	Storage   schema.Storage `json:"storage,omitempty"`
	Mixed     bool           `json:"mixed,omitempty"`
	Collation string         `json:"collation,omitempty"`
	Charset   string         `json:"charset,omitempty"`
	Nullable  bool           `json:"nullable,omitempty"`
	Generated bool           `json:"generated,omitempty"`
	Enum      []string       `json:"enum,omitempty"`
	Tags      []string       `json:"tags,omitempty"`
}

// ForeignKey is a key between tables of a basis.
type ForeignKey struct {
	Columns    []string `json:"columns"`
	Table      string   `json:"table"` // schema.table
	RefColumns []string `json:"ref_columns"`
}

// NewBasis is the basis of a statement that was written over cat.
func NewBasis(cat *schema.Catalog, s sqlgen.Statement) *Basis {
	kept := slices.DeleteFunc(slices.Clone(cat.Tables), func(t *schema.Table) bool {
		// A twin in another case decides how rules must spell the name.
		return !slices.ContainsFunc(s.Tables(), func(read *schema.Table) bool { return strings.EqualFold(read.ID(), t.ID()) })
	})
	b := &Basis{MultiSchema: cat.MultiSchema, SentHash: sentHash(s)}
	for _, t := range kept {
		out := Table{Schema: t.Schema, Name: t.Name, Kind: t.Kind, PrimaryKey: names(t.PrimaryKey)}
		for _, c := range t.Columns {
			out.Columns = append(out.Columns, Column{
				Name: c.Name, Native: c.Native, Type: c.Type, Storage: c.Storage, Mixed: c.Mixed, Collation: c.Collation,
				Charset: c.Charset, Nullable: c.Nullable, Generated: c.Generated, Enum: c.Enum, Tags: c.Tags,
			})
		}
		for _, u := range t.Unique {
			out.Unique = append(out.Unique, names(u))
		}
		for _, k := range t.ForeignKeys {
			if slices.Contains(kept, k.RefTable) {
				out.Keys = append(out.Keys, ForeignKey{names(k.Columns), k.RefTable.ID(), names(k.RefColumns)})
			}
		}
		b.Tables = append(b.Tables, out)
	}
	return b
}

func names(columns []*schema.Column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// sentHash is the hash of a statement as the database gets it.
func sentHash(s sqlgen.Statement) string {
	b := []byte(s.SQL() + "\x00")
	for _, v := range s.Args() {
		b = v.AppendBinary(b)
	}
	return digest(b)
}

// catalog is the part of the catalog that b holds.
func (b *Basis) catalog(id string, d schema.Dialect) (*schema.Catalog, error) {
	tables := map[string]*schema.Table{}
	var all []*schema.Table
	for _, t := range b.Tables {
		out := &schema.Table{Schema: t.Schema, Name: t.Name, Kind: t.Kind}
		for _, c := range t.Columns {
			out.Columns = append(out.Columns, &schema.Column{
				Name: c.Name, Native: c.Native, Type: c.Type, Storage: c.Storage, Mixed: c.Mixed, Collation: c.Collation,
				Charset: c.Charset, Nullable: c.Nullable, Generated: c.Generated, Enum: c.Enum, Tags: c.Tags,
			})
		}
		tables[out.ID()] = out
		all = append(all, out)
	}
	for _, t := range b.Tables {
		if err := t.link(tables); err != nil {
			return nil, err
		}
	}
	cat := schema.Build(schema.DatasourceID(id), d, all)
	cat.MultiSchema = b.MultiSchema
	return cat, nil
}

// link puts the keys of t on the table that was made of it.
func (t Table) link(tables map[string]*schema.Table) error {
	own := tables[t.Schema+"."+t.Name]
	var err error
	if own.PrimaryKey, err = columns(own, t.PrimaryKey); err != nil {
		return err
	}
	for _, u := range t.Unique {
		key, err := columns(own, u)
		if err != nil {
			return err
		}
		own.Unique = append(own.Unique, key)
	}
	for _, k := range t.Keys {
		ref := tables[k.Table]
		if ref == nil {
			return fmt.Errorf("a key refers to the table %s, which is not there", k.Table)
		}
		from, err := columns(own, k.Columns)
		if err != nil {
			return err
		}
		to, err := columns(ref, k.RefColumns)
		if err != nil {
			return err
		}
		own.ForeignKeys = append(own.ForeignKeys, schema.ForeignKey{Columns: from, RefTable: ref, RefColumns: to})
	}
	return nil
}

func columns(t *schema.Table, names []string) ([]*schema.Column, error) {
	var out []*schema.Column
	for _, name := range names {
		i := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("a key of %s names the column %q, which is not there", t.ID(), name)
		}
		out = append(out, t.Columns[i])
	}
	return out, nil
}

// NewRules are the rules of a caller's roles, without the keys of masks.
func NewRules(roles map[config.RoleName]config.Role, caller policy.Caller) (*Rules, error) {
	out := &Rules{Roles: map[string]json.RawMessage{}}
	for _, name := range caller.Roles {
		role, ok := roles[config.RoleName(name)]
		if !ok {
			continue
		}
		masks := make(map[string]config.Mask, len(role.Masks))
		for pattern, m := range role.Masks {
			out.Keyed = out.Keyed || m.HashKey != ""
			m.HashKey = ""
			masks[pattern] = m
		}
		if role.Masks != nil {
			role.Masks = masks
		}
		text, err := canonical(role)
		if err != nil {
			return nil, fmt.Errorf("write the role %s: %w", name, err)
		}
		out.Roles[name] = text
	}
	return out, nil
}

// noKey stands for the key of a mask that is not there. What it makes of values is
// never seen: statements are compared as far as their caller may see them.
const noKey = "(the key is not in the receipt)"

// policy is what the rules permit.
func (r *Rules) policy() (*policy.Policy, error) {
	roles := map[config.RoleName]config.Role{}
	for name, text := range r.Roles {
		var role config.Role
		if err := json.Unmarshal(text, &role); err != nil {
			return nil, fmt.Errorf("the role %s cannot be read", name)
		}
		for pattern, m := range role.Masks {
			if m.Kind == config.MaskHash {
				m.HashKey = noKey
				role.Masks[pattern] = m
			}
		}
		roles[config.RoleName(name)] = role
	}
	return policy.Compile(roles)
}

// NewClock is c as a receipt holds it.
func NewClock(c plan.Clock) Clock {
	return Clock{
		Now: c.Now.Format(time.RFC3339Nano), Zone: c.Now.Location().String(), WeekStart: strings.ToLower(c.WeekStart.String()),
		FiscalYearStart: fmt.Sprintf("%02d-%02d", max(1, int(c.FiscalYearStart.Month)), max(1, c.FiscalYearStart.Day)),
	}
}

// Plan is the clock by which plans are read.
func (c Clock) Plan() (plan.Clock, error) {
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return plan.Clock{}, fmt.Errorf("the zone %q is not known here", c.Zone)
	}
	now, err := time.Parse(time.RFC3339Nano, c.Now)
	if err != nil {
		return plan.Clock{}, fmt.Errorf("%q is no moment", c.Now)
	}
	fiscal, err := plan.ParseMonthDay(c.FiscalYearStart)
	if err != nil {
		return plan.Clock{}, err
	}
	out := plan.Clock{Now: now.In(zone), FiscalYearStart: fiscal}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if strings.EqualFold(day.String(), c.WeekStart) {
			out.WeekStart = day
			return out, nil
		}
	}
	return plan.Clock{}, fmt.Errorf("%q is no day of the week", c.WeekStart)
}

// Policy is the caller as the policy knows it.
func (c Caller) Policy() policy.Caller {
	return policy.Caller{Kind: c.Kind, Name: c.Name, Roles: c.Roles, Attributes: c.Attributes}
}
