package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// AppendBinary appends v in the compact form in which results are kept and
// hashed: the kind, then the content. The form is canonical: equal values give
// equal bytes.
func (v Value) AppendBinary(b []byte) []byte {
	b = append(b, byte(v.kind))
	switch v.kind {
	case KindNull:
		return b
	case KindBool, KindInt, KindFloat:
		return binary.AppendUvarint(b, v.binaryBits())
	case KindArray:
		b = binary.AppendUvarint(b, uint64(len(v.list)))
		for _, e := range v.list {
			b = e.AppendBinary(b)
		}
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(v.text)))
	return append(b, v.text...)
}

// binaryBits keeps small integers short, whatever their sign.
func (v Value) binaryBits() uint64 {
	if v.kind == KindInt {
		return v.bits<<1 ^ uint64(int64(v.bits)>>63)
	}
	return v.bits
}

var errBinary = errors.New("the bytes are no value")

// maxBinaryDepth bounds the nesting of arrays that DecodeBinary follows.
const maxBinaryDepth = 16

// DecodeBinary reads a value that AppendBinary wrote and returns the rest of b.
// Texts share b's memory. The content of a value is not checked against its
// kind: the bytes must come from this process.
func DecodeBinary(b string) (Value, string, error) { return decodeBinary(b, maxBinaryDepth) }

func decodeBinary(b string, depth int) (Value, string, error) {
	if b == "" || int(b[0]) >= len(kindNames) || depth == 0 {
		return Value{}, "", errBinary
	}
	v := Value{kind: Kind(b[0])}
	if v.kind == KindNull {
		return v, b[1:], nil
	}
	n, b, err := decodeUvarint(b[1:])
	if err != nil {
		return Value{}, "", err
	}
	switch v.kind {
	case KindInt:
		v.bits = n>>1 ^ -(n & 1)
		return v, b, nil
	case KindBool, KindFloat:
		v.bits = n
		return v, b, nil
	}
	if n > uint64(len(b)) {
		return Value{}, "", fmt.Errorf("%w: %d of %d bytes are there", errBinary, len(b), n)
	}
	if v.kind != KindArray {
		v.text = b[:n]
		return v, b[n:], nil
	}
	for range n {
		var e Value
		if e, b, err = decodeBinary(b, depth-1); err != nil {
			return Value{}, "", err
		}
		v.list = append(v.list, e)
	}
	v.list = slices.Clip(v.list)
	return v, b, nil
}

func decodeUvarint(b string) (uint64, string, error) {
	var n uint64
	for i := 0; i < len(b) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return n, b[i+1:], nil
		}
	}
	return 0, "", errBinary
}
