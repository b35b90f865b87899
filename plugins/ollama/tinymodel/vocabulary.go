package tinymodel

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What a token is, as the format numbers it.
const (
	isNormal  = int32(1)
	isUnknown = int32(2)
	isControl = int32(3)
	isPhrase  = int32(4) // found in any text, before it is cut further
	isByte    = int32(6)
)

// The tokens that every vocabulary begins with; those of the 256 bytes follow.
const (
	unknownToken = iota
	beginToken
	endToken
	firstByte
)

// spaceMark is how the vocabulary spells a space.
const spaceMark = "\u2581"

// vocabulary is the tokens of a model. What it has no token for is spelled byte by
// byte. No two tokens have the same text.
type vocabulary struct {
	texts []string
	kinds []int32
	ids   map[string]int
}

func newVocabulary() *vocabulary {
	v := &vocabulary{ids: map[string]int{}}
	v.add("<unk>", isUnknown)
	v.add("<s>", isControl)
	v.add("</s>", isControl)
	for b := range 256 {
		v.add(fmt.Sprintf("<0x%02X>", b), isByte)
	}
	return v
}

func (v *vocabulary) add(text string, kind int32) int {
	v.texts, v.kinds = append(v.texts, text), append(v.kinds, kind)
	v.ids[text] = len(v.texts) - 1
	return len(v.texts) - 1
}

func (v *vocabulary) has(text string) bool {
	_, ok := v.ids[text]
	return ok
}

// cut adds tokens that together are text, none of which stands anywhere else: the
// shortest that the vocabulary lacks, one after the other. What is left at the end
// joins the tokens before it.
func (v *vocabulary) cut(text string) ([]int, error) {
	if !utf8.ValidString(text) || strings.Contains(text, spaceMark) {
		return nil, fmt.Errorf("%q is no text that a model could say", text)
	}
	text = strings.ReplaceAll(text, " ", spaceMark)
	var pieces []string
	taken := map[string]bool{}
	rest := ""
	for _, r := range text {
		if rest += string(r); !v.has(rest) && !taken[rest] {
			pieces, rest = append(pieces, rest), ""
			taken[pieces[len(pieces)-1]] = true
		}
	}
	for rest != "" {
		if len(pieces) == 0 {
			return nil, fmt.Errorf("%q is said elsewhere already, word for word", text)
		}
		rest = pieces[len(pieces)-1] + rest
		pieces = pieces[:len(pieces)-1]
		if !v.has(rest) && !taken[rest] {
			pieces, rest = append(pieces, rest), ""
		}
	}
	var ids []int
	for _, piece := range pieces {
		ids = append(ids, v.add(piece, isNormal))
	}
	return ids, nil
}

// settings describe the vocabulary in the file.
func (v *vocabulary) settings() []setting {
	return []setting{
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.pre", "default"},
		{"tokenizer.ggml.tokens", v.texts},
		{"tokenizer.ggml.scores", make([]float32, len(v.texts))},
		{"tokenizer.ggml.token_type", v.kinds},
		{"tokenizer.ggml.unknown_token_id", uint32(unknownToken)},
		{"tokenizer.ggml.bos_token_id", uint32(beginToken)},
		{"tokenizer.ggml.eos_token_id", uint32(endToken)},
		{"tokenizer.ggml.add_bos_token", true},
		{"tokenizer.ggml.add_eos_token", false},
		{"tokenizer.ggml.add_space_prefix", false},
	}
}
