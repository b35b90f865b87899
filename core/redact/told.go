package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fewestTold are the letters of a password that is a word: fewer are part of a
// sentence more often.
const fewestTold = 4

// toldInWords reports whether a word of letters alone, which stands behind a
// password's name in a sentence, is the password. Behind a colon it is, unless it
// is a word that people say of passwords; behind "is" the sentence must end or go on
// to something else, too. Name is the password's, verb what stands between.
func toldInWords(name, verb, value, rest string) bool {
	low := strings.ToLower(value)
	if len(low) < fewestTold || saidOf[low] || stop[low] || !latin(value) || filePath.MatchString(value) {
		return false
	}
	if strings.HasSuffix(strings.ToLower(name), "words") || strings.HasSuffix(low, "'s") {
		return false // of passwords in general, and of somebody's
	}
	verb = strings.ToLower(strings.TrimSuffix(verb, ":"))
	switch {
	case verb == "":
		return !quality.MatchString(low) || turn.MatchString(rest)
	case verb == "is" || verb == "was":
		return !quality.MatchString(low) && turn.MatchString(rest)
	}
	// In a sentence of another script, a Latin word is no part of what is said.
	r, _ := utf8.DecodeLastRuneInString(name)
	return r >= utf8.RuneSelf && !unicode.Is(unicode.Latin, r) && verb != "" && verb[0] >= utf8.RuneSelf
}

// latin reports whether a text is of Latin letters, with dashes between words.
func latin(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool {
		return !unicode.Is(unicode.Latin, r) && r != '-' && r != '\'' && r != '.'
	})
}

// turn is where a sentence ends, or leaves what it spoke of.
var turn = regexp.MustCompile(`(?i)^(?:[\s"'”’)]*$|[\s"'”’)]*[.,;!?\r\n]|\s+(?:and|but|or|so|please|pls|thanks|thank|for|on|at|in|with|user|username|login|host|account)\b)`)

// quality are the endings of words that say how something is, or what is done to it.
var quality = regexp.MustCompile(`(?:ed|ing|able|ible|ory|ary|ive|ful|less|ous|ant|ent|ten|den|ic|al|sensitive|only|wide|free|based|safe)$`)

// saidOf are further words that people say of passwords, or begin to.
var saidOf = set(`also already always never still just only once twice again soon later today tomorrow yesterday what why how who whose whom please thanks
each every some any all both either neither many much more most less least few several one two three four five six seven eight nine ten twelve
safe secure insecure correct right okay fine ready broken lost known unknown hidden visible public private plain plaintext plain-text cleartext clear-text
simple complex easy hard weak stronger weaker longer shorter older newer better worse mandatory compulsory obligatory essential available
unavailable important crucial vital case-sensitive self-service read-only write-only made part none nothing something anything
sha bcrypt argon scrypt salted hash hashes hash-based encryption encrypt encrypts plus upper uppercase lower lowercase letters letter digits digit characters character symbols
word words phrase passphrase password passwords pin code username user users login admin's customer customers account accounts owner
needs need must contains contain includes include uses using expires expire resets changes rotates works fails change show list find tell explain
down due over late early then than there they them these those about above below after before between during under until while because since
up-to-date out-of-date minimum maximum exactly approximately varchar integer boolean bool char nvarchar object array uuid date timestamp
see ask call contact use enter type choose pick select check verify leave keep note warning info debug
mindestens höchstens erforderlich notwendig abgelaufen ungültig falsch richtig gültig bitte nicht kein keine leer vergessen geändert gesetzt zurücksetzen zeichen
requis requise obligatoire expiré invalide incorrecte oublié vide minimum caractères oublier modifier
obligatoria obligatorio requerida caducada incorrecta inválida inválido olvidada vacía mínimo cambiar obrigatória obrigatório expirada esquecida vazia`)
