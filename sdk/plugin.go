// Package sdk is what a plugin of Querent imports. A plugin fills a Plugin with
// the services that it offers and hands it to Serve:
//
//	func main() { sdk.Serve(sdk.Plugin{Lifecycle: &mine{}, Model: &mine{}}) }
//
// The host calls Describe, then Configure once, then the services, and at the
// end Stop. A plugin opens no file and reads no environment by itself: all that
// it needs comes in Configure.
package sdk

import (
	"context"
	"encoding/json"

	"querent.dev/querent/sdk/wire"
)

// ServiceName names a service of the protocol.
type ServiceName string

// The services beside the plugin's own lifecycle.
const (
	ServiceModel       ServiceName = "model"
	ServicePlanner     ServiceName = "planner"
	ServiceSynthesizer ServiceName = "synthesizer"
)

// Description is what a plugin says of itself, before it is configured.
type Description struct {
	Name         string
	Version      string
	Commit       string
	Services     []ServiceName   // filled in by Serve from the Plugin
	ConfigSchema json.RawMessage // JSON Schema of Configuration.Settings
}

// File is a file that the host read for the plugin.
type File struct {
	Name    string // as the configuration names it
	Content []byte
}

// Configuration is all that a plugin gets from outside.
type Configuration struct {
	Provider string          // the provider's name in the configuration
	Settings json.RawMessage // valid against Description.ConfigSchema; secrets are resolved
	// Files holds the files that settings name, by setting, dotted for a nested
	// one. A setting names files when ConfigSchema gives it "format":
	// "querent-file", on a string or on an array's items.
	Files map[string][]File
}

// HealthState is a plugin's own view of its health.
type HealthState struct {
	OK      bool
	Message string // why not, without secrets
}

// Lifecycle is implemented by every plugin.
type Lifecycle interface {
	// Describe is called before Configure and must not depend on it.
	Describe() Description
	// Configure is called once, before any other service. An error keeps the
	// plugin from being used; use the kind misconfigured.
	Configure(ctx context.Context, c Configuration) error
	// Health must answer quickly and must not call a remote server.
	Health(ctx context.Context) HealthState
	// Stop releases what the plugin holds. Calls may still be running; their
	// contexts end right after.
	Stop(ctx context.Context) error
}

// PlanRequest asks a Planner for a plan.
type PlanRequest struct {
	RequestID       string
	Question        string
	Intent          string
	ExpectedSchema  []string
	Catalog         wire.CatalogView
	ValueHits       []wire.ValueHit
	Now             string   // RFC 3339, the host's clock in Zone
	Zone            string   // IANA name
	WeekStart       string   // monday or sunday
	FiscalYearStart string   // MM-DD
	Language        string   // BCP 47
	Feedback        []string // why earlier plans for the same question were refused
	TraceParent     string   // W3C trace context of the call; "" when there is none
}

// Coverage says what became of each word of the question.
type Coverage struct {
	Word string
	Used string // table, column, function or value it stands for; "" for a word without weight
}

// Refusal is a planner's "no", with what the asker can do.
type Refusal struct {
	Reason        string // a reason of sdk/reason: words_not_understood, needs_clarification, …
	NotUnderstood []string
	Readings      []string // competing readings, in plain words
	Proposals     []string // questions that it would understand: of needs_clarification one for each reading that a question can say
}

// PlanResponse is a plan or a refusal: exactly one of Plan and Refusal is set.
type PlanResponse struct {
	Plan     *wire.Plan
	Reading  string // the plan in plain words
	Coverage []Coverage
	Refusal  *Refusal
}

// Planner turns a question into a plan without a model. The same request gives
// the same response.
type Planner interface {
	Plan(ctx context.Context, r PlanRequest) (PlanResponse, error)
}

// SynthesizeRequest asks for an outcome in words.
type SynthesizeRequest struct {
	RequestID   string
	Outcome     wire.Outcome
	Form        wire.FormatType // the wanted form; "" lets the synthesizer choose
	Language    string          // BCP 47
	TraceParent string          // W3C trace context of the call; "" when there is none
}

// SynthesizeResponse is the text with the templates that made it.
type SynthesizeResponse struct {
	Response    wire.AggregatedResponse
	TemplateIDs []string // pack/id@version, in the order of use
}

// Synthesizer words an outcome without a model. The same request gives the same
// bytes.
type Synthesizer interface {
	Synthesize(ctx context.Context, r SynthesizeRequest) (SynthesizeResponse, error)
}

// Plugin is a plugin's services. Lifecycle is required; a nil service is not
// offered.
type Plugin struct {
	Lifecycle   Lifecycle
	Model       Model
	Planner     Planner
	Synthesizer Synthesizer
}
