package checks

import (
	"go/ast"
	"go/types"
)

// Readonly finds writes to columns that a query only reads.
var Readonly = analyzer("readonly", `report writes to columns that the query only reads

Snapshots and histories copy the rows that walks stamp as written, and a schedule runs jobs in
parallel by the fields that they write. So a query must declare the fields that its walks write:

	rising = world.NewQuery(world.Read(Position, Lift))

	for b := range rising.In(s) {
		at, lift := world.Column(b, Position), world.Column(b, Lift)
		for i := range at {
			at[i].Y += lift[i] // Position is only read
		}
	}

Write world.NewQuery(world.Write(Position), world.Read(Lift)). Programs built with -tags ecsdebug
detect the same at run time.

Limits: the query must be a variable that is set once, in the same package, by NewQuery and And,
from terms that are written there. The check does not look into functions that take a
column.`, (*check).readonly)

// A walk is a loop over the batches of a known query.
type walk struct {
	*check
	query ast.Expr
	batch *types.Var
	modes map[*types.Var]string // per field: Read, Write or Optional
}

func (c *check) readonly() {
	for cur := range c.root.Preorder((*ast.RangeStmt)(nil)) {
		loop := cur.Node().(*ast.RangeStmt)
		of, _ := c.methodOf(callOf(loop.X), query)
		w := &walk{c, of, c.varOf(loop.Key), map[*types.Var]string{}}
		if of == nil || w.batch == nil || !is(w.batch.Type(), batch) || !w.declares(of, "") {
			continue
		}
		for cur := range cur.Preorder() {
			for _, e := range c.writes(cur.Node()) {
				w.written(cur.Node(), e)
			}
		}
	}
}

// written checks the expressions that a statement writes to. It reports a call of a builtin as a
// whole.
func (w *walk) written(n ast.Node, to ast.Expr) {
	if _, ok := n.(*ast.CallExpr); !ok {
		if n = to; inner(to) == nil {
			return // the variable itself
		}
	}
	column := w.memory(to)
	if column == nil || w.varOf(column.Args[0]) != w.batch {
		return
	}
	switch name := types.ExprString(column.Args[1]); w.modes[w.varOf(column.Args[1])] {
	case "Read":
		w.at(n, "the query %s only reads %s; to write to it, declare Write(%s) in the query",
			types.ExprString(w.query), name, name)
	case "Optional":
		w.at(n, "Optional fields such as %s are only read; to write to it, walk another "+
			"query with Write(%s)", name, name)
	}
}

// settled returns the call that an expression is, or that its variable was set to, or nil.
func settled(f *facts, e ast.Expr) *ast.CallExpr {
	if v := f.varOf(e); v != nil {
		value := f.value(v)
		if value != nil && (isGlobal(v) || value.End() <= e.Pos()) {
			e = value
		}
	}
	call := callOf(e)
	if call == nil || call.Ellipsis.IsValid() {
		return nil
	}
	return call
}

// term is the mode of a term of a query.
const term = "term"

// declares records the modes of the fields in a query, a term, or an argument of a term: a field,
// or the fields of a kind. It reports whether all written fields are known.
func (w *walk) declares(e ast.Expr, mode string) (known bool) {
	if v := w.varOf(e); v != nil && isField(v.Type()) {
		if w.modes[v] != "Write" {
			w.modes[v] = mode
		}
		return true
	}
	call := settled(w.facts, e)
	if call == nil {
		return false
	}
	fun, _ := w.called(call)
	args, known := call.Args, true
	switch of, method := w.methodOf(call, query); {
	case isFunc(fun, "world.NewQuery"):
		mode = term
	case method == "And":
		known, mode = w.declares(of, mode), term
	case isFunc(fun, "world.Read", "world.Write", "world.Optional"):
		mode = fun.Name()
	case isFunc(fun, "layout.NewKind"):
		args = args[1:]
	default:
		return mode == term && ofWorld(fun)
	}
	for _, arg := range args {
		known = w.declares(arg, mode) && known
	}
	return known || mode == "Read" || mode == "Optional"
}
