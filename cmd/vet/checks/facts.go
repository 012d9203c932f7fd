package checks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// factsOf finds what all checks have to know of a package, and the functions that take a State and
// return another world's, as Clone does. They leave the State that they are given as it was:
//
//	func fork(s world.State) world.State {
//		c, err := world.Clone(s)
//		check(err)
//		return world.Advance(c)
//	}
var factsOf = &analysis.Analyzer{
	Name:       "facts",
	Doc:        "find where variables are set, and functions that return another world",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	FactTypes:  []analysis.Fact{new(fork)},
	ResultType: reflect.TypeFor[*facts](),
	Run: func(pass *analysis.Pass) (any, error) {
		f := &facts{pass, map[*types.Var][]set{}}
		root := rootOf(pass)
		f.findSets(root)
		for f.findForks(root) {
		}
		return f, nil
	},
}

// A fork is the fact that a function leaves its State as it was.
type fork struct{}

// AFact makes it a fact.
func (*fork) AFact() {}

func (*fork) String() string { return "fork" }

// facts is what all checks know of a package.
type facts struct {
	pass *analysis.Pass
	sets map[*types.Var][]set
}

// A set is a place where a variable gets a value, or its address is taken.
type set struct {
	by    ast.Node
	value ast.Expr // nil where it has no expression of its own
	in    ast.Node // function; nil where it may be any
}

func (f *facts) findSets(root inspector.Cursor) {
	for cur := range root.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil),
		(*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)) {
		s := set{by: cur.Node(), in: functionOf(cur)}
		left, right := sides(s.by)
		if n, ok := s.by.(*ast.UnaryExpr); ok && n.Op == token.AND {
			left, s.in = []ast.Expr{n.X}, nil
		}
		for i, e := range left {
			if s.value = nil; len(left) == len(right) {
				s.value = right[i]
			}
			if v := f.varOf(e); v != nil {
				f.sets[v] = append(f.sets[v], s)
			}
		}
	}
}

// functionOf returns the innermost function around a place, or nil.
func functionOf(cur inspector.Cursor) ast.Node {
	for function := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return function.Node()
	}
	return nil
}

// sides returns what an assignment, a declaration or a loop sets, and to what.
func sides(n ast.Node) (left, right []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, name := range n.Names {
			left = append(left, name)
		}
		return left, n.Values
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}, nil
	}
	return nil, nil
}

// value returns what a variable is set to, if that happens in one place.
func (f *facts) value(v *types.Var) ast.Expr {
	if s := f.sets[v]; len(s) == 1 {
		return s[0].value
	}
	return nil
}

// findForks notes functions that only read their State, and reports whether that is news.
func (f *facts) findForks(root inspector.Cursor) (news bool) {
	for cur := range root.Preorder((*ast.FuncDecl)(nil)) {
		decl := cur.Node().(*ast.FuncDecl)
		fun, ok := f.pass.TypesInfo.Defs[decl.Name].(*types.Func)
		if ok && decl.Body != nil && steps(fun.Signature()) && !f.leaves(fun) &&
			f.onlyReads(fun.Signature(), cur) {
			f.pass.ExportObjectFact(fun, new(fork))
			news = true
		}
	}
	return news
}

// leaves reports whether a function, which may be nil, leaves the State that it is given as it was.
func (f *facts) leaves(fun *types.Func) bool {
	return isWorlds(fun, "Clone", "Resized") ||
		fun != nil && f.pass.ImportObjectFact(fun.Origin(), new(fork))
}

// onlyReads reports whether a function hands its State only to functions that leave it as it was.
func (f *facts) onlyReads(sig *types.Signature, function inspector.Cursor) bool {
	v, used := sig.Params().At(states(sig.Params())[0]), false
	for cur := range function.Preorder((*ast.Ident)(nil)) {
		if f.pass.TypesInfo.Uses[cur.Node().(*ast.Ident)] != v {
			continue
		}
		used = true
		for cur.ParentEdgeKind() == edge.ParenExpr_X {
			cur = cur.Parent()
		}
		if cur.ParentEdgeKind() != edge.CallExpr_Args ||
			!f.reads(cur.Parent().Node().(*ast.CallExpr)) {
			return false
		}
	}
	return used
}

// reads reports whether a call leaves the States that it is given as they were.
func (f *facts) reads(call *ast.CallExpr) bool {
	fun, sig := f.called(call)
	return sig != nil && !isWorlds(fun, "Close") &&
		(len(states(sig.Results())) == 0 || f.leaves(fun))
}

// called returns the function or method that a call names, or nil where it calls a variable, and
// its type; nil where it calls a builtin, is a conversion or nil.
func (f *facts) called(call *ast.CallExpr) (fun *types.Func, sig *types.Signature) {
	if call == nil {
		return nil, nil
	}
	fun, _ = typeutil.Callee(f.pass.TypesInfo, call).(*types.Func)
	if tv := f.pass.TypesInfo.Types[call.Fun]; tv.IsValue() && tv.Type != nil {
		sig, _ = tv.Type.Underlying().(*types.Signature)
	}
	return fun, sig
}

// isBuiltin returns the call of one of the named builtins that an expression is, or nil.
func (f *facts) isBuiltin(e ast.Expr, names ...string) *ast.CallExpr {
	if call := callOf(e); call != nil {
		b, ok := typeutil.Callee(f.pass.TypesInfo, call).(*types.Builtin)
		if ok && slices.Contains(names, b.Name()) {
			return call
		}
	}
	return nil
}

// varOf returns the variable that an expression names, or nil.
func (f *facts) varOf(e ast.Expr) *types.Var {
	e = ast.Unparen(e)
	if selector, ok := e.(*ast.SelectorExpr); ok && f.pass.TypesInfo.Selections[selector] == nil {
		e = selector.Sel // of a package
	}
	if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
		v, _ := f.pass.TypesInfo.ObjectOf(name).(*types.Var)
		return v
	}
	return nil
}

// inner returns what an expression is a part of, or leads from: p of p[i], p.X, *p and p[a:b]; nil
// where there is none.
func inner(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.SelectorExpr:
		return e.X
	}
	return nil
}

// reached returns the variable that an expression reaches into, or nil.
func (f *facts) reached(e ast.Expr) *types.Var {
	for ; e != nil; e = inner(e) {
		if v := f.varOf(e); v != nil {
			return v
		}
	}
	return nil
}

// shown returns the call of Column or Flat whose memory a slice or a pointer shows, also as a list
// of a column of lists, or nil. It follows variables that are set once, each of them once: one may
// be a part of itself, as in v = v[1:].
func (f *facts) shown(e ast.Expr, seen ...*types.Var) *ast.CallExpr {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := f.varOf(e); v != nil && f.value(v) != nil && !slices.Contains(seen, v) {
			return f.shown(f.value(v), append(seen, v)...)
		}
	case *ast.CallExpr:
		fun, _ := f.called(e)
		if len(e.Args) == 2 && (isWorlds(fun, "Column", "Flat") || isFunc(fun, lists, "Column")) {
			return e
		}
		if column := f.ofLists(e); column != nil && (fun.Name() == "At" || fun.Name() == "Cut") {
			return f.shown(column, seen...)
		}
	case *ast.SliceExpr:
		return cmp.Or(f.shown(e.X, seen...), f.within(e.X, seen...))
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return f.within(e.X, seen...)
		}
	}
	return nil
}

// ofLists returns the column of lists that a call is a method of, or nil.
func (f *facts) ofLists(call *ast.CallExpr) ast.Expr {
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || f.pass.TypesInfo.Selections[method] == nil {
		return nil
	}
	of := f.pass.TypesInfo.TypeOf(method.X)
	if p, ok := types.Unalias(of).(*types.Pointer); ok {
		of = p.Elem()
	}
	if !is(of, listColumn) {
		return nil
	}
	return method.X
}

// within returns the call of Column or Flat whose memory an element, or a part of one, is in.
func (f *facts) within(e ast.Expr, seen ...*types.Var) *ast.CallExpr {
	x := inner(e)
	if _, ok := ast.Unparen(e).(*ast.SliceExpr); ok || x == nil {
		return nil
	}
	return cmp.Or(f.shown(x, seen...), f.within(x, seen...))
}
