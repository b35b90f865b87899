package plan

import (
	"strings"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// from binds the first source.
func (bb *blockBinder) from(c wire.Clauses) error {
	if blank(c.From) {
		return bb.withoutFrom(c)
	}
	found, err := bb.findSource(c.From, 0)
	if err != nil {
		return in(err, "from", 0)
	}
	s := bb.source(found)
	p := &clauseParser{lex: lexer{src: c.From, at: found.rest}}
	p.advance()
	if err := bb.alias(p, s); err != nil {
		return in(err, "from", 0)
	}
	if p.tok.kind != tokenEnd {
		err := p.unexpected("the end of the clause")
		if p.tok.is(",") || p.tok.is("on") || joinWords[strings.ToLower(p.tok.text)] {
			err = err.hint("\"from\" holds one table; each further table is an entry of \"joins\"")
		}
		return in(err, "from", 0)
	}
	return in(bb.add(s, c.From, 0), "from", 0)
}

func errNoFrom() *Error {
	return &Error{Field: "from", Message: "it is empty", Suggestion: "name the table or the earlier block to read"}
}

// withoutFrom takes a block that reads nothing: its one row is made of constants
// and scalar(block).
func (bb *blockBinder) withoutFrom(c wire.Clauses) error {
	rows := append(append(append([]string{c.Where, c.Having}, c.Joins...), c.Group...), c.Per...)
	if len(c.Select) == 0 || bb.block.Recursive || strings.TrimSpace(strings.Join(rows, "")) != "" {
		return errNoFrom()
	}
	return nil
}

func (bb *blockBinder) source(found sourceText) *Source {
	s := &Source{Index: len(bb.block.Sources), Table: found.table, Block: found.block}
	s.Alias = defaultAlias(s)
	return s
}

// defaultAlias is the name of a source that is given none.
func defaultAlias(s *Source) string {
	if s.Table != nil {
		return s.Table.Name
	}
	return s.Block.Name
}

// joinWords are the words of joins, which are no aliases without backticks.
var joinWords = map[string]bool{
	"inner": true, "left": true, "right": true, "full": true, "cross": true, "semi": true, "anti": true,
	"outer": true, "join": true, "using": true,
}

// alias reads "[as] ALIAS" if it is there.
func (bb *blockBinder) alias(p *clauseParser, s *Source) error {
	required := p.accept("as")
	word := strings.ToLower(p.tok.text)
	switch {
	case p.tok.kind == tokenQuoted && p.tok.text != "":
	case p.tok.kind == tokenWord && !reserved[word] && !joinWords[word]:
	case required || p.tok.kind == tokenQuoted:
		return p.unexpected("an alias")
	default:
		return nil
	}
	if utf8.RuneCountInString(p.tok.text) > maxName || strings.ContainsFunc(p.tok.text, hidden) {
		return fault(p.src(), p.tok.start, "an alias is at most %d characters that show", maxName)
	}
	s.Alias = p.advance().text
	return nil
}

// add makes a source known. Its alias must differ from those before it.
func (bb *blockBinder) add(s *Source, src string, offset int) error {
	for _, other := range bb.block.Sources {
		if strings.EqualFold(other.Alias, s.Alias) {
			return fault(src, offset, "two tables are named %s", quote(s.Alias)).hint("give one of them an alias: %s other", clip(s.Alias))
		}
	}
	bb.block.Sources = append(bb.block.Sources, s)
	if s.Join != JoinSemi && s.Join != JoinAnti {
		bb.visible = append(bb.visible, s)
	}
	return nil
}

func (bb *blockBinder) joins(c wire.Clauses) error {
	n := 0
	for i, src := range c.Joins {
		if blank(src) {
			continue
		}
		if n++; n > maxJoins {
			return &Error{Field: "joins", Message: "more tables are joined than any database takes"}
		}
		if err := bb.join(src); err != nil {
			return in(err, "joins", i+1)
		}
	}
	return nil
}

// join binds "[KIND] TABLE [ALIAS] [via COLUMN | on CONDITION]".
func (bb *blockBinder) join(src string) error {
	kind, from, err := joinKind(src)
	var found sourceText
	if err == nil {
		found, err = bb.findSource(src, from)
	}
	if err != nil && from > 0 {
		// A table may be named like a kind of join.
		if whole, again := bb.findSource(src, 0); again == nil {
			kind, found, err = JoinInner, whole, nil
		}
	}
	if err != nil {
		return err
	}
	s := bb.source(found)
	s.Join = kind
	p := &clauseParser{lex: lexer{src: src, at: found.rest}}
	p.advance()
	if err := bb.alias(p, s); err != nil {
		return err
	}
	before := bb.visible
	if err := bb.add(s, src, from); err != nil {
		return err
	}
	s.On, err = bb.joinCondition(p, s, before)
	return err
}

// joinKind reads the words before the table. Of two kinds only left semi and left
// anti go together, which are semi and anti.
func joinKind(src string) (JoinKind, int, error) {
	l := lexer{src: src}
	kind, end := JoinNone, 0
	for {
		t := l.next()
		word := strings.ToLower(t.text)
		if t.kind != tokenWord || !joinWords[word] || word == "using" {
			break
		}
		end = t.end
		if word == "join" || word == "outer" {
			continue
		}
		next := JoinKind(word)
		if kind != JoinNone && (kind != JoinLeft || next != JoinSemi && next != JoinAnti) {
			return kind, end, fault(src, t.start, "a join is either %s or %s", kind, next)
		}
		kind = next
	}
	if kind == JoinNone {
		kind = JoinInner
	}
	return kind, end, nil
}

// joinCondition reads what follows the table and its alias, or finds the key
// that leads from the tables before.
func (bb *blockBinder) joinCondition(p *clauseParser, s *Source, before []*Source) (Expr, error) {
	mark := p.tok
	switch {
	case s.Join == JoinCross && p.tok.kind == tokenEnd:
		return nil, nil
	case s.Join == JoinCross:
		return nil, p.unexpected("the end of a cross join, which has no condition")
	case p.accept("on"):
		return bb.onCondition(p.src(), mark, s, before)
	case p.accept("via"):
		return bb.via(p, s, before)
	case p.tok.kind == tokenEnd:
		return bb.keyPath(p.src(), s, before)
	}
	err := p.unexpected("'on', 'via' or the end of the join")
	if p.tok.is("using") {
		err = err.hint("write 'via COLUMN' or 'on CONDITION'")
	}
	return nil, err
}

func (bb *blockBinder) onCondition(src string, mark lexeme, s *Source, before []*Source) (Expr, error) {
	e := bb.clause(src, "an aggregate cannot stand in \"on\"; compute it in a block and join that")
	e.scopes = [][]*Source{append(append([]*Source(nil), before...), s)}
	p := &clauseParser{lex: lexer{src: src, at: mark.end}}
	p.advance()
	n, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if err := p.end("an operator or the end of the join"); err != nil {
		return nil, err
	}
	return e.isCondition(n)
}
