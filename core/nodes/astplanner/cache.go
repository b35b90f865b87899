package astplanner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"querent.dev/querent/sdk/wire"
)

// Cache keeps plans that answered, in memory, the least recently used going
// first. It is safe for concurrent use. A nil Cache keeps nothing.
type Cache struct {
	plans *lru.Cache[string, keptPlan]
}

// keptPlan is a plan with who proposed it. Nobody writes to it.
type keptPlan struct {
	plan    wire.Plan
	reading string
	planner string
}

// NewCache makes a cache of that many plans; nil for none.
func NewCache(entries int) *Cache {
	if entries <= 0 {
		return nil
	}
	plans, err := lru.New[string, keptPlan](entries)
	if err != nil {
		panic("astplanner: " + err.Error()) // a size above zero is never refused
	}
	return &Cache{plans: plans}
}

// Keep keeps the plan of an output that was executed without an error. What has
// no key, such as a deterministic planner's plan, is not kept.
func (c *Cache) Keep(key string, p *wire.Plan, reading, planner string) {
	if c == nil || key == "" || p == nil {
		return
	}
	c.plans.Add(key, keptPlan{*p, reading, planner})
}

func (c *Cache) get(key string) (keptPlan, bool) {
	if c == nil || key == "" {
		return keptPlan{}, false
	}
	return c.plans.Get(key)
}

// key is a hash of all that a plan depends on: what is asked, of what, for whose
// rights, by which provider with which settings and prompt, on which day. It is
// "" when plans cannot be told apart.
func (n *Node) key(in Input) string {
	if n.Cache == nil || n.Identity == "" || in.Fingerprint == "" || in.PolicyHash == "" {
		return ""
	}
	text, err := json.Marshal([]any{
		in.Question, in.Intent, in.ExpectedSchema, in.Language, in.ValueHits,
		in.Datasource, in.Fingerprint, in.PolicyHash, in.Tables.Datasource, tableNames(in.Tables),
		n.Identity, n.promptVersion(), n.Time, in.Clock.Now.Format(time.DateOnly),
	})
	if err != nil {
		return ""
	}
	return hash(text)
}

// moment is a day with a time of it.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ](\d\d(?::\d\d)*)`)

// passing reports whether the plan holds a moment that the question does not: one
// taken from the clock, which is another when the question is asked again. A day's
// beginning and end are as good as the day.
func passing(p *wire.Plan, in Input) bool {
	text, err := json.Marshal(p)
	if err != nil {
		return true
	}
	asked := strings.ReplaceAll(in.Question, "T", " ")
	for _, m := range moment.FindAllStringSubmatch(string(text), -1) {
		ofDay := strings.HasPrefix("00:00:00", m[1]) || strings.HasPrefix("23:59:59", m[1])
		if !ofDay && !strings.Contains(asked, strings.Replace(m[0], "T", " ", 1)) {
			return true
		}
	}
	return false
}

// formVersion is a hash of what prompts say of the form of plans.
var formVersion = sync.OnceValue(func() string { return hash([]byte(reference() + "\n" + string(wireForm()))) })

// promptVersion is a hash of what every prompt begins with.
func (n *Node) promptVersion() string {
	return hash([]byte(n.rules() + "\n" + formVersion()))
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func tableNames(v wire.CatalogView) []string {
	var out []string
	for _, t := range v.Tables {
		out = append(out, t.Name)
	}
	return out
}
