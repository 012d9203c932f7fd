package checks

import (
	"go/ast"
	"go/types"
	"slices"
)

// Readonly finds writes to columns that a query only reads.
var Readonly = analyzer("readonly", `report writes to columns that the query only reads

Rows that a walk writes are stamped, by which snapshots and histories know what to copy, and by
which a schedule knows what can run side by side. So the query says what is written:

	rising = world.NewQuery(world.Read(Position, Lift))

	for b := range rising.In(s) {
		at, lift := world.Column(b, Position), world.Column(b, Lift)
		for i := range at {
			at[i].Y += lift[i] // Position is only read
		}
	}

Write world.NewQuery(world.Write(Position), world.Read(Lift)). Programs that are built with -tags
ecsdebug find the same while they run.

Limits: the query is a variable that is set once, in the same package, by NewQuery and And, from
terms that are written there. What a function does with a column that it is given is not looked
at.`, (*check).readonly)

// A walk is a loop over the batches of a query that is known.
type walk struct {
	*check
	query ast.Expr
	batch *types.Var
	modes map[*types.Var]string // of fields: Read, Write or Optional
}

func (c *check) readonly() {
	for cur := range c.root.Preorder((*ast.RangeStmt)(nil)) {
		loop := cur.Node().(*ast.RangeStmt)
		of, _ := c.ofQuery(callOf(loop.X))
		w := &walk{c, of, c.varOf(loop.Key), map[*types.Var]string{}}
		if of == nil || w.batch == nil || !is(w.batch.Type(), batch) || !w.declared(of) {
			continue
		}
		for cur := range cur.Preorder() {
			switch n := cur.Node().(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					w.written(e, c.within(e))
				}
			case *ast.IncDecStmt:
				w.written(n.X, c.within(n.X))
			case *ast.CallExpr:
				if c.isBuiltin(n, "clear", "copy") != nil {
					w.written(n, c.shown(n.Args[0]))
				}
			}
		}
	}
}

// ofQuery returns the query that a call is a method of, and the method's name; nil where it is not.
func (c *check) ofQuery(call *ast.CallExpr) (of ast.Expr, name string) {
	if call == nil {
		return nil, ""
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !is(c.TypesInfo.TypeOf(method.X), query) {
		return nil, ""
	}
	return method.X, method.Sel.Name
}

// written looks at a write to what a call of Column or Flat shows, if that is not nil.
func (w *walk) written(n ast.Node, column *ast.CallExpr) {
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

// settled returns the call that an expression is, or that the variable which it names was set to
// before; nil where there is none.
func (w *walk) settled(e ast.Expr) *ast.CallExpr {
	if v := w.varOf(e); v != nil {
		value := w.value(v)
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

// declared notes what a query declares, and reports whether all of that is known.
func (w *walk) declared(e ast.Expr) bool {
	call := w.settled(e)
	if f, _ := w.called(call); !isWorlds(f, "NewQuery") {
		of, name := w.ofQuery(call)
		if name != "And" || !w.declared(of) {
			return false
		}
	}
	return !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !w.isKnown(e) })
}

// isKnown notes the fields of a term, and reports whether it is known what the term writes.
func (w *walk) isKnown(e ast.Expr) bool {
	term := w.settled(e)
	f, _ := w.called(term)
	if !isWorlds(f, "Read", "Write", "Optional") {
		return ofWorld(f)
	}
	for _, arg := range term.Args {
		fields, all := w.fields(arg)
		if !all && f.Name() == "Write" {
			return false
		}
		for _, v := range fields {
			if w.modes[v] != "Write" {
				w.modes[v] = f.Name()
			}
		}
	}
	return true
}

// fields returns the fields that an argument of a term stands for: itself, or those of a kind. All
// is false where there may be others.
func (w *walk) fields(arg ast.Expr) (fields []*types.Var, all bool) {
	if v := w.varOf(arg); v != nil && (is(v.Type(), field) || is(v.Type(), bag) ||
		is(v.Type(), text)) {
		return []*types.Var{v}, true
	}
	kind := w.settled(arg)
	if f, _ := w.called(kind); !isFunc(f, layout, "NewKind") {
		return nil, false
	}
	for _, part := range kind.Args[1:] {
		v := w.varOf(part)
		if v == nil {
			return nil, false
		}
		fields = append(fields, v)
	}
	return fields, true
}
