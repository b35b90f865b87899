package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/server"
)

// keyFlags are the flags of querent keys new.
type keyFlags struct {
	config            string
	id, role, expires string
	user              map[string]string
}

func (a *app) keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Make keys for callers of the HTTP API"}
	var f keyFlags
	create := &cobra.Command{
		Use:   "new --id NAME --role ROLE",
		Short: "Make a key, and the entry for the file of keys",
		Long: "Make a key, and the entry for the file of keys that server.api_keys names. The key is\n" +
			"shown this once: the entry holds its hash alone. The server reads the file when it starts.",
		Example: "  querent keys new --id reports --role analyst --user region=EU --expires 2030-12-31",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.newKey(cmd.Context(), f) },
	}
	flags := create.Flags()
	flags.StringVar(&f.config, "config", "", "configuration whose audit log notes the key; default "+defaultConfig+" if it is there")
	flags.StringVar(&f.id, "id", "", "name of the caller, which logs and receipts show")
	flags.StringVar(&f.role, "role", "", "role of the caller, one under roles in the configuration")
	flags.StringVar(&f.expires, "expires", "", "when the key ends: a day, such as 2030-12-31, or a moment, such as 2030-12-31T18:00:00Z; default never")
	flags.StringToStringVar(&f.user, "user", nil, "attributes of the caller, such as region=EU")
	cmd.AddCommand(create)
	return cmd
}

// newEntry is the output of keys new under --output json.
type newEntry struct {
	Key   string       `json:"key"`
	Entry server.Entry `json:"entry"`
}

func (a *app) newKey(ctx context.Context, f keyFlags) error {
	if err := server.CheckKeyID(f.id); err != nil {
		return usage("--id: %v", err)
	}
	if f.role == "" {
		return usage("--role is missing: a role of the configuration")
	}
	if _, err := server.ParseExpiry(f.expires); err != nil {
		return usage("--expires: %v", err)
	}
	key, hash := server.NewKey()
	entry := server.Entry{ID: f.id, Hash: hash, Role: f.role, Expires: f.expires}
	for name, value := range f.user {
		if entry.User == nil {
			entry.User = map[string]any{}
		}
		entry.User[name] = value
	}
	cfg, err := a.optionalConfig(f.config)
	if err != nil {
		return err
	}
	made := audit.Entry{Kind: audit.KeyCreated, Caller: f.id, Detail: map[string]string{"role": f.role, "expires": f.expires}}
	if err := noteChange(ctx, cfg, a.logger(), made); err != nil {
		return err
	}
	if a.output == outputJSON {
		return a.writeJSON(newEntry{key, entry})
	}
	text, err := yaml.MarshalWithOptions([]server.Entry{entry}, yaml.IndentSequence(true))
	if err != nil {
		return fmt.Errorf("write the entry: %w", err)
	}
	_, err = fmt.Fprintf(a.stdout, "The key, shown this once: give it to the caller.\n\n%s\n\nThe entry for the file of keys (server.api_keys), below its line \"keys:\":\n\n%s\n",
		key, strings.TrimRight(string(text), "\n"))
	return err
}
