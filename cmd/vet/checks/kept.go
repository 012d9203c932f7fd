package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Kept finds batches and columns that are used beyond their walk.
var Kept = analyzer("kept", `report batches and columns that are kept beyond their walk

A batch, its columns, their lists and pointers into them are valid for one iteration of the loop.
The next iteration may reuse the memory for other rows, and after the loop the memory may be a copy
that is not written back:

	var best *Vec3
	for b := range flying.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			if best == nil || p[i].Y > best.Y {
				best = &p[i] // kept beyond the walk
			}
		}
	}

Keep the value, best = p[i], or the object's id, b.ID(i), and look it up later with world.Get or
world.Edit. The check reports assignments to variables that are used elsewhere, to fields, elements
and package variables; values that are appended, sent, or returned out of the loop; and arguments of
goroutines and deferred functions.

Limits: the check does not look into functions that take a batch or a column; it follows columns
through variables that are set once.`, (*check).kept)

// A turn is the analysis of the code for one batch.
type turn struct {
	*check
	batch *types.Var
	body  *ast.BlockStmt
	outer inspector.Cursor // the enclosing declaration
}

func (c *check) kept() {
	for cur := range c.root.Preorder((*ast.RangeStmt)(nil), (*ast.CallExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.RangeStmt:
			c.turn(cur, n.Key, n.Body)
		case *ast.CallExpr:
			if fill := c.filling(n); fill != nil {
				c.turn(cur, fill.Type.Params.List[0].Names[0], fill.Body)
			}
		}
	}
}

// filling returns the function literal that a call of SpawnN calls with new objects, or nil.
func (c *check) filling(call *ast.CallExpr) *ast.FuncLit {
	if f, _ := c.called(call); !isFunc(f, "world.SpawnN") || len(call.Args) == 0 {
		return nil
	}
	fill, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.FuncLit)
	if !ok || len(fill.Type.Params.List) != 1 || len(fill.Type.Params.List[0].Names) != 1 {
		return nil
	}
	return fill
}

func (c *check) turn(cur inspector.Cursor, key ast.Expr, body *ast.BlockStmt) {
	v := c.varOf(key)
	if v == nil || !is(v.Type(), batch) {
		return
	}
	t := &turn{c, v, body, cur}
	for t.outer.ParentEdgeKind() != edge.File_Decls {
		t.outer = t.outer.Parent()
	}
	within, _ := cur.FindNode(body)
	for cur := range within.Preorder() {
		t.statement(cur.Node(), functionOf(cur) == functionOf(within))
	}
}

// statement checks a statement of the turn; own is false inside a nested function.
func (t *turn) statement(n ast.Node, own bool) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				t.assigned(n, e, n.Rhs[i])
			}
		}
	case *ast.SendStmt:
		t.tell(n.Value, "sent to a goroutine")
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if own {
				t.tell(e, "returned")
			}
		}
	case *ast.GoStmt:
		t.later(n.Call, "given to a goroutine")
	case *ast.DeferStmt:
		t.later(n.Call, "given to a deferred call")
	}
}

// tell reports an expression that keeps the batch's memory.
func (t *turn) tell(e ast.Expr, how string) {
	if what := t.holds(e); what != "" {
		t.at(e, "this %s is %s, and is not valid beyond this turn of the walk; keep values "+
			"or ids, b.ID(i), and look them up later with world.Get", what, how)
	}
}

// holds returns what an expression keeps of the batch's memory: batch, column, or pointer into a
// column; "" for values.
func (t *turn) holds(e ast.Expr) string {
	e = ast.Unparen(e)
	if t.isBatch(e) {
		return "batch"
	}
	if column := t.memory(e); column != nil && t.isBatch(column.Args[0]) {
		switch t.TypesInfo.TypeOf(e).Underlying().(type) {
		case *types.Pointer:
			return "pointer into a column"
		case *types.Slice:
			return "column"
		}
	}
	var parts []ast.Expr
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if literal, ok := e.X.(*ast.CompositeLit); ok {
			parts = literal.Elts
		}
	case *ast.KeyValueExpr:
		parts = []ast.Expr{e.Value}
	case *ast.CompositeLit:
		parts = e.Elts
	case *ast.CallExpr:
		// append(list, column...) copies values.
		if t.isBuiltin(e, "append") != nil && !e.Ellipsis.IsValid() {
			parts = e.Args[1:]
		}
	}
	for _, part := range parts {
		if what := t.holds(part); what != "" {
			return what
		}
	}
	return ""
}

// isBatch reports whether an expression is the batch, or a variable that holds it.
func (t *turn) isBatch(e ast.Expr, seen ...*types.Var) bool {
	v := t.varOf(e)
	if v == nil || slices.Contains(seen, v) {
		return false
	}
	return v == t.batch || is(v.Type(), batch) && t.isBatch(t.value(v), append(seen, v)...)
}

// assigned checks one variable of an assignment.
func (t *turn) assigned(n *ast.AssignStmt, to, value ast.Expr) {
	v := t.reached(to)
	switch {
	case v == nil || t.body.Pos() <= v.Pos() && v.Pos() < t.body.End():
	case isGlobal(v):
		t.tell(value, "kept in "+v.Name()+" of the package")
	case t.isCallers(v, to) || t.usedElsewhere(v, n):
		t.tell(value, "kept in "+types.ExprString(to))
	}
}

// isCallers reports whether the assigned variable belongs to the caller: a result, or memory
// reached through a parameter or another pointer.
func (t *turn) isCallers(v *types.Var, to ast.Expr) bool {
	reaches := t.varOf(to) != v
	if _, ok := v.Type().Underlying().(*types.Pointer); ok && reaches {
		return true
	}
	f, ok := t.outer.Node().(*ast.FuncDecl)
	if !ok || v.Pos() < f.Pos() || v.Pos() >= f.Body.Pos() {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); ok {
		reaches = false // a copy
	}
	return reaches || f.Type.Results != nil && v.Pos() >= f.Type.Results.Pos()
}

// usedElsewhere reports whether v is used when the batch is another one or gone: anywhere except
// after the assignment in the same turn.
func (t *turn) usedElsewhere(v *types.Var, n *ast.AssignStmt) bool {
	for cur := range t.outer.Preorder((*ast.Ident)(nil)) {
		at := cur.Node()
		behind := n.Pos() <= at.Pos() && at.Pos() < t.body.End()
		if t.TypesInfo.Uses[at.(*ast.Ident)] == v && !behind &&
			cur.ParentEdgeKind() != edge.AssignStmt_Lhs {
			return true
		}
	}
	return false
}

// later checks the arguments and captured variables of a call that runs concurrently with the walk
// or after it.
func (t *turn) later(call *ast.CallExpr, how string) {
	for _, e := range call.Args {
		t.tell(e, how)
	}
	literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return
	}
	told := map[*types.Var]bool{}
	for n := range ast.Preorder(literal.Body) {
		if name, ok := n.(*ast.Ident); ok {
			if v := t.varOf(name); v != nil && v.Pos() < literal.Pos() && !told[v] {
				told[v] = true
				t.tell(name, how)
			}
		}
	}
}
