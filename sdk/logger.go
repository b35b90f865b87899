package sdk

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// maxLogLine is the longest line of log that reaches the host, in bytes. Longer
// ones have their texts cut: a log is no place for whole prompts and answers.
const maxLogLine = 16 << 10

// maxLogText is to what a text of a line over maxLogLine is cut, in bytes.
const maxLogText = 1 << 10

// stderr is the process's own standard error. Serve lets go-plugin replace
// os.Stderr, but the host reads log lines from this one.
var stderr = os.Stderr

// Logger is the plugin's logger. Its lines reach the host's log under the
// plugin's name, at the level that the host keeps. It is safe for concurrent
// use. Log no secret and no text of a user or a model.
func Logger() hclog.Logger { return logger() }

var logger = sync.OnceValue(func() hclog.Logger { return newLogger(stderr, os.Getenv(EnvLogLevel)) })

func newLogger(out io.Writer, level string) hclog.Logger {
	l := hclog.LevelFromString(level)
	if l == hclog.NoLevel {
		l = hclog.Info
	}
	return hclog.New(&hclog.LoggerOptions{Level: l, Output: cappedLines{out}, JSONFormat: true})
}

// cappedLines passes log lines on, each a Write, and shortens those that are too
// long without breaking their JSON.
type cappedLines struct{ out io.Writer }

func (c cappedLines) Write(line []byte) (int, error) {
	if len(line) <= maxLogLine {
		return c.out.Write(line)
	}
	if _, err := c.out.Write(shorten(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

func shorten(line []byte) []byte {
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		return append(bytes.Clone(line[:maxLogLine-1]), '\n')
	}
	for name, value := range fields {
		text, ok := value.(string)
		if !ok {
			whole, err := json.Marshal(value)
			if err != nil || len(whole) <= maxLogText {
				continue
			}
			text = string(whole)
		}
		if len(text) > maxLogText {
			fields[name] = text[:maxLogText] + " … (cut)"
		}
	}
	short, err := json.Marshal(fields)
	if err != nil || len(short) >= maxLogLine {
		return append(bytes.Clone(line[:maxLogLine-1]), '\n')
	}
	return append(short, '\n')
}
