package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Dropped finds calls whose returned State is dropped.
var Dropped = analyzer("dropped", `report States that are returned and dropped

A call that takes a State and returns one may invalidate the first: from then on only the returned
State is valid, and a call with the old one panics.

	rise(state)                                // the next State is dropped
	_, err := world.SetName(state, id, "Bob")  // dropped too
	lift(state)                                // also if lift only walks, and invalidates nothing

A system that only walks returns its argument, so dropping the result has no effect, until
somebody adds a call to the system that changes the world.

Write state = rise(state) and state, err = world.SetName(state, id, "Bob").

Limits: the check ignores functions that take several States, Clone and functions that call it,
which invalidate nothing, and a call whose argument is the result of another call, which cannot be
used again. A test may drop the last State. In tests the check also accepts _ beside an error that
is kept, since a refused call returns its argument, and a call that is the whole body of a function
literal, which is often expected to panic.`, (*check).dropped)

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
			c.inTest(call) && c.isExempt(unparen(cur), given, sig, left) {
			continue
		}
		name, state := nameOf(call), types.ExprString(given)
		c.at(call, "the State that %s returns is dropped, and its argument may "+
			"be invalid; write %s = %s(%s, …)", name, assigned(sig, state), name, state)
	}
}

func isBlank(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "_"
}

// isExempt reports whether a test may expect the call to be refused or to panic, or does not need
// the State.
func (c *check) isExempt(
	cur inspector.Cursor, given ast.Expr, sig *types.Signature, left []ast.Expr,
) bool {
	last := sig.Results().Len() - 1
	told := len(left) > last && !isBlank(left[last])
	refused := told && isError(sig.Results().At(last).Type())
	return refused || isAll(cur.Parent()) || !c.isUsedAfter(cur, c.varOf(given))
}

// isAll reports whether a statement is the only one in a function literal.
func isAll(statement inspector.Cursor) bool {
	block := statement.Parent()
	return statement.ParentEdgeKind() == edge.BlockStmt_List &&
		block.ParentEdgeKind() == edge.FuncLit_Body &&
		len(block.Node().(*ast.BlockStmt).List) == 1
}

// isUsedAfter reports whether a State in variable v, which may be nil, is used after a call.
func (c *check) isUsedAfter(call inspector.Cursor, v *types.Var) bool {
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
