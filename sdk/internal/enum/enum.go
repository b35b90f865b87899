// Package enum converts between the closed sets of names in the hand-written
// types and the enums of the protocol. The two agree by name: the number of
// "auth_failed" is that of ERROR_KIND_AUTH_FAILED, and the empty name stands for
// UNSPECIFIED. So there is no table that could be wrong.
package enum

import (
	"strings"

	"querent.dev/querent/sdk/internal/pluginv1"
)

// Set is a closed set whose numbers in the protocol are of type N.
type Set[N ~int32] struct {
	prefix  string
	names   map[int32]string
	numbers map[string]int32
}

// The closed sets of the protocol.
var (
	ErrorKind    = Set[pluginv1.ErrorKind]{"ERROR_KIND_", pluginv1.ErrorKind_name, pluginv1.ErrorKind_value}
	OutputMode   = Set[pluginv1.OutputMode]{"OUTPUT_MODE_", pluginv1.OutputMode_name, pluginv1.OutputMode_value}
	Role         = Set[pluginv1.Role]{"ROLE_", pluginv1.Role_name, pluginv1.Role_value}
	FinishReason = Set[pluginv1.FinishReason]{"FINISH_REASON_", pluginv1.FinishReason_name, pluginv1.FinishReason_value}
	OutcomeKind  = Set[pluginv1.OutcomeKind]{"OUTCOME_KIND_", pluginv1.OutcomeKind_name, pluginv1.OutcomeKind_value}
	FormatType   = Set[pluginv1.FormatType]{"FORMAT_TYPE_", pluginv1.FormatType_name, pluginv1.FormatType_value}
)

// Number is that of name, or UNSPECIFIED when the set has no such name.
func (s Set[N]) Number(name string) N { return N(s.numbers[s.prefix+strings.ToUpper(name)]) }

// Name is the inverse of Number. It is empty for UNSPECIFIED and for a number
// of a later protocol.
func (s Set[N]) Name(number N) string {
	name := strings.TrimPrefix(s.names[int32(number)], s.prefix)
	if name == "UNSPECIFIED" {
		return ""
	}
	return strings.ToLower(name)
}
