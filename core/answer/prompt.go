package answer

import (
	"cmp"
	"embed"
	"fmt"
	"strings"
	"text/template"

	"querent.dev/querent/core/internal/fence"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/wire"
)

//go:embed prompts
var promptFiles embed.FS

var (
	successRules = mustRead("prompts/success_rules.txt")
	failureRules = mustRead("prompts/failure_rules.txt")
	turns        = template.Must(template.New("").Funcs(template.FuncMap{"json": fence.JSON}).ParseFS(promptFiles, "prompts/*.tmpl"))
)

// mustRead reads an embedded file, whose absence the compiler reports.
func mustRead(name string) string {
	content, err := promptFiles.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(content)
}

// successPrompt asks a model to word an outcome with results. Sections for which
// there is nothing to say leave no trace in it.
func successPrompt(o wire.Outcome, rules string) (provider.Prompt, error) {
	return prompt("success_turn.tmpl", o, cmp.Or(rules, successRules))
}

// failurePrompt asks a model to explain a failure.
func failurePrompt(o wire.Outcome) (provider.Prompt, error) {
	return prompt("failure_turn.tmpl", o, failureRules)
}

func prompt(name string, o wire.Outcome, rules string) (provider.Prompt, error) {
	var turn strings.Builder
	if err := turns.ExecuteTemplate(&turn, name, o); err != nil {
		return provider.Prompt{}, fmt.Errorf("write the prompt %s: %w", name, err)
	}
	return provider.NewPrompt(rules, turn.String(), provider.ResponseSchemaName, provider.ResponseSchema()), nil
}
