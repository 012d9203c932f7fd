package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Dropped finds calls that return the next State to nobody.
var Dropped = analyzer("dropped", `report States that are returned and dropped

A call that takes a State and returns one may use up the first: only the returned State is valid
from then on, and the next call that is given the old one panics.

	rise(state)                                // the next State is dropped
	_, err := world.SetName(state, id, "Bob")  // dropped too
	lift(state)                                // also if lift only walks, and uses up nothing

A system that only walks returns the State that it was given, so that dropping it has no effect,
until a line is added to the system that changes the world by a call.

Write state = rise(state) and state, err = world.SetName(state, id, "Bob").

Limits: functions that take several States are not looked at, nor are Clone and functions that
call it, which use up nothing, nor a call that is given what another call returns, which nobody
can use again. A test may drop the last State. There, _ beside an error that is kept is fine,
since a refused call returns the State that it was given, and so is a call that is all of a
function literal, which is often expected to panic.`, (*check).dropped)

func (c *check) dropped() {
	for cur := range c.root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		given := c.stepped(call)
		if given == nil || callOf(given) != nil {
			continue
		}
		left, by := taken(cur)
		if by == edge.Invalid {
			continue
		}
		_, sig := c.called(call)
		if len(left) > 0 && !isBlank(left[states(sig.Results())[0]]) ||
			c.inTest(call) && c.excused(unparen(cur), given, sig, left) {
			continue
		}
		name, state := nameOf(call), types.ExprString(given)
		c.at(call, "the State that %s returns is dropped, and the one that it was given may "+
			"be used up; write %s = %s(%s, …)", name, assigned(sig, state), name, state)
	}
}

func isBlank(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "_"
}

// excused reports whether a test may be about to look at how the call is refused, or panics, or has
// no use for the State.
func (c *check) excused(
	cur inspector.Cursor, given ast.Expr, sig *types.Signature, left []ast.Expr,
) bool {
	last := sig.Results().Len() - 1
	told := len(left) > last && !isBlank(left[last])
	refused := told && isError(sig.Results().At(last).Type())
	return refused || isAll(cur.Parent()) || !c.again(cur, c.varOf(given))
}

// isAll reports whether a statement is the only one of a function literal.
func isAll(statement inspector.Cursor) bool {
	block := statement.Parent()
	return statement.ParentEdgeKind() == edge.BlockStmt_List &&
		block.ParentEdgeKind() == edge.FuncLit_Body &&
		len(block.Node().(*ast.BlockStmt).List) == 1
}

// again reports whether a State has a name, which may be nil, that is used after a call.
func (c *check) again(call inspector.Cursor, v *types.Var) bool {
	if v == nil {
		return false
	}
	for outer := range call.Enclosing(
		(*ast.FuncDecl)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil),
	) {
		_, function := outer.Node().(*ast.FuncDecl)
		loop := !function && v.Pos() < outer.Node().Pos()
		for cur := range outer.Preorder((*ast.Ident)(nil)) {
			name := cur.Node().(*ast.Ident)
			if c.TypesInfo.Uses[name] == v && (loop || name.Pos() > call.Node().End()) {
				return true
			}
		}
	}
	return false
}
