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
	query string
	batch *types.Var
	modes map[*types.Var]string // of the fields that are not written
}

func (c *check) readonly() {
	for cur := range c.root.Preorder((*ast.RangeStmt)(nil)) {
		w := c.walk(cur.Node().(*ast.RangeStmt))
		if w == nil {
			continue
		}
		for cur := range cur.Preorder(
			(*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.CallExpr)(nil),
		) {
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

// walk returns a loop over a query whose terms are known, or nil.
func (c *check) walk(loop *ast.RangeStmt) *walk {
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok {
		return nil
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	v := c.varOf(loop.Key)
	if !ok || v == nil || !is(v.Type(), batch) || !is(c.TypesInfo.TypeOf(method.X), query) {
		return nil
	}
	terms, ok := c.terms(method.X)
	if !ok {
		return nil
	}
	modes, ok := c.modes(terms)
	if !ok {
		return nil
	}
	return &walk{c, types.ExprString(method.X), v, modes}
}

// written looks at a write to what a call of Column or Flat shows, if that is not nil.
func (w *walk) written(n ast.Node, column *ast.CallExpr) {
	if column == nil || w.varOf(column.Args[0]) != w.batch {
		return
	}
	switch name := types.ExprString(column.Args[1]); w.modes[w.varOf(column.Args[1])] {
	case "Read":
		w.at(n, "the query %s only reads %s; to write to it, declare Write(%s) in the query",
			w.query, name, name)
	case "Optional":
		w.at(n, "Optional fields such as %s are only read; to write to it, walk another "+
			"query with Write(%s)", name, name)
	}
}

// settled returns the call that an expression is, or that the variable which it names was set to
// before; nil where there is none.
func (c *check) settled(e ast.Expr) *ast.CallExpr {
	if v := c.varOf(e); v != nil {
		value := c.value(v)
		if value != nil && (isGlobal(v) || value.End() <= e.Pos()) {
			e = value
		}
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil
	}
	return call
}

// terms returns the terms that a query is made of.
func (c *check) terms(e ast.Expr) (terms []ast.Expr, ok bool) {
	call := c.settled(e)
	if call == nil {
		return nil, false
	}
	if f, _ := c.called(call); isWorlds(f, "NewQuery") {
		return call.Args, true
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "And" || !is(c.TypesInfo.TypeOf(method.X), query) {
		return nil, false
	}
	terms, ok = c.terms(method.X)
	return slices.Concat(terms, call.Args), ok
}

// modes returns which fields are read and not written, by the names of their terms; ok is false
// where that cannot be known.
func (c *check) modes(terms []ast.Expr) (modes map[*types.Var]string, ok bool) {
	modes = map[*types.Var]string{}
	var written []*types.Var
	for _, e := range terms {
		term := c.settled(e)
		if term == nil {
			return nil, false
		}
		f, _ := c.called(term)
		fields, all := c.fields(term.Args)
		switch {
		case isWorlds(f, "Write"):
			if !all {
				return nil, false
			}
			written = append(written, fields...)
		case isWorlds(f, "Read", "Optional"):
			for _, v := range fields {
				modes[v] = f.Name()
			}
		case !ofWorld(f):
			return nil, false
		}
	}
	for _, v := range written {
		delete(modes, v)
	}
	return modes, true
}

// fields returns the fields that arguments of Read, Write or Optional stand for, all is
// false where there may be others.
func (c *check) fields(args []ast.Expr) (fields []*types.Var, all bool) {
	all = true
	for _, arg := range args {
		if v := c.varOf(arg); v != nil && is(v.Type(), field) {
			fields = append(fields, v)
			continue
		}
		own, ok := c.parts(c.settled(arg))
		fields = append(fields, own...)
		all = all && ok
	}
	return fields, all
}

// parts returns the fields of which a call of NewKind makes a kind.
func (c *check) parts(call *ast.CallExpr) (fields []*types.Var, ok bool) {
	if call == nil {
		return nil, false
	}
	if f, _ := c.called(call); !isFunc(f, layout, "NewKind") {
		return nil, false
	}
	for _, part := range call.Args[1:] {
		v := c.varOf(part)
		if v == nil {
			return nil, false
		}
		fields = append(fields, v)
	}
	return fields, true
}
