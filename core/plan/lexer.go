package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenQuoted // a name in backticks
	tokenNumber
	tokenString
	tokenSymbol
	tokenBad
)

// lexeme is a word of a clause. text is what it means: without the quotes of a
// name or a string.
type lexeme struct {
	kind       tokenKind
	text       string
	start, end int // bytes of the clause
	err        *Error
}

// is reports whether the token is the keyword or the symbol, in any case.
func (t lexeme) is(word string) bool {
	switch t.kind {
	case tokenWord:
		return strings.EqualFold(t.text, word)
	case tokenSymbol:
		return t.text == word
	}
	return false
}

// lexer cuts a clause into tokens, one at a time: a label at the end of a clause
// may hold any text. It is a value, so a copy looks ahead.
type lexer struct {
	src string
	at  int
}

var symbols = []string{"||", "==", "<>", "!=", "<=", ">=", "::", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", ",", "."}

func (l *lexer) next() lexeme {
	for l.at < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.at:])
		if !unicode.IsSpace(r) {
			break
		}
		l.at += size
	}
	start := l.at
	if start == len(l.src) {
		return lexeme{kind: tokenEnd, start: start, end: start}
	}
	r, _ := utf8.DecodeRuneInString(l.src[start:])
	switch {
	case startsName(r):
		l.skip(inName)
		return l.token(tokenWord, start, l.src[start:l.at])
	case r >= '0' && r <= '9', r == '.' && l.digitAt(start+1):
		return l.number(start)
	case r == '\'':
		return l.quoted(start, '\'', tokenString, "the text has no closing quote")
	case r == '`':
		return l.quoted(start, '`', tokenQuoted, "the name has no closing backtick")
	}
	if strings.HasPrefix(l.src[start:], "--") {
		return l.bad(start, fault(l.src, start, "a clause has no comments").hint("write - -1 to subtract a negative number"))
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.src[start:], s) {
			l.at += len(s)
			return l.token(tokenSymbol, start, s)
		}
	}
	return l.bad(start, l.stray(start, r))
}

func (l *lexer) token(kind tokenKind, start int, text string) lexeme {
	return lexeme{kind: kind, text: text, start: start, end: l.at}
}

func (l *lexer) bad(start int, err *Error) lexeme {
	l.at = len(l.src)
	return lexeme{kind: tokenBad, start: start, end: l.at, err: err}
}

// stray explains a character that starts nothing.
func (l *lexer) stray(start int, r rune) *Error {
	switch r {
	case '"', '“', '”':
		return fault(l.src, start, "double quotes are not used here").
			hint("write text as 'text', and a name with spaces as `name`")
	case '‘', '’':
		return fault(l.src, start, "a typographic quote is not a quote").hint("write text as 'text'")
	case '[', ']':
		return fault(l.src, start, "square brackets are not used here").hint("write a name with spaces as `name`")
	case ';':
		return fault(l.src, start, "a clause has no ';'")
	}
	return fault(l.src, start, "the character %s stands for nothing here", quote(string(r)))
}

func startsName(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func inName(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func (l *lexer) skip(part func(rune) bool) {
	for l.at < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.at:])
		if !part(r) {
			return
		}
		l.at += size
	}
}

func (l *lexer) digitAt(i int) bool { return i < len(l.src) && l.src[i] >= '0' && l.src[i] <= '9' }

func (l *lexer) digits() {
	for l.digitAt(l.at) {
		l.at++
	}
}

// number is digits with at most one point and an optional exponent.
func (l *lexer) number(start int) lexeme {
	l.digits()
	if l.at < len(l.src) && l.src[l.at] == '.' && l.digitAt(l.at+1) {
		l.at++
		l.digits()
	}
	if l.at < len(l.src) && (l.src[l.at] == 'e' || l.src[l.at] == 'E') {
		mark := l.at
		l.at++
		if l.at < len(l.src) && (l.src[l.at] == '+' || l.src[l.at] == '-') {
			l.at++
		}
		if l.digitAt(l.at) {
			l.digits()
		} else {
			l.at = mark
		}
	}
	if r, _ := utf8.DecodeRuneInString(l.src[l.at:]); l.at < len(l.src) && inName(r) {
		l.skip(inName)
		return l.bad(start, fault(l.src, start, "%s is neither a number nor a name", quote(l.src[start:l.at])).
			hint("a name that starts with a digit stands in backticks"))
	}
	return l.token(tokenNumber, start, l.src[start:l.at])
}

// quoted reads up to the closing mark; a doubled mark stands for itself.
func (l *lexer) quoted(start int, mark byte, kind tokenKind, open string) lexeme {
	var b strings.Builder
	for i := start + 1; i < len(l.src); i++ {
		c := l.src[i]
		if c != mark {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(l.src) && l.src[i+1] == mark {
			b.WriteByte(mark)
			i++
			continue
		}
		l.at = i + 1
		if strings.ContainsRune(b.String(), 0) {
			return l.bad(start, fault(l.src, start, "a zero character cannot be stored by any database"))
		}
		return l.token(kind, start, b.String())
	}
	return l.bad(start, fault(l.src, start, "%s", open))
}
