// Package dropped finds calls that return the next State to nobody.
package dropped

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/forks"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report States that are returned and dropped

A call that takes a State and returns one may use up the first: only the returned State is valid
from then on, and the next call that is given the old one panics.

	world.MoveAll(state)                       // the next State is dropped
	_, err := world.SetName(state, id, "Bob")  // dropped too
	lift(state)                                // also if lift only walks, and uses up nothing

A system that only walks returns the State that it was given, so that dropping it has no effect,
until a line is added to the system that changes the world by a call.

Write state = world.MoveAll(state) and state, err = world.SetName(state, id, "Bob").

Limits: functions that take several States are not looked at, nor are Clone and functions that
call it, which use up nothing, nor a call that is given what another call returns, which nobody
can use again. A test may drop the last State. There, _ beside an error that is kept is fine,
since a refused call returns the State that it was given, and so is a call that is all of a
function literal, which is often expected to panic.`

// Analyzer finds calls that return the next State to nobody.
var Analyzer = &analysis.Analyzer{
	Name:     "dropped",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, forks.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	c := &check{pass, report.New(pass), pass.ResultOf[forks.Analyzer].(forks.Leaves)}
	seen := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{
		(*ast.ExprStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil),
		(*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil),
	}
	seen.WithStack(nodes, func(n ast.Node, push bool, stack []ast.Node) bool {
		if push {
			c.statement(n, stack)
		}
		return true
	})
	c.report.Done()
	return nil, nil
}

type check struct {
	pass   *analysis.Pass
	report *report.Reporter
	leaves forks.Leaves
}

func (c *check) statement(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		c.call(n.X, stack)
	case *ast.GoStmt:
		c.call(n.Call, stack)
	case *ast.DeferStmt:
		c.call(n.Call, stack)
	case *ast.AssignStmt:
		c.assigned(n.Lhs, n.Rhs, stack)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}
		c.assigned(names, n.Values, stack)
	}
}

func (c *check) call(e ast.Expr, stack []ast.Node) {
	if call, sig := c.step(e); call != nil && !c.excused(call, sig, nil, stack) {
		c.tell(call, sig)
	}
}

// assigned looks at what an assignment or a declaration makes of what is returned.
func (c *check) assigned(left, right []ast.Expr, stack []ast.Node) {
	for i, e := range right {
		call, sig := c.step(e)
		if call == nil {
			continue
		}
		at := left[i:]
		if len(right) == 1 {
			at = left[ecs.First(sig.Results()):]
		}
		if isBlank(at[0]) && !c.excused(call, sig, left, stack) {
			c.tell(call, sig)
		}
	}
}

// step returns the call that an expression is, if it takes a State that has a name and returns the
// next.
func (c *check) step(e ast.Expr) (*ast.CallExpr, *types.Signature) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || c.leaves(ecs.Called(c.pass.TypesInfo, call)) {
		return nil, nil
	}
	sig := ecs.SignatureOf(c.pass.TypesInfo, call)
	if !ecs.Steps(sig) || len(call.Args) <= ecs.First(sig.Params()) {
		return nil, nil
	}
	if _, fresh := ast.Unparen(given(call, sig)).(*ast.CallExpr); fresh {
		return nil, nil
	}
	return call, sig
}

// given returns the State that a call is given.
func given(call *ast.CallExpr, sig *types.Signature) ast.Expr {
	return call.Args[ecs.First(sig.Params())]
}

// excused reports whether a test may be about to look at how the call is refused, or panics, or has
// no use for the State.
func (c *check) excused(
	call *ast.CallExpr, sig *types.Signature, left []ast.Expr, stack []ast.Node,
) bool {
	if !report.InTest(c.pass, call) {
		return false
	}
	last := sig.Results().Len() - 1
	told := len(left) > last && !isBlank(left[last])
	refused := told && ecs.IsError(sig.Results().At(last).Type())
	return refused || isAll(stack) || !c.again(call, sig, stack)
}

// isAll reports whether the innermost statement of the stack is the only one of a function literal.
func isAll(stack []ast.Node) bool {
	if len(stack) < 3 {
		return false
	}
	block, ok := stack[len(stack)-2].(*ast.BlockStmt)
	_, literal := stack[len(stack)-3].(*ast.FuncLit)
	return ok && literal && len(block.List) == 1
}

// again reports whether the State that a call is given has a name that is used after the call.
func (c *check) again(call *ast.CallExpr, sig *types.Signature, stack []ast.Node) bool {
	v := ecs.VarOf(c.pass.TypesInfo, given(call, sig))
	if v == nil {
		return false
	}
	found := false
	for _, n := range stack {
		loop := false
		switch n.(type) {
		case *ast.FuncDecl:
		case *ast.ForStmt, *ast.RangeStmt:
			loop = v.Pos() < n.Pos()
		default:
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if ok && c.pass.TypesInfo.Uses[name] == v {
				found = found || loop || name.Pos() > call.End()
			}
			return !found
		})
	}
	return found
}

func isBlank(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "_"
}

func (c *check) tell(call *ast.CallExpr, sig *types.Signature) {
	name, state := ecs.NameOf(call), types.ExprString(given(call, sig))
	c.report.At(call, "the State that %s returns is dropped, and the one that it was given may "+
		"be used up; write %s = %s(%s, …)", name, ecs.Assigned(sig, state), name, state)
}
