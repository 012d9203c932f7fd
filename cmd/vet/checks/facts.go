package checks

import (
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

// factsOf computes the facts that all checks need about a package, and finds functions that take a
// State and return a different world, like Clone. They leave their State valid:
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
		f := newFacts(pass, rootOf(pass))
		for f.findForks() {
		}
		return f, nil
	},
}

// A fork is the fact that a function leaves its State valid.
type fork struct{}

// AFact implements [analysis.Fact].
func (*fork) AFact() {}

func (*fork) String() string { return "fork" }

// facts are the facts about a package.
type facts struct {
	pass *analysis.Pass
	root inspector.Cursor
	sets map[*types.Var][]set
}

// A set is a place where a variable is set, or its address is taken.
type set struct {
	by    ast.Node
	value ast.Expr // nil if there is no single expression
	in    ast.Node // the function; nil if unknown
}

// newFacts finds the places where variables are set.
func newFacts(pass *analysis.Pass, root inspector.Cursor) *facts {
	f := &facts{pass, root, map[*types.Var][]set{}}
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
	return f
}

// functionOf returns the innermost function around a place, or nil.
func functionOf(cur inspector.Cursor) ast.Node {
	for function := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return function.Node()
	}
	return nil
}

// sides returns both sides of an assignment, a declaration or a loop.
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

// writes returns the expressions that a statement or a call of a builtin writes to.
func (f *facts) writes(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if f.isBuiltin(n, "clear", "copy", "delete") != nil {
			return n.Args[:1]
		}
	}
	return nil
}

// value returns the value of a variable that is set in one place.
func (f *facts) value(v *types.Var) ast.Expr {
	if s := f.sets[v]; len(s) == 1 {
		return s[0].value
	}
	return nil
}

// findForks finds functions that only read their State, and reports whether it found new ones.
func (f *facts) findForks() (news bool) {
	for cur := range f.root.Preorder((*ast.FuncDecl)(nil)) {
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

// leaves reports whether a function, which may be nil, leaves its State valid.
func (f *facts) leaves(fun *types.Func) bool {
	return isFunc(fun, "world.Clone", "world.Resized") ||
		fun != nil && f.pass.ImportObjectFact(fun.Origin(), new(fork))
}

// onlyReads reports whether a function passes its State only to functions that leave it valid.
func (f *facts) onlyReads(sig *types.Signature, function inspector.Cursor) bool {
	v, used := sig.Params().At(states(sig.Params())[0]), false
	for cur := range function.Preorder((*ast.Ident)(nil)) {
		if f.pass.TypesInfo.Uses[cur.Node().(*ast.Ident)] != v {
			continue
		}
		used, cur = true, unparen(cur)
		if cur.ParentEdgeKind() != edge.CallExpr_Args ||
			!f.reads(cur.Parent().Node().(*ast.CallExpr)) {
			return false
		}
	}
	return used
}

// unparen returns the outermost parentheses around an expression, or the expression.
func unparen(cur inspector.Cursor) inspector.Cursor {
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	return cur
}

// reads reports whether a call leaves its States valid.
func (f *facts) reads(call *ast.CallExpr) bool {
	fun, sig := f.called(call)
	return sig != nil && !f.closes(call) && (len(states(sig.Results())) == 0 || f.leaves(fun))
}

// called returns the function or method of a call, or nil for a variable, and its type; the type is
// nil for builtins, conversions and nil calls.
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

// stepped returns the State that a call replaces by the State that it returns, or nil.
func (f *facts) stepped(call *ast.CallExpr) ast.Expr {
	fun, sig := f.called(call)
	if !steps(sig) || f.leaves(fun) {
		return nil
	}
	if i := states(sig.Params())[0]; i < len(call.Args) {
		return call.Args[i]
	}
	return nil
}

// taken returns the expressions to which a call's results are assigned, and the kind of the
// statement; edge.Invalid if the call is part of another expression.
func taken(call inspector.Cursor) (left []ast.Expr, by edge.Kind) {
	cur := unparen(call)
	switch by = cur.ParentEdgeKind(); by {
	case edge.ExprStmt_X, edge.GoStmt_Call, edge.DeferStmt_Call:
		return nil, by
	case edge.AssignStmt_Rhs, edge.ValueSpec_Values:
		left, right := sides(cur.Parent().Node())
		if i := cur.ParentEdgeIndex(); len(right) > 1 {
			left = left[i : i+1]
		}
		return left, by
	}
	return nil, edge.Invalid
}

// isBuiltin returns an expression's call of one of the named builtins, or nil.
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

// inner returns the expression that another one is part of or derived from: p for p[i], p.X, *p and
// p[a:b]; otherwise nil.
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

// reached returns the variable that an expression refers into, or nil.
func (f *facts) reached(e ast.Expr) *types.Var {
	for ; e != nil; e = inner(e) {
		if v := f.varOf(e); v != nil {
			return v
		}
	}
	return nil
}

// memory returns the call of Column whose memory an expression shares, also through a list of a
// column of lists, or nil. It follows slices and pointers that are set once, each of them once,
// because v = v[1:] refers to itself.
func (f *facts) memory(e ast.Expr) *ast.CallExpr {
	for seen := []*types.Var{}; e != nil; {
		switch n := ast.Unparen(e).(type) {
		case *ast.Ident:
			v := f.varOf(n)
			if v == nil || slices.Contains(seen, v) || !leads(v.Type()) {
				return nil
			}
			seen, e = append(seen, v), f.value(v)
		case *ast.CallExpr:
			fun, _ := f.called(n)
			if len(n.Args) == 2 && isFunc(fun, "world.Column", "world/list.Column") {
				return n
			}
			of, method := f.methodOf(n, listColumn)
			if isFunc(fun, "layout.Flat") {
				of, method = n.Args[1], "At"
			}
			if method != "At" && method != "Cut" {
				return nil
			}
			e = of
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return nil
			}
			e = n.X
		default:
			e = inner(n)
		}
	}
	return nil
}

// leads reports whether values of a type share memory with their source.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return true
	}
	return false
}

// methodOf returns the receiver and the name of the method in a call, which may be nil, if the
// receiver has the named type or points to it.
func (f *facts) methodOf(call *ast.CallExpr, name string) (of ast.Expr, method string) {
	if call == nil {
		return nil, ""
	}
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	t := f.pass.TypesInfo.TypeOf(selector.X)
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if !is(t, name) {
		return nil, ""
	}
	return selector.X, selector.Sel.Name
}
