package usedup

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
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

func newMoment() *moment {
	return &moment{
		map[*types.Var]use{}, map[pair]bool{}, map[*types.Var]*ast.CallExpr{},
	}
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
		if _, ok := m.deferred[v]; !ok {
			m.deferred[v], news = call, true
		}
	}
	return news
}

// A flow goes through one function.
type flow struct {
	*check
	function ast.Node
	*moment
	tell  bool // report what is found
	found map[finding]ast.Expr
	tardy map[*ast.CallExpr]finding // deferred calls
}

// A finding is told once, at the first use of a variable after the call that used it up.
type finding struct {
	v *types.Var
	use
}

// function follows the States of one function until nothing new is known, and reports then.
func (c *check) function(n ast.Node, graph *cfg.CFG) {
	f := &flow{
		check: c, function: n,
		found: map[finding]ast.Expr{}, tardy: map[*ast.CallExpr]finding{},
	}
	before := map[*cfg.Block]*moment{graph.Blocks[0]: newMoment()}
	for work := []*cfg.Block{graph.Blocks[0]}; len(work) > 0; {
		block := work[0]
		work = work[1:]
		f.moment = before[block].clone()
		f.block(block)
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
	for _, block := range graph.Blocks {
		if m := before[block]; m != nil {
			f.moment = m.clone()
			f.block(block)
		}
	}
	f.report()
}

// block goes through the statements of a block.
func (f *flow) block(block *cfg.Block) {
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
	for v, u := range m.used {
		if u.unless == nil {
			continue
		}
		switch known(f.pass.TypesInfo, condition, u.unless, way == 0) {
		case none:
			u.unless = nil
			m.used[v] = u
		case failed:
			delete(m.used, v)
		}
	}
	return m
}

func (f *flow) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}
		f.assign(names, n.Values)
	case *ast.ReturnStmt:
		f.eval(n)
		for _, e := range n.Results {
			f.returned(e)
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
	sig := ecs.SignatureOf(f.pass.TypesInfo, call)
	for i, arg := range call.Args {
		f.eval(arg)
		if !takes(sig, i) {
			continue
		}
		if v := f.use(arg); v != nil {
			f.deferred[v] = call
		}
	}
}

// takes reports whether argument i of a function is a State.
func takes(sig *types.Signature, i int) bool {
	return sig != nil && i < sig.Params().Len() && ecs.IsState(sig.Params().At(i).Type())
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
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
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
	sig := ecs.SignatureOf(f.pass.TypesInfo, call)
	if sig == nil {
		return
	}
	callee := ecs.Called(f.pass.TypesInfo, call)
	for i, arg := range call.Args {
		if takes(sig, i) && (ecs.Count(sig.Params()) == 1 || ecs.OfWorld(callee)) {
			f.use(arg)
		}
		if v := f.failure(arg); v != nil && f.stopsOn(call) {
			f.passed(v)
		}
	}
	if v := f.usesUp(call); v != nil && f.follows(f.function, v) {
		if u, sure := f.useOf(call, sig, left, alone); sure {
			f.usedUp(v, u)
		}
	}
}

// passed notes that an error is nil.
func (f *flow) passed(err *types.Var) {
	for v, u := range f.used {
		if u.unless == err {
			u.unless = nil
			f.used[v] = u
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
		case ecs.IsState(t) && to != nil && u.next == nil:
			u.next = f.state(to)
		case ecs.IsError(t):
			if to != nil {
				u.unless = f.failure(to)
			}
			ignored := alone || to != nil && u.unless == nil
			if u.unless == nil && (!ignored || report.InTest(f.pass, call)) {
				return u, false
			}
		}
	}
	return u, true
}

// usedUp notes that the State of v is used up, by whatever name.
func (f *flow) usedUp(v *types.Var, u use) {
	f.used[v] = u
	f.late(v, u)
	for p := range f.same {
		if p[0] == v {
			f.used[p[1]] = u
			f.late(p[1], u)
		}
	}
}

// late finds deferred calls that are to get a State which is used up meanwhile.
func (f *flow) late(v *types.Var, u use) {
	if call := f.deferred[v]; call != nil && f.tell {
		f.tardy[call] = finding{v, u}
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
		if len(left) == len(right) {
			f.bind(e, f.state(right[i]))
		} else {
			f.bind(e, nil)
		}
	}
}

// forget drops what would be known if an error were looked at, before it is another.
func (f *flow) forget(err *types.Var) {
	maps.DeleteFunc(f.used, func(_ *types.Var, u use) bool { return u.unless == err })
}

// bind notes that a variable has another State, that of from if that is not nil.
func (f *flow) bind(e ast.Expr, from *types.Var) {
	if e == nil {
		return
	}
	v := f.state(e)
	if v == nil || v == from {
		return
	}
	delete(f.used, v)
	delete(f.deferred, v)
	maps.DeleteFunc(f.same, func(p pair, _ bool) bool { return p[0] == v || p[1] == v })
	if from == nil || !f.follows(f.function, from) || !f.follows(f.function, v) {
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

// returned looks at a State that is returned. One that was closed may go with an error.
func (f *flow) returned(e ast.Expr) {
	v := f.state(e)
	if v == nil || f.used[v].call == nil || f.closes(f.used[v].call) {
		return
	}
	f.use(e)
}

// closes reports whether a call ends a world.
func (f *flow) closes(call *ast.CallExpr) bool {
	return ecs.IsWorlds(ecs.Called(f.pass.TypesInfo, call), "Close")
}

// use looks at a State that is handed on, and returns its variable.
func (f *flow) use(e ast.Expr) *types.Var {
	v := f.state(e)
	if v == nil || !f.follows(f.function, v) {
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
