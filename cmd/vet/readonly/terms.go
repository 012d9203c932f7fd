package readonly

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// modesOf returns which fields a query reads and does not write, by the names of their terms; ok is
// false where that cannot be known.
func (c *check) modesOf(query ast.Expr) (modes map[*types.Var]string, ok bool) {
	terms, ok := c.terms(query)
	if !ok {
		return nil, false
	}
	modes, written := map[*types.Var]string{}, map[*types.Var]bool{}
	for _, e := range terms {
		term, ok := c.settled(e).(*ast.CallExpr)
		if !ok || term.Ellipsis.IsValid() {
			return nil, false
		}
		switch f := ecs.Called(c.Info, term); {
		case ecs.IsWorlds(f, "Write"):
			for _, arg := range term.Args {
				fields, ok := c.fields(arg)
				if !ok {
					return nil, false
				}
				for _, v := range fields {
					written[v] = true
				}
			}
		case ecs.IsWorlds(f, "Read", "Optional"):
			for _, arg := range term.Args {
				fields, _ := c.fields(arg)
				for _, v := range fields {
					modes[v] = f.Name()
				}
			}
		case !ecs.OfWorld(f):
			return nil, false
		}
	}
	for v := range written {
		delete(modes, v)
	}
	return modes, true
}

// settled returns what an expression is, after the variable that it names.
func (c *check) settled(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if v := ecs.VarOf(c.Info, e); v != nil && c.Values[v] != nil {
		return ast.Unparen(c.Values[v])
	}
	return e
}

// terms returns the terms that a query is made of.
func (c *check) terms(query ast.Expr) (terms []ast.Expr, ok bool) {
	call, ok := c.settled(query).(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil, false
	}
	if ecs.IsWorlds(ecs.Called(c.Info, call), "NewQuery") {
		return call.Args, true
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "And" || !ecs.IsQuery(c.Info.TypeOf(method.X)) {
		return nil, false
	}
	terms, ok = c.terms(method.X)
	return slices.Concat(terms, call.Args), ok
}

// fields returns the fields that an argument of Read, Write or Optional stands for; ok is false
// where there may be others.
func (c *check) fields(arg ast.Expr) (fields []*types.Var, ok bool) {
	if v := ecs.VarOf(c.Info, arg); v != nil && ecs.IsField(v.Type()) {
		return []*types.Var{v}, true
	}
	call, ok := c.settled(arg).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	if ecs.IsLayouts(ecs.Called(c.Info, call), "NewKind") && !call.Ellipsis.IsValid() {
		for _, field := range call.Args[1:] {
			v := ecs.VarOf(c.Info, field)
			if v == nil {
				return nil, false
			}
			fields = append(fields, v)
		}
		return fields, true
	}
	return nil, false
}
