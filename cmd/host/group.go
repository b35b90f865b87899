package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// group makes of c, which has sub-commands alone, a command that shows its help
// and refuses sub-commands that there are not. cobra would show the help for them
// too, as if all were well.
func group(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(c, args[0])
	}
	c.DisableFlagsInUseLine = true
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// helpCommand is cobra's, but for commands that there are not.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil {
				return usage("%v", err)
			}
			if len(rest) > 0 {
				return unknownCommand(of, rest[0])
			}
			return of.Help()
		},
	}
}

// suggestionDistance is cobra's own default: letters that a suggestion may differ by.
const suggestionDistance = 2

// unknownCommand is the error of a sub-command that c does not have.
func unknownCommand(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = suggestionDistance
	if near := c.SuggestionsFor(name); len(near) > 0 {
		return usage("unknown command %q for %q (did you mean %q?)", name, c.CommandPath(), near[0])
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	if len(known) == 0 {
		return usage("%q takes no sub-command %q", c.CommandPath(), name)
	}
	return usage("unknown command %q for %q (known: %s)", name, c.CommandPath(), strings.Join(known, ", "))
}
