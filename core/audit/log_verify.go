package audit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// LogReport is what became of the check of an audit log.
type LogReport struct {
	Entries int64  `json:"entries"`
	Signed  int64  `json:"signed"`
	Last    string `json:"last"` // hash of the last entry
	// First is the first fault; nothing behind it was looked at. Nil for none.
	First  *LogFault `json:"fault,omitempty"`
	Checks Report    `json:"checks"`
}

// LogFault is where a log was found to have been changed, and why.
type LogFault struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1; that behind the last when something is missing at the end
	Why  string `json:"why"`
}

// VerifyLog checks a log with the files that were put away of it, as it is when it is
// called: others may write to it meanwhile. ExpectHead is the hash that the last entry
// is known to have, from somewhere that who can write to the log cannot reach; "" is
// not known. The error is one of reading, or of ctx.
func VerifyLog(ctx context.Context, file string, key Key, expectHead string) (LogReport, error) {
	s, err := takeSnapshot(ctx, file)
	if err != nil {
		return LogReport{}, err
	}
	defer s.close()
	v := &verifying{chain: Chain{Key: key}, snapshot: s}
	if err := v.all(ctx, file); err != nil {
		return LogReport{}, err
	}
	v.end(file, expectHead)
	v.report.Entries, v.report.Signed, v.report.Last = v.chain.Count(), v.chain.Signed(), v.chain.Last()
	return v.report, nil
}

// verifying is one check of a log.
type verifying struct {
	snapshot *snapshot
	chain    Chain
	report   LogReport
	at       LogFault // the last line that was read
	torn     LogFault // the first that may be torn
}

// all reads all files up to the first fault.
func (v *verifying) all(ctx context.Context, file string) error {
	for _, name := range v.snapshot.putAway {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(v.read(ctx, name, f), f.Close()); err != nil || v.report.First != nil {
			return err
		}
	}
	if v.snapshot.file == nil {
		return nil
	}
	return v.read(ctx, file, io.LimitReader(v.snapshot.file, v.snapshot.size))
}

func (v *verifying) read(ctx context.Context, name string, from io.Reader) error {
	r := bufio.NewReaderSize(from, tailBlock)
	for n := 1; v.report.First == nil; n++ {
		line, err := readLine(r)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		v.at = LogFault{File: name, Line: n}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case len(line) > maxTorn:
			v.fail(v.at, errors.New("the line is longer than any entry of an audit log"))
		case errors.Is(err, io.EOF):
			v.line(append(line, "\x00 no newline"...)) // no entry ends so
		case err != nil:
			return err
		default:
			v.line(line[:len(line)-1])
		}
	}
	return nil
}

// readLine reads to the end of a line, or a little further than an entry is long.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) > maxTorn {
			return line, err
		}
	}
}

func (v *verifying) line(line []byte) {
	before := v.chain.End()
	err := v.chain.Line(line)
	if before == nil && v.chain.End() != nil {
		v.torn = v.at
	}
	if err == nil {
		return
	}
	at := v.at
	if before != nil {
		at = v.torn
	}
	v.fail(at, err)
}

func (v *verifying) fail(at LogFault, err error) {
	at.File, at.Why = filepath.Base(at.File), err.Error()
	v.report.First = &at
}

// end checks what tells whether entries are missing at the end.
func (v *verifying) end(file, expectHead string) {
	if v.report.First == nil && v.chain.End() != nil {
		v.fail(v.torn, v.chain.End())
	}
	if v.report.First != nil {
		f := v.report.First
		v.say(Broken, "chain", "%s, line %d: %s", f.File, f.Line, f.Why)
		return
	}
	v.say(Checked, "chain", "%d entries", v.chain.Count())
	v.signatures()
	v.head(file, expectHead)
	if expectHead == "" {
		return
	}
	if expectHead != v.chain.Last() {
		v.missing("expected head", fmt.Sprintf("the last entry has the hash %s, and %s was expected: entries are missing at the end, or there are more", v.chain.Last(), short(expectHead)))
		return
	}
	v.say(Checked, "expected head", "")
}

func (v *verifying) say(s Status, what, detail string, args ...any) {
	v.report.Checks = append(v.report.Checks, Check{what, s, fmt.Sprintf(detail, args...)})
}

func (v *verifying) missing(what, why string) {
	v.say(Broken, what, "%s", why)
	if v.report.First == nil {
		v.fail(LogFault{File: v.at.File, Line: v.at.Line + 1}, errors.New(why))
	}
}

func (v *verifying) signatures() {
	const what = "signatures"
	signed, all, known := v.chain.Signed(), v.chain.Count(), v.chain.Key.Known()
	switch {
	case signed == 0 && known && all > 0:
		v.missing(what, "no entry is signed, and there is a key: the log was written anew, or never had one")
	case signed == 0:
		v.say(Unchecked, what, "the entries are not signed: whoever can write to the log can write it anew")
	case !known:
		v.say(Unchecked, what, "%d of %d entries are signed: needs the deployment's key", signed, all)
	default:
		v.say(Checked, what, "%d of %d entries are signed", signed, all)
	}
}

// head compares the end with the file of the head.
func (v *verifying) head(file, expectHead string) {
	const what = "head"
	h, err := v.snapshot.head, v.snapshot.headErr
	switch {
	case errors.Is(err, fs.ErrNotExist) && expectHead != "":
		v.say(Unchecked, what, "there is none")
		return
	case errors.Is(err, fs.ErrNotExist):
		v.missing(what, "its file "+filepath.Base(headName(file))+" is gone, so that nothing tells whether entries are missing at the end: name the last hash that is known with --expect-head")
		return
	case err != nil:
		v.missing(what, err.Error())
		return
	}
	if err := h.check(v.chain.Key); err != nil {
		v.missing(what, err.Error())
		return
	}
	switch count := v.chain.Count(); {
	case h.Count == count && h.Last == v.chain.Last():
		v.headMatches(what, h)
	case h.Count == count-1 && h.Last == v.chain.prev:
		v.say(Unchecked, what, "it is one entry behind: the last writer was stopped before it came to it")
	case h.Count > count:
		v.missing(what, fmt.Sprintf("it counts %d entries, and there are %d: entries are missing at the end", h.Count, count))
	default:
		v.missing(what, fmt.Sprintf("it says that entry %d is the last, which is not as the log ends", h.Count))
	}
}

// headMatches says what a head tells that says what the log does.
func (v *verifying) headMatches(what string, h Head) {
	switch {
	case h.MAC == "":
		v.say(Checked, what, "it is as the log ends; it is not signed, so that whoever can write to the log can write it anew")
	case !v.chain.Key.Known():
		v.say(Checked, what, "it is as the log ends; that it was not written anew needs the deployment's key (%s)", h.KeyID)
	default:
		v.say(Checked, what, "")
	}
}
