package pluginhost

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// maxLogLine is the longest line of a plugin's log that is kept, in bytes; it is
// above the SDK's own limit. The rest of a longer line is dropped.
const maxLogLine = 64 << 10

// logLines writes what a plugin writes into the host's log: lines of hclog's JSON
// form at their level, all others as they are. A plugin is not trusted: a line of
// any content is only a line.
type logLines struct {
	logger hclog.Logger
	redact func(string) string

	mu       sync.Mutex
	lastLine string
	crashed  bool
}

// copy reads lines until the end of from.
func (l *logLines) copy(from io.Reader) {
	lines := bufio.NewReaderSize(from, maxLogLine)
	for {
		line, isPrefix, err := lines.ReadLine()
		if err != nil {
			return
		}
		l.line(line)
		for isPrefix && err == nil {
			_, isPrefix, err = lines.ReadLine()
		}
	}
}

// Write takes what a plugin prints on its standard streams once they are
// replaced by go-plugin's. Parts of lines count as lines.
func (l *logLines) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		l.line([]byte(strings.TrimRight(line, "\r\n")))
	}
	return len(b), nil
}

func (l *logLines) line(line []byte) {
	if len(strings.TrimSpace(string(line))) == 0 {
		return
	}
	line = []byte(l.redact(string(line)))
	entry, err := parseLogLine(line)
	if err != nil {
		l.plain(string(line))
		return
	}
	if entry.level >= hclog.Error {
		l.remember(entry.message, false)
	}
	l.logger.Log(entry.level, entry.message, entry.args...)
}

// plain logs a line of no known form. A crash is an error up to its end; all
// else is what a plugin should not have printed.
func (l *logLines) plain(line string) {
	crash := strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
	l.remember(line, crash)
	l.mu.Lock()
	level := hclog.Debug
	if l.crashed {
		level = hclog.Error
	}
	l.mu.Unlock()
	l.logger.Log(level, line)
}

// remember keeps the line that explains an end best: the crash's first, else the
// last.
func (l *logLines) remember(line string, crash bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.crashed {
		return
	}
	l.lastLine, l.crashed = shorten(line), crash
}

// last is the line that explains an end best.
func (l *logLines) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lastLine
}

// maxQuoted is how much of a plugin's line stands in an error, in bytes.
const maxQuoted = 200

func shorten(line string) string {
	if len(line) > maxQuoted {
		line = line[:maxQuoted] + "…"
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}

type logEntry struct {
	level   hclog.Level
	message string
	args    []any
}

var errNotLog = errors.New("not a line of hclog's JSON form")

func parseLogLine(line []byte) (logEntry, error) {
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		return logEntry{}, err
	}
	name, _ := fields["@level"].(string)
	message, isText := fields["@message"].(string)
	level := hclog.LevelFromString(name)
	if !isText || level == hclog.NoLevel || level == hclog.Off {
		return logEntry{}, errNotLog
	}
	entry := logEntry{level: level, message: message}
	names := make([]string, 0, len(fields))
	for name := range fields {
		if !strings.HasPrefix(name, "@") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		entry.args = append(entry.args, name, fields[name])
	}
	return entry, nil
}
