package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// processChecks are those of a plugin's executable.
func processChecks() []check {
	return []check{
		{name: "process/ends_with_its_host", promise: "the process ends at the end of its standard input, which is how it learns that its host is gone", program: true, run: endsWithHost},
		{name: "process/run_by_hand", promise: "a process that no host started explains itself on standard error and ends with a failure", program: true, run: runByHand},
	}
}

func endsWithHost(ctx context.Context, s *session) error {
	running, err := s.target.Program.start(ctx)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, running.connection.Close)
	limited, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	if err := running.stdin.Close(); err != nil {
		return err
	}
	if running.Wait(limited) != nil {
		running.kill()
		return fmt.Errorf("the process still ran %v after the end of its standard input; it would outlive its host", endTime)
	}
	return nil
}

func runByHand(ctx context.Context, s *session) error {
	limited, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(limited, s.target.Program.Path)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = s.target.Program.ownEnvironment(), &out, &errs, endTime
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case limited.Err() != nil:
		return fmt.Errorf("the process did not end within %v: a person would wait for nothing", endTime)
	case err != nil && !errors.As(err, &ended):
		return err
	case err == nil:
		return errors.New("the process ended as if all were well")
	case strings.TrimSpace(errs.String()+out.String()) == "":
		return errors.New("the process said nothing")
	}
	return nil
}
