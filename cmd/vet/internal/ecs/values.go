package ecs

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Values holds what variables are set to, if that happens in one place.
type Values map[*types.Var]ast.Expr

// ValuesOf returns the values of the variables of a package, also of those in functions.
func ValuesOf(info *types.Info, files []*ast.File) Values {
	values, times := Values{}, map[*types.Var]int{}
	set := func(e ast.Expr, value ast.Expr) {
		if v := VarOf(info, e); v != nil {
			times[v]++
			values[v] = value
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					set(e, valueAt(n.Rhs, i, len(n.Lhs)))
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					set(name, valueAt(n.Values, i, len(n.Names)))
				}
			case *ast.RangeStmt:
				set(n.Key, nil)
				set(n.Value, nil)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					set(n.X, nil)
				}
			}
			return true
		})
	}
	for v, n := range times {
		if n > 1 || values[v] == nil {
			delete(values, v)
		}
	}
	return values
}

// valueAt returns the value of variable i of n, or nil where one call returns all of them, or
// nothing is said.
func valueAt(values []ast.Expr, i, n int) ast.Expr {
	if len(values) != n {
		return nil
	}
	return values[i]
}

// A View finds what shows the memory of a walk: columns, parts of them, and pointers into them.
type View struct {
	Info   *types.Info
	Values Values
}

// Shown returns the call of Column or Flat whose memory a slice or a pointer shows, or nil.
func (w View) Shown(e ast.Expr) *ast.CallExpr {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := VarOf(w.Info, e); v != nil && w.Values[v] != nil {
			value := w.Values[v]
			delete(w.Values, v) // it may be a part of itself, as in v = v[1:]
			column := w.Shown(value)
			w.Values[v] = value
			return column
		}
	case *ast.CallExpr:
		if IsWorlds(Called(w.Info, e), "Column", "Flat") && len(e.Args) == 2 {
			return e
		}
	case *ast.SliceExpr:
		if column := w.Shown(e.X); column != nil {
			return column
		}
		return w.Within(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return w.Within(e.X)
		}
	}
	return nil
}

// Within returns the call of Column or Flat whose memory an element, or a part of one, is in.
func (w View) Within(e ast.Expr) *ast.CallExpr {
	var x ast.Expr
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		x = e.X
	case *ast.StarExpr:
		x = e.X
	case *ast.SelectorExpr:
		x = e.X
	default:
		return nil
	}
	if column := w.Shown(x); column != nil {
		return column
	}
	return w.Within(x)
}
