// Package ecs tells the types and functions of flatecs in a checked program, whichever of world and
// systems they are called by: world has aliases and forwards of what is in systems.
package ecs

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

const (
	module  = "github.com/flatecs/flatecs/"
	systems = module + "systems"
	world   = module + "world"
	layout  = module + "layout"
)

// IsState reports whether t is a State.
func IsState(t types.Type) bool { return isNamed(t, systems, "State") }

// IsBatch reports whether t is a Batch, what a walk yields.
func IsBatch(t types.Type) bool { return isNamed(t, systems, "Batch") }

// IsQuery reports whether t is a Query.
func IsQuery(t types.Type) bool { return isNamed(t, systems, "Query") }

// IsKind reports whether t is a Kind.
func IsKind(t types.Type) bool { return isNamed(t, layout, "Kind") }

// IsField reports whether t is a Field of any type.
func IsField(t types.Type) bool { return isNamed(t, layout, "Field") }

// IsError reports whether t is error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	return named.Obj().Name() == name && named.Obj().Pkg().Path() == path
}

// Called returns the function or method that a call names, or nil where it calls a variable, a
// builtin or a conversion.
func Called(info *types.Info, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(info, call).(*types.Func)
	return f
}

// IsWorlds reports whether f is one of the named functions of world or systems.
func IsWorlds(f *types.Func, names ...string) bool {
	return isIn(f, world, names) || isIn(f, systems, names)
}

// OfWorld reports whether f is exported by world or systems.
func OfWorld(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && f.Exported() &&
		(f.Pkg().Path() == world || f.Pkg().Path() == systems)
}

// IsLayouts reports whether f is one of the named functions of layout.
func IsLayouts(f *types.Func, names ...string) bool { return isIn(f, layout, names) }

func isIn(f *types.Func, path string, names []string) bool {
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == path &&
		f.Signature().Recv() == nil && slices.Contains(names, f.Name())
}

// SignatureOf returns the type of the function that a call calls, or nil where it is a builtin or
// a conversion.
func SignatureOf(info *types.Info, call *ast.CallExpr) *types.Signature {
	tv := info.Types[call.Fun]
	if !tv.IsValue() || tv.Type == nil {
		return nil
	}
	sig, _ := tv.Type.Underlying().(*types.Signature)
	return sig
}

// Steps reports whether functions of this type take one State and return one: they use up the
// first and return the next.
func Steps(sig *types.Signature) bool {
	return sig != nil && Count(sig.Params()) == 1 && Count(sig.Results()) > 0
}

// Count returns how many States a list of parameters or results has.
func Count(list *types.Tuple) (n int) {
	for v := range list.Variables() {
		if IsState(v.Type()) {
			n++
		}
	}
	return n
}

// First returns the index of the first State in a list of parameters or results, or -1.
func First(list *types.Tuple) int {
	for i := range list.Len() {
		if IsState(list.At(i).Type()) {
			return i
		}
	}
	return -1
}

// Copies reports whether f is a function of flatecs that takes a State and returns another world,
// and leaves the first as it was.
func Copies(f *types.Func) bool { return IsWorlds(f, "Clone", "Resized") }

// NameOf returns what a call calls, as it is written: world.Move, step, l.Frame.
func NameOf(call *ast.CallExpr) string {
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

// Assigned returns the left side of an assignment of what a call returns: state, _, err.
func Assigned(sig *types.Signature, state string) string {
	var left []string
	for v := range sig.Results().Variables() {
		switch {
		case IsState(v.Type()):
			left = append(left, state)
		case IsError(v.Type()):
			left = append(left, "err")
		default:
			left = append(left, "_")
		}
	}
	return strings.Join(left, ", ")
}

// VarOf returns the variable that an expression names, or nil.
func VarOf(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if _, ok := info.Selections[e]; ok {
			return nil // a field
		}
		v, _ := info.ObjectOf(e.Sel).(*types.Var)
		return v
	}
	return nil
}

// IsGlobal reports whether v is a variable of a package.
func IsGlobal(v *types.Var) bool {
	return v != nil && v.Pkg() != nil && !v.IsField() && v.Parent() == v.Pkg().Scope()
}

// Root returns the variable that an expression reaches into: p of p[i].X, *p and (p)[a:b]; nil
// where there is none.
func Root(info *types.Info, e ast.Expr) *types.Var {
	for {
		if v := VarOf(info, e); v != nil {
			return v
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		default:
			return nil
		}
	}
}
