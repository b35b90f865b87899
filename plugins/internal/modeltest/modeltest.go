// Package modeltest holds what the tests of every Model need.
package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Limited is a context that ends a test that would hang.
func Limited(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// Streamed collects a stream into what Generate would have returned.
func Streamed(ctx context.Context, m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, []sdk.ChunkKind, error) {
	var out sdk.GenerateResponse
	var kinds []sdk.ChunkKind
	var text, thinking, tool strings.Builder
	err := m.GenerateStream(ctx, r, func(c sdk.Chunk) error {
		if len(kinds) == 0 || kinds[len(kinds)-1] != c.Kind {
			kinds = append(kinds, c.Kind)
		}
		switch c.Kind {
		case sdk.ChunkText:
			text.WriteString(c.Text)
		case sdk.ChunkThinking:
			thinking.WriteString(c.Text)
		case sdk.ChunkTool:
			tool.WriteString(c.Text)
		case sdk.ChunkFinish:
			out = c.Response
		}
		return nil
	})
	out.Text, out.Thinking = text.String(), thinking.String()
	if tool.Len() > 0 {
		out.ToolArguments = json.RawMessage(tool.String())
	}
	return out, kinds, err
}

// BothWays runs a check on Generate and on GenerateStream.
func BothWays(t *testing.T, check func(t *testing.T, ask func(sdk.Model, sdk.GenerateRequest) (sdk.GenerateResponse, error))) {
	t.Helper()
	t.Run("whole", func(t *testing.T) {
		check(t, func(m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			return m.Generate(Limited(t), r)
		})
	})
	t.Run("stream", func(t *testing.T) {
		check(t, func(m sdk.Model, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
			out, _, err := Streamed(Limited(t), m, r)
			return out, err
		})
	})
}

// WantKind is err as an *sdk.Error; it ends the test unless err is one of that kind.
func WantKind(t *testing.T, err error, kind reason.Kind) *sdk.Error {
	t.Helper()
	var e *sdk.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want an *sdk.Error of kind %s", err, kind)
	}
	if e.Kind != kind {
		t.Fatalf("kind is %s (%s), want %s", e.Kind, e.Message, kind)
	}
	return e
}
