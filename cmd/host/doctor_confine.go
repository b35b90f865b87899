package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/pluginhost/confine"
)

// confinement says what this machine can keep plugins from, and what is kept from
// each: what is to be and cannot be keeps the plugin from starting, which its own
// check reports.
func (d *doctor) confinement(ctx context.Context, specs []pluginhost.Spec) {
	d.check(ctx, "confinement", pluginCheckTime, func(context.Context) finding {
		here := confine.Here()
		var each []string
		for _, spec := range specs {
			text := confinementText(spec.Confine)
			if spec.Reattach != nil {
				text = "none where the reattached process is there"
			} else if spec.Confine == nil {
				text = "nothing is kept from it"
			}
			each = append(each, fmt.Sprintf("%s (%s): %s", spec.Provider, spec.Plugin, text))
		}
		f := fine("%s; %s", machineText(here), strings.Join(each, "; "))
		for _, spec := range specs {
			if spec.Confine == nil {
				continue
			}
			if err := confine.Missing(*spec.Confine); err != nil {
				return f.but("Plugin %s is to be confined and does not start: %v.", spec.Plugin, err)
			}
		}
		switch {
		case runtime.GOOS == "linux" && here.Network != nil:
			return f.but("Templates run with the network, which they do not need: %v.", here.Network)
		case here.Doubt != "":
			return f.but("Templates are not confined by themselves, since it might fail: %s. Set plugins.template.network and files to none to have it done all the same.", here.Doubt)
		}
		return f
	})
}

// machineText is what this machine offers, in words.
func machineText(s confine.Support) string {
	if runtime.GOOS != "linux" {
		return "plugins can be confined on Linux alone"
	}
	files := "files cannot be taken from plugins (no Landlock)"
	if s.Landlock > 0 {
		files = fmt.Sprintf("files (Landlock, version %d)", s.Landlock)
	}
	return fmt.Sprintf("this machine can take from plugins: the network (%s), %s, memory and open files (yes), processes (%s)", can(s.Network), files, can(s.Processes))
}

func can(err error) string {
	if err == nil {
		return "yes"
	}
	return "no"
}
