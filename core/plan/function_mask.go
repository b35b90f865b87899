package plan

import "querent.dev/querent/sdk/wire"

// MaskHash is the function mask_hash(text, key): the first 32 hexadecimal digits
// of the SHA-256 of the key and the text behind it, null for null. A policy
// calls it; it is not in the table, so no plan can.
func MaskHash() *Function { return &maskHash }

var maskHash = define(Function{Name: "mask_hash", Signature: "mask_hash(text, key)",
	Doc: "A digest that is the same for the same text."}, 0, always(wire.KindText), textValue, textValue)

// Text is an expression in normal form, with tables and blocks called by their
// places: what a policy adds to a plan is hashed as it.
func Text(e Expr) string { return placeNames.expr(e) }
