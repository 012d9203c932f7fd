package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Names in flatecs: world has aliases and forwards of what is in systems.
const (
	module  = "github.com/flatecs/flatecs/"
	systems = module + "systems"
	world   = module + "world"
	layout  = module + "layout"

	state = systems + ".State"
	batch = systems + ".Batch" // what a walk yields
	query = systems + ".Query"
	field = layout + ".Field" // of any type
	bag   = layout + ".List"  // of any type
	text  = layout + ".Text"

	listColumn = systems + ".ListColumn" // of any type: list.Lists
)

// is reports whether a type has a name, that of its package before it.
func is(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path()+"."+named.Obj().Name() == name
}

func isState(t types.Type) bool { return is(t, state) }

func isField(t types.Type) bool { return is(t, field) || is(t, bag) || is(t, text) }

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isFunc reports whether f is one of the named functions, each with the path of its package before
// it, which in flatecs is short: world.Clone is that of systems too.
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

// ofWorld reports whether f is exported by world or systems.
func ofWorld(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && f.Exported() &&
		(f.Pkg().Path() == world || f.Pkg().Path() == systems)
}

// steps reports whether functions of this type take one State and return one: they use up the
// first and return the next.
func steps(sig *types.Signature) bool {
	return sig != nil && len(states(sig.Params())) == 1 && len(states(sig.Results())) > 0
}

// states returns the indices of the States in a list of parameters or results.
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

// nameOf returns what a call calls, as it is written: world.Apply, step, l.Frame.
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

// assigned returns the left side of an assignment of what a call returns: state, _, err.
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

// around reports whether one node is around another, or is the same.
func around(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}
