// Package tinymodel makes models of a few megabytes, for tests against a real
// Ollama server: Scripted ones say what a test wants to be said, Random ones say
// nonsense. The server loads and runs them as it does any other model.
package tinymodel

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// The shape of every model: one layer with one head. The width is that of the
// codes by which tokens are told apart; the head is as narrow as the server's
// kernels allow, since it reads every token of a prompt.
const (
	width     = 256
	headWidth = 32
	inner     = 32
)

// slowTurn is a base of the rotary positions under which the last pair of a
// head's numbers hardly turns, however long the prompt is.
const slowTurn = float32(1e9)

// Model is a model that can be written to a file.
type Model struct {
	// Context is the most tokens that the model takes; 0 is 65536. The server
	// counts every byte of a prompt that the model does not know as a token.
	Context int

	words *vocabulary
	layer layer
	// embeddings has a row per token, by which the model knows what it reads;
	// outputs has one by which it chooses what it says next.
	embeddings, outputs matrix
}

// layer is what the model's one layer does. It adds to each token's numbers what
// the head reads.
type layer struct{ query, key, value, output matrix }

func newModel(words *vocabulary) *Model {
	tokens := len(words.texts)
	return &Model{
		words: words, embeddings: zeros("token_embd.weight", width, tokens), outputs: zeros("output.weight", width, tokens),
		layer: layer{
			query: zeros("blk.0.attn_q.weight", width, headWidth), key: zeros("blk.0.attn_k.weight", width, headWidth),
			value: zeros("blk.0.attn_v.weight", width, headWidth), output: zeros("blk.0.attn_output.weight", headWidth, width),
		},
	}
}

// Random makes a model that says anything: under a schema JSON of its shape, with
// values that mean nothing. The seed chooses its words.
func Random(seed uint64) *Model {
	words := newVocabulary()
	for c := '!'; c <= '~'; c++ {
		words.add(string(c), isNormal)
	}
	words.add(spaceMark, isNormal)
	m, numbers := newModel(words), rand.New(rand.NewPCG(seed, 0))
	for _, rows := range []matrix{m.embeddings, m.outputs} {
		for i := range rows.numbers {
			rows.numbers[i] = float32(numbers.NormFloat64())
		}
	}
	for i := range m.outputs.numbers {
		m.outputs.numbers[i] /= 16 // so that no word is out of question
	}
	// Every token holds the same first number, by which bytes and marks are rare.
	for token := range words.texts {
		m.embeddings.row(token)[0] = 4
		m.outputs.row(token)[0] = 0
		if words.kinds[token] != isNormal {
			m.outputs.row(token)[0] = -4
		}
	}
	return m
}

// Write writes the model to the file at path.
func (m *Model) Write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a model: %w", err)
	}
	to := bufio.NewWriter(f)
	err = m.Encode(to)
	if err = errors.Join(err, to.Flush(), f.Close()); err != nil {
		return fmt.Errorf("write a model to %s: %w", path, err)
	}
	return nil
}

// Encode writes the model in the format GGUF.
func (m *Model) Encode(to io.Writer) error {
	tensors := []matrix{
		m.embeddings, m.outputs, ones("output_norm.weight", width),
		ones("blk.0.attn_norm.weight", width), m.layer.query, m.layer.key, m.layer.value, m.layer.output,
		ones("blk.0.ffn_norm.weight", width), zeros("blk.0.ffn_gate.weight", width, inner),
		zeros("blk.0.ffn_up.weight", width, inner), zeros("blk.0.ffn_down.weight", inner, width),
	}
	return encode(to, append(m.settings(), m.words.settings()...), tensors)
}

func (m *Model) settings() []setting {
	return []setting{
		{"general.architecture", "llama"},
		{"general.name", "tiny"},
		{"general.file_type", float32s},
		{"llama.vocab_size", uint32(len(m.words.texts))},
		{"llama.context_length", uint32(cmp.Or(m.Context, 65536))},
		{"llama.embedding_length", uint32(width)},
		{"llama.block_count", uint32(1)},
		{"llama.feed_forward_length", uint32(inner)},
		{"llama.attention.head_count", uint32(1)},
		{"llama.attention.head_count_kv", uint32(1)},
		{"llama.attention.key_length", uint32(headWidth)},
		{"llama.attention.value_length", uint32(headWidth)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-6)},
		{"llama.rope.dimension_count", uint32(headWidth)},
		{"llama.rope.freq_base", slowTurn},
	}
}
