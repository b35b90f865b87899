package config

import (
	"fmt"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/reason"
)

// Place is where in the configuration something stands. A configuration that
// was built in the program has no file.
type Place struct {
	File   string // as given to Load, or the file's path inside the folder
	Line   int    // 1-based; 0 when unknown
	Column int    // 1-based; 0 when unknown
	Key    string // dotted: agents.default.provider
}

// String is file:line:column: key, without the parts that are unknown.
func (p Place) String() string {
	var parts []string
	if p.File != "" {
		at := p.File
		if p.Line > 0 {
			at += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
		}
		parts = append(parts, at)
	}
	if p.Key != "" {
		parts = append(parts, p.Key)
	}
	return strings.Join(parts, ": ")
}

// Problem is one thing that is wrong in a configuration, in words for whoever
// wrote it.
type Problem struct {
	Place   Place
	Message string
}

// String is the place and the message.
func (p Problem) String() string {
	if place := p.Place.String(); place != "" {
		return place + ": " + p.Message
	}
	return p.Message
}

// Problems is the error of a configuration that cannot be used: all that was
// found, in the order of the files. It holds no secret.
type Problems []Problem

// Error is one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// problem makes Problems of one message without a place in a file.
func problem(key, format string, args ...any) Problems {
	return Problems{{Place: Place{Key: key}, Message: fmt.Sprintf(format, args...)}}
}

// Warning is a setting that is accepted and has no effect.
type Warning struct {
	Code    reason.Warning
	Place   Place
	Message string
}

// String is the place and the message.
func (w Warning) String() string { return Problem{w.Place, w.Message}.String() }
