package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Names in flatecs. Package world has aliases and forwarding functions for names of systems.
const (
	module  = "github.com/flatecs/flatecs/"
	systems = module + "systems"
	world   = module + "world"
	layout  = module + "layout"

	state = systems + ".State"
	batch = systems + ".Batch" // yielded by a walk
	query = systems + ".Query"
	field = layout + ".Field" // for any type
	bag   = layout + ".List"  // for any type
	text  = layout + ".Text"

	listColumn = systems + ".ListColumn" // for any type: list.Lists
)

// is reports whether a type has a qualified name.
func is(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path()+"."+named.Obj().Name() == name
}

func isState(t types.Type) bool { return is(t, state) }

func isField(t types.Type) bool { return is(t, field) || is(t, bag) || is(t, text) }

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isFunc reports whether f is one of the named functions, each with its package path; for flatecs
// the path is short: world.Clone stands for systems.Clone too.
func isFunc(f *types.Func, names ...string) bool {
	if f == nil || f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	path := f.Pkg().Path()
	if path == systems {
		path = world
	}
	return slices.Contains(names, strings.TrimPrefix(path, module)+"."+f.Name())
}

// ofWorld reports whether f is exported from world or systems.
func ofWorld(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && f.Exported() &&
		(f.Pkg().Path() == world || f.Pkg().Path() == systems)
}

// steps reports whether functions of a type take one State and return one: they invalidate their
// argument and return the next State.
func steps(sig *types.Signature) bool {
	return sig != nil && len(states(sig.Params())) == 1 && len(states(sig.Results())) > 0
}

// states returns the indices of the States among parameters or results.
func states(list *types.Tuple) (indices []int) {
	for i := range list.Len() {
		if isState(list.At(i).Type()) {
			indices = append(indices, i)
		}
	}
	return indices
}

// callOf returns the call that an expression is, or nil.
func callOf(e ast.Expr) *ast.CallExpr {
	call, _ := ast.Unparen(e).(*ast.CallExpr)
	return call
}

// nameOf returns the callee of a call as written: world.Apply, step, l.Frame.
func nameOf(call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	case *ast.FuncLit:
		return "this function"
	}
	return types.ExprString(fun)
}

// assigned returns the left side of an assignment of a call's results: state, _, err.
func assigned(sig *types.Signature, state string) string {
	var left []string
	for v := range sig.Results().Variables() {
		switch {
		case isState(v.Type()):
			left = append(left, state)
		case isError(v.Type()):
			left = append(left, "err")
		default:
			left = append(left, "_")
		}
	}
	return strings.Join(left, ", ")
}

// isGlobal reports whether v is a variable of a package.
func isGlobal(v *types.Var) bool {
	return v != nil && v.Pkg() != nil && !v.IsField() && v.Parent() == v.Pkg().Scope()
}

// around reports whether the outer node contains the inner node, or equals it.
func around(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}
