package plan

import "querent.dev/querent/sdk/wire"

var boolType = wire.Type{Kind: wire.KindBool}

// Type implements Expr.
func (e *Column) Type() wire.Type  { return columnType(e.Column) }
func (e *Output) Type() wire.Type  { return e.T }
func (e *Literal) Type() wire.Type { return e.T }
func (e *Call) Type() wire.Type    { return e.T }
func (e *Binary) Type() wire.Type  { return e.T }
func (e *Not) Type() wire.Type     { return boolType }
func (e *Neg) Type() wire.Type     { return e.X.Type() }
func (e *IsNull) Type() wire.Type  { return boolType }
func (e *InList) Type() wire.Type  { return boolType }
func (e *InBlock) Type() wire.Type { return boolType }
func (e *Exists) Type() wire.Type  { return boolType }
func (e *Scalar) Type() wire.Type  { return e.T }
func (e *Lookup) Type() wire.Type  { return e.T }
func (e *Window) Type() wire.Type  { return e.Call.T }
func (e *Between) Type() wire.Type { return boolType }
func (e *Like) Type() wire.Type    { return boolType }
func (e *Case) Type() wire.Type    { return e.T }
func (e *Cast) Type() wire.Type    { return e.T }
func (e *During) Type() wire.Type  { return boolType }
