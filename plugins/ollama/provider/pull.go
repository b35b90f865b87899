package provider

import (
	"context"

	"github.com/ollama/ollama/api"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
)

// progressLimit bounds the reports of a download: a line of 200 bytes each 60 ms is
// 12 MB an hour.
const progressLimit = 256 << 20

// PullModel implements sdk.Puller. It takes as long as ctx allows.
func (p *Provider) PullModel(ctx context.Context, name string, send func(sdk.PullProgress) error) error {
	c, err := p.configured.Get()
	if err != nil {
		return err
	}
	release, err := c.slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	x := &modelhttp.Exchange{Limit: progressLimit, Patient: true}
	var unsent error
	done := false
	err = c.api.Pull(modelhttp.Watch(ctx, x), &api.PullRequest{Model: name}, func(r api.ProgressResponse) error {
		done = r.Status == "success"
		unsent = send(sdk.PullProgress{Status: r.Status, Completed: r.Completed, Total: r.Total})
		return unsent
	})
	switch {
	case unsent != nil:
		return unsent
	case err == nil && !x.Failed() && done:
		return nil
	}
	return c.failure(ctx, "fetch the model", name, x, err)
}
