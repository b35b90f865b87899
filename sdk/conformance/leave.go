package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance/fakeserver"
	"querent.dev/querent/sdk/reason"
)

// deadlineOfCall is long enough for a call to reach the server on a loaded machine.
const deadlineOfCall = 2 * time.Second

func deadline(ctx context.Context, s *session) error {
	p, err := s.facing(ctx, fakeserver.Hangs(s.target.Shape))
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, deadlineOfCall)
	defer cancel()
	_, err = p.Model().Generate(limited, s.question("How many riders?"))
	if err := wantKind(err, reason.Timeout); err != nil {
		return err
	}
	return left(ctx, p)
}

func cancellation(ctx context.Context, s *session) error {
	p, err := s.facing(ctx, fakeserver.Hangs(s.target.Shape))
	if err != nil {
		return err
	}
	cancelled, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := p.Model().Generate(cancelled, s.question("How many riders?"))
		done <- err
	}()
	if err := reached(ctx, p); err != nil {
		return errors.Join(err, <-done)
	}
	cancel()
	if err := wantKind(<-done, reason.Cancelled); err != nil {
		return err
	}
	return left(ctx, p)
}

// reached waits until the server was asked.
func reached(ctx context.Context, p *plugin) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for len(p.server.Chats()) == 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.New("the server was never asked")
		}
	}
	return nil
}

// left waits until the plugin has left the server.
func left(ctx context.Context, p *plugin) error {
	if len(p.server.Chats()) == 0 {
		return errors.New("the server was never asked")
	}
	select {
	case <-p.server.Left():
		return nil
	case <-ctx.Done():
		return errors.New("the plugin still waits for the server's answer, which nobody wants any more")
	}
}

func stoppedReader(ctx context.Context, s *session) error {
	p, err := s.facing(ctx, fakeserver.Trails(s.target.Shape, "Forty-two."))
	if err != nil {
		return err
	}
	gone := errors.New("the reader has gone")
	err = p.Model().GenerateStream(ctx, s.question("How many riders?"), func(sdk.Chunk) error { return gone })
	if !errors.Is(err, gone) {
		return fmt.Errorf("the stream ended with %w before its first piece came through", err)
	}
	return left(ctx, p)
}
