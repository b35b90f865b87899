package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// wantKind checks that err is a failure of one of kinds, with a message for the
// operator that holds no secret.
func wantKind(err error, kinds ...reason.Kind) error {
	var e *sdk.Error
	switch {
	case err == nil:
		return fmt.Errorf("it succeeded, want the kind %s", oneOf(kinds))
	case !errors.As(err, &e):
		return fmt.Errorf("the error %w has no kind, want %s", err, oneOf(kinds))
	case !slices.Contains(kinds, e.Kind):
		return fmt.Errorf("the kind is %s (%s), want %s", e.Kind, e.Message, oneOf(kinds))
	case strings.TrimSpace(e.Message) == "":
		return fmt.Errorf("the error of kind %s says nothing", e.Kind)
	case strings.Contains(e.Message, Key):
		return fmt.Errorf("the error of kind %s holds the key", e.Kind)
	}
	return nil
}

func oneOf(kinds []reason.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, " or ")
}

// atOnce is how many calls the kit makes at a time.
const atOnce = 16

// together makes calls at a time and returns the first error.
func together(call func(i int) error) error {
	errs := make([]error, atOnce)
	var wg sync.WaitGroup
	for i := range atOnce {
		wg.Go(func() { errs[i] = call(i) })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("call %d of %d at once: %w", i+1, atOnce, err)
		}
	}
	return nil
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// streamed is an answer that came piece by piece.
type streamed struct {
	sdk.GenerateResponse
	pieces int // of text, thinking or tool
	kinds  []sdk.ChunkKind
}

// stream collects a streamed answer, and checks the order of its pieces.
func stream(ctx context.Context, m sdk.Model, r sdk.GenerateRequest) (streamed, error) {
	var out streamed
	var text, thinking, tool strings.Builder
	var usage sdk.Usage
	var broken error
	err := m.GenerateStream(ctx, r, func(c sdk.Chunk) error {
		if slices.Contains(out.kinds, sdk.ChunkFinish) && broken == nil {
			broken = fmt.Errorf("a chunk of kind %s came after the finish", c.Kind)
		}
		out.kinds = append(out.kinds, c.Kind)
		switch c.Kind {
		case sdk.ChunkText:
			text.WriteString(c.Text)
		case sdk.ChunkThinking:
			thinking.WriteString(c.Text)
		case sdk.ChunkTool:
			tool.WriteString(c.Text)
		case sdk.ChunkUsage:
			usage = c.Usage
		case sdk.ChunkFinish:
			out.GenerateResponse = c.Response
			if c.Response.Text+c.Response.Thinking+string(c.Response.ToolArguments) != "" {
				broken = errors.New("the finish repeats what was streamed before")
			}
		}
		if c.Text != "" {
			out.pieces++
		}
		return nil
	})
	out.Text += text.String()
	out.Thinking += thinking.String()
	if tool.Len() > 0 {
		out.ToolArguments = []byte(tool.String())
	}
	if out.Usage == (sdk.Usage{}) {
		out.Usage = usage
	}
	if broken != nil {
		return out, broken
	}
	return out, err
}
