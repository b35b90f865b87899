package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"querent.dev/querent/core/pipeline"
)

func (a *app) graphCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "graph",
		Short: "Draw the graph that answers questions, as Mermaid",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			drawing, err := pipeline.Mermaid()
			if err != nil {
				return err
			}
			if a.output == outputJSON {
				return a.writeJSON(map[string]string{"mermaid": drawing})
			}
			_, err = fmt.Fprint(a.stdout, drawing)
			return err
		},
	}
}
