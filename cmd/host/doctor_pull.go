package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"querent.dev/querent/cmd/host/internal/output"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

const (
	// pullTime is for the largest models over a slow line.
	pullTime = 12 * time.Hour
	// pullSilence is the longest wait for a report. Servers report several times a
	// second while anything arrives, and once more when they have checked it, which
	// takes minutes for a large file on a slow disk.
	pullSilence = 10 * time.Minute
)

// fetch has a model fetched that the provider's server does not have, if --pull is
// given. It reports a check when it does.
func (d *doctor) fetch(ctx context.Context, model sdk.Model, name, title string) {
	puller, ok := model.(sdk.Puller)
	if !ok || !d.flags.pull || !d.absent(ctx, model, name) {
		return
	}
	d.check(ctx, title+", fetched", pullTime, func(ctx context.Context) finding {
		return pulled(ctx, puller, name, d.app.stderr)
	})
}

// absent reports whether the server says that it does not have the model. What else
// may be wrong with it shows in the checks that follow.
func (d *doctor) absent(ctx context.Context, model sdk.Model, name string) bool {
	ctx, cancel := context.WithTimeout(ctx, modelInfoTime)
	defer cancel()
	info, err := model.ModelInfo(ctx, name)
	return err == nil && !info.Present
}

// pulled fetches a model and shows how far it is on w.
func pulled(ctx context.Context, puller sdk.Puller, name string, w io.Writer) finding {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := fmt.Errorf("nothing more was heard of the download for %s", pullSilence)
	watch := time.AfterFunc(pullSilence, func() { cancel(silent) })
	defer watch.Stop()
	progress := newProgress(w)
	var size int64
	err := puller.PullModel(ctx, name, func(p sdk.PullProgress) error {
		watch.Reset(pullSilence)
		size = max(size, p.Total)
		return progress.show(p)
	})
	progress.end()
	switch {
	case err == nil:
		return fine("the model was fetched; its largest part has %s", amount(size))
	case errors.Is(err, sdk.ErrUnsupported):
		return skipped("the provider cannot fetch models")
	case errors.Is(context.Cause(ctx), silent):
		return failed(reason.ExitProvider, silent)
	}
	return providerFailed(err)
}

// amount is a number of bytes for people.
func amount(bytes int64) string {
	if bytes < 1e9 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// progress shows how far a download is. It ends with end.
type progress interface {
	show(sdk.PullProgress) error
	end()
}

// newProgress shows bars on a terminal, and else a line for each tenth.
func newProgress(w io.Writer) progress {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &bars{w: w}
	}
	return &lines{w: w}
}

// lines shows the steps of a download, and each tenth of those whose size is known.
type lines struct {
	w      io.Writer
	status string
	tenth  int64
}

func (l *lines) show(p sdk.PullProgress) error {
	tenth := int64(-1)
	if p.Total > 0 {
		tenth = 10 * min(max(p.Completed, 0), p.Total) / p.Total
	}
	if p.Status == l.status && tenth <= l.tenth {
		return nil
	}
	l.status, l.tenth = p.Status, tenth
	text := output.Escape(p.Status)
	if tenth >= 0 {
		text += fmt.Sprintf(": %d %% of %s", 10*tenth, amount(p.Total))
	}
	_, err := fmt.Fprintln(l.w, text)
	return err
}

func (*lines) end() {}

// bars shows a bar for each part of a download whose size is known, and the names of
// its other steps.
type bars struct {
	w      io.Writer
	status string
	bar    *progressbar.ProgressBar // nil: the step has no size
}

func (b *bars) show(p sdk.PullProgress) error {
	if p.Status != b.status {
		b.end()
		b.status = p.Status
		if p.Total <= 0 {
			_, err := fmt.Fprintln(b.w, output.Escape(p.Status))
			return err
		}
	}
	if b.bar == nil && p.Total > 0 {
		b.bar = progressbar.NewOptions64(p.Total,
			progressbar.OptionSetWriter(b.w), progressbar.OptionSetDescription(output.Escape(p.Status)),
			progressbar.OptionShowBytes(true), progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), // as often as an eye follows
		)
		if err := b.bar.RenderBlank(); err != nil {
			return err
		}
	}
	if b.bar == nil {
		return nil
	}
	return b.bar.Set64(min(max(p.Completed, 0), p.Total))
}

// end leaves the bar as it stands and goes to the next line.
func (b *bars) end() {
	if b.bar != nil {
		fmt.Fprintln(b.w)
		b.bar = nil
	}
}
