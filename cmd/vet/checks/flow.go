package checks

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// A use is the call that used up a State.
type use struct {
	call   *ast.CallExpr
	unless *types.Var // where this error is nil; nil: in any case
	next   *types.Var // what the returned State was assigned to, or nil
}

// A pair is two variables with the same State.
type pair [2]*types.Var

// A moment is what is known of the variables between two statements.
type moment struct {
	used     map[*types.Var]use
	same     map[pair]bool
	deferred map[*types.Var]*ast.CallExpr // is given the State of that time
}

func (m *moment) clone() *moment {
	return &moment{maps.Clone(m.used), maps.Clone(m.same), maps.Clone(m.deferred)}
}

// join adds what is known on another way here, and reports whether that is news.
func (m *moment) join(o *moment) (news bool) {
	for v, u := range o.used {
		if before, ok := m.used[v]; !ok || before.unless != nil && u.unless == nil {
			m.used[v], news = u, true
		}
	}
	for p := range m.same {
		if !o.same[p] {
			delete(m.same, p)
			news = true
		}
	}
	for v, call := range o.deferred {
		if m.deferred[v] == nil {
			m.deferred[v], news = call, true
		}
	}
	return news
}

// passed notes that an error is nil.
func (m *moment) passed(err *types.Var) {
	for v, u := range m.used {
		if u.unless == err {
			u.unless = nil
			m.used[v] = u
		}
	}
}

// forget drops what is used up unless an error is nil: it is not, or is no longer the same error.
func (m *moment) forget(err *types.Var) {
	maps.DeleteFunc(m.used, func(_ *types.Var, u use) bool { return u.unless == err })
}

// A flow goes through one function.
type flow struct {
	*check
	*moment
	function ast.Node
	graph    *cfg.CFG
	stops    map[*types.Func]bool // functions that do not return when they are given an error
	tell     bool                 // note what is found
	found    map[finding]ast.Expr
	tardy    map[*ast.CallExpr]finding // deferred calls
}

// A finding is told once, at the first use of a variable after the call that used it up.
type finding struct {
	v *types.Var
	use
}

// walk follows the States of the function until nothing new is known, and finds then.
func (f *flow) walk() {
	first := f.graph.Blocks[0]
	before := map[*cfg.Block]*moment{first: {
		map[*types.Var]use{}, map[pair]bool{}, map[*types.Var]*ast.CallExpr{},
	}}
	for work := []*cfg.Block{first}; len(work) > 0; {
		block := work[0]
		work = work[1:]
		f.block(block, before[block])
		for i, next := range block.Succs {
			after := f.after(block, i)
			if m := before[next]; m == nil {
				before[next] = after
			} else if !m.join(after) {
				continue
			}
			if !slices.Contains(work, next) {
				work = append(work, next)
			}
		}
	}
	f.tell = true
	for _, block := range f.graph.Blocks {
		if before[block] != nil {
			f.block(block, before[block])
		}
	}
}

// block goes through the statements of a block.
func (f *flow) block(block *cfg.Block, before *moment) {
	f.moment = before.clone()
	if loop, ok := block.Stmt.(*ast.RangeStmt); ok && block.Kind == cfg.KindRangeBody {
		f.bind(loop.Key, nil)
		f.bind(loop.Value, nil)
	}
	for _, n := range block.Nodes {
		f.node(n)
	}
}

// after returns what is known on the way from a block to one of those that follow.
func (f *flow) after(block *cfg.Block, way int) *moment {
	m := f.clone()
	if len(block.Succs) != 2 || len(block.Nodes) == 0 {
		return m
	}
	condition, ok := block.Nodes[len(block.Nodes)-1].(ast.Expr)
	if !ok {
		return m
	}
	for _, u := range f.used {
		if u.unless == nil {
			continue
		}
		switch f.known(condition, u.unless, way == 0) {
		case none:
			m.passed(u.unless)
		case failed:
			m.forget(u.unless)
		}
	}
	return m
}

func (f *flow) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt, *ast.ValueSpec:
		f.assign(sides(n))
	case *ast.ReturnStmt:
		f.eval(n)
		for _, e := range n.Results {
			// A State that was closed may be returned with an error.
			v := f.state(e)
			if v != nil && f.used[v].call != nil && !f.closes(f.used[v].call) {
				f.use(e)
			}
		}
	case *ast.DeferStmt:
		f.later(n.Call)
	default:
		f.eval(n)
	}
}

// later goes through the arguments of a deferred call.
func (f *flow) later(call *ast.CallExpr) {
	f.eval(call.Fun)
	_, sig := f.called(call)
	for i, arg := range call.Args {
		f.eval(arg)
		if takes(sig, i) {
			if v := f.use(arg); v != nil {
				f.deferred[v] = call
			}
		}
	}
}

// takes reports whether argument i of a function is a State.
func takes(sig *types.Signature, i int) bool {
	return sig != nil && i < sig.Params().Len() && isState(sig.Params().At(i).Type())
}

// eval goes through the calls of an expression or a statement, from the inside out. What a
// function literal does has its own turn.
func (f *flow) eval(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			f.call(n, nil, false)
			return false
		case *ast.ExprStmt:
			if call := callOf(n.X); call != nil {
				f.call(call, nil, true)
				return false
			}
		}
		return true
	})
}

// call goes through a call, whose results go to left; alone is that of a statement.
func (f *flow) call(call *ast.CallExpr, left []ast.Expr, alone bool) {
	f.eval(call.Fun)
	for _, arg := range call.Args {
		f.eval(arg)
	}
	callee, sig := f.called(call)
	if sig == nil {
		return
	}
	for i, arg := range call.Args {
		if takes(sig, i) && (len(states(sig.Params())) == 1 || ofWorld(callee)) {
			f.use(arg)
		}
		if v := f.failure(arg); v != nil && f.stopsOn(call) {
			f.passed(v)
		}
	}
	if v := f.usesUp(call); v != nil && f.follows(v) {
		if u, sure := f.useOf(call, sig, left, alone); sure {
			f.usedUp(v, u)
		}
	}
}

// useOf returns how a call uses up a State, and whether that can be known.
func (f *flow) useOf(
	call *ast.CallExpr, sig *types.Signature, left []ast.Expr, alone bool,
) (u use, sure bool) {
	u.call = call
	for i := range sig.Results().Len() {
		var to ast.Expr
		if i < len(left) {
			to = left[i]
		}
		switch t := sig.Results().At(i).Type(); {
		case isState(t) && u.next == nil:
			u.next = f.state(to)
		case isError(t):
			u.unless = f.failure(to)
			ignored := alone || to != nil
			if u.unless == nil && (!ignored || f.inTest(call)) {
				return u, false
			}
		}
	}
	return u, true
}

// usedUp notes that the State of v is used up, by whatever name, and finds deferred calls that are
// to get it.
func (f *flow) usedUp(v *types.Var, u use) {
	names := []*types.Var{v}
	for p := range f.same {
		if p[0] == v {
			names = append(names, p[1])
		}
	}
	for _, name := range names {
		f.used[name] = u
		if call := f.deferred[name]; call != nil && f.tell {
			f.tardy[call] = finding{name, u}
		}
	}
}

// assign goes through an assignment or a declaration.
func (f *flow) assign(left, right []ast.Expr) {
	for _, e := range left {
		if v := f.failure(e); v != nil {
			f.forget(v)
		}
	}
	for i, e := range right {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		switch {
		case ok && len(right) == 1:
			f.call(call, left, true)
		case ok:
			f.call(call, left[i:i+1], true)
		default:
			f.eval(e)
		}
	}
	for i, e := range left {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
			f.eval(e)
		}
		var from *types.Var
		if len(left) == len(right) {
			from = f.state(right[i])
		}
		f.bind(e, from)
	}
}

// bind notes that a variable has another State, that of from if that is not nil.
func (f *flow) bind(e ast.Expr, from *types.Var) {
	v := f.state(e)
	if v == nil || v == from {
		return
	}
	delete(f.used, v)
	delete(f.deferred, v)
	maps.DeleteFunc(f.same, func(p pair, _ bool) bool { return p[0] == v || p[1] == v })
	if from == nil || !f.follows(from) || !f.follows(v) {
		return
	}
	for p := range maps.Clone(f.same) {
		if p[0] == from {
			f.same[pair{p[1], v}], f.same[pair{v, p[1]}] = true, true
		}
	}
	f.same[pair{from, v}], f.same[pair{v, from}] = true, true
	if u, ok := f.used[from]; ok {
		f.used[v] = u
	}
}

// use looks at a State that is handed on, and returns its variable.
func (f *flow) use(e ast.Expr) *types.Var {
	v := f.state(e)
	if v == nil || !f.follows(v) {
		return nil
	}
	u, ok := f.used[v]
	if !ok || u.unless != nil || !f.tell {
		return v
	}
	key := finding{v, u}
	if at := f.found[key]; at == nil || e.Pos() < at.Pos() {
		f.found[key] = e
	}
	return v
}
