package tinymodel

import (
	"encoding/binary"
	"fmt"
	"io"
)

// GGUF is the format of model files: a header, settings, the shapes of the
// tensors, and their numbers at aligned offsets. This is as much of its version 3
// as a model of the llama architecture needs.
const (
	magic     = "GGUF"
	version   = 3
	alignment = 32
	float32s  = uint32(0) // how a tensor's numbers are kept
)

// Kinds of settings, as the format numbers them.
const (
	kindUint32  = uint32(4)
	kindInt32   = uint32(5)
	kindFloat32 = uint32(6)
	kindBool    = uint32(7)
	kindString  = uint32(8)
	kindArray   = uint32(9)
)

// setting is a value of the header: a uint32, float32, bool, string, or a slice of
// string, float32 or int32.
type setting struct {
	name  string
	value any
}

// matrix is a tensor of rows that each have width numbers; without rows it is a
// vector.
type matrix struct {
	name        string
	width, rows int
	numbers     []float32
}

// zeros is a matrix to be filled in.
func zeros(name string, width, rows int) matrix {
	return matrix{name, width, rows, make([]float32, width*max(rows, 1))}
}

// ones is a vector that scales by nothing.
func ones(name string, width int) matrix {
	m := zeros(name, width, 0)
	for i := range m.numbers {
		m.numbers[i] = 1
	}
	return m
}

// row is a row of m, to be read and written.
func (m matrix) row(i int) []float32 { return m.numbers[i*m.width : (i+1)*m.width] }

// bytes is the room of m in the file, with what fills it up.
func (m matrix) bytes() uint64 {
	n := uint64(4 * len(m.numbers))
	return (n + alignment - 1) / alignment * alignment
}

// encoder writes numbers, and remembers the first error.
type encoder struct {
	to  io.Writer
	n   int64
	err error
}

func (e *encoder) put(values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			e.put(uint64(len(s)), []byte(s))
			continue
		}
		if e.err == nil {
			e.err = binary.Write(e.to, binary.LittleEndian, v)
			e.n += int64(binary.Size(v))
		}
	}
}

func (e *encoder) align() {
	if over := e.n % alignment; over > 0 {
		e.put(make([]byte, alignment-over))
	}
}

func (e *encoder) setting(s setting) {
	e.put(s.name)
	switch v := s.value.(type) {
	case uint32:
		e.put(kindUint32, v)
	case float32:
		e.put(kindFloat32, v)
	case bool:
		e.put(kindBool, v)
	case string:
		e.put(kindString, v)
	case []string:
		e.put(kindArray, kindString, uint64(len(v)))
		for _, text := range v {
			e.put(text)
		}
	case []float32:
		e.put(kindArray, kindFloat32, uint64(len(v)), v)
	case []int32:
		e.put(kindArray, kindInt32, uint64(len(v)), v)
	default:
		e.err = fmt.Errorf("setting %s: the format has no %T", s.name, v)
	}
}

// encode writes a model file.
func encode(to io.Writer, settings []setting, tensors []matrix) error {
	e := &encoder{to: to}
	e.put([]byte(magic), uint32(version), uint64(len(tensors)), uint64(len(settings)))
	for _, s := range settings {
		e.setting(s)
	}
	offset := uint64(0)
	for _, m := range tensors {
		e.put(m.name)
		if m.rows == 0 {
			e.put(uint32(1), uint64(m.width))
		} else {
			e.put(uint32(2), uint64(m.width), uint64(m.rows))
		}
		e.put(float32s, offset)
		offset += m.bytes()
	}
	for _, m := range tensors {
		e.align()
		e.put(m.numbers)
	}
	e.align()
	return e.err
}
