package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"querent.dev/querent/sdk"
)

// versionReport is the output of querent version.
type versionReport struct {
	Version  string `json:"version"`
	Protocol int    `json:"plugin_protocol"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionReport{sdk.Version, sdk.ProtocolVersion, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if a.output == outputJSON {
				return a.writeJSON(v)
			}
			_, err := fmt.Fprintf(a.stdout, "querent %s, plugin protocol %d, %s, %s\n", v.Version, v.Protocol, v.Go, v.Platform)
			return err
		},
	}
}
