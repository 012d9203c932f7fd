package checks

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
)

// A use is a call that invalidated a State.
type use struct {
	call   *ast.CallExpr
	unless *types.Var // only if this error is nil; nil: always
	next   *types.Var // the variable with the returned State, or nil
}

// A held is the State in a variable, and the use that invalidated it.
type held struct {
	made any // its origin: variables with the same origin hold the same State
	used use
}

// A joint is the origin of a State at a block that several ways with different States lead to.
type joint struct {
	at    *cfg.Block
	first *types.Var // the first variable with this State
}

// A moment is the knowledge about variables between two statements. Arguments of deferred calls are
// variables without a package.
type moment map[*types.Var]held

// of returns the State in a variable. Initially, no two variables hold the same State.
func (m moment) of(v *types.Var) held {
	if state, ok := m[v]; ok || v != nil && v.Pkg() == nil {
		return state
	}
	return held{made: v}
}

// join merges the knowledge of another way to a block, and reports whether it changed.
func (m moment) join(o moment, at *cfg.Block) (news bool) {
	all := maps.Clone(m)
	maps.Copy(all, o)
	both := map[[2]any]joint{}
	for _, v := range slices.SortedFunc(maps.Keys(all), func(a, b *types.Var) int {
		return cmp.Compare(a.Pos(), b.Pos())
	}) {
		before, other := m.of(v), o.of(v)
		joined := before
		if ways := [2]any{before.made, other.made}; before.made == nil {
			joined.made = other.made
		} else if before.made != other.made && other.made != nil {
			if _, ok := both[ways]; !ok {
				both[ways] = joint{at, v}
			}
			joined.made = both[ways]
		}
		if u := other.used; u.call != nil &&
			(before.used.call == nil || before.used.unless != nil && u.unless == nil) {
			joined.used = u
		}
		if joined != before {
			m[v], news = joined, true
		}
	}
	return news
}

// learn records the outcome of a check of an error.
func (m moment) learn(err *types.Var, outcome int) {
	if err == nil {
		return
	}
	for v, state := range m {
		if state.used.unless != err {
			continue
		}
		switch outcome {
		case none:
			state.used.unless = nil
		case failed:
			state.used = use{}
		}
		m[v] = state
	}
}

// A flow is the analysis of one function.
type flow struct {
	*check
	moment
	function inspector.Cursor
	graph    *cfg.CFG
	stops    map[*types.Func]bool // functions that do not return for a non-nil error
	tell     bool                 // record findings
	found    map[finding]ast.Expr
	deferred map[*ast.CallExpr]*types.Var
	late     map[*types.Var]use // invalid arguments of deferred calls
}

// A finding is the first use of a variable after the call that invalidated it.
type finding struct {
	v *types.Var
	use
}

// walk follows the States of the function until the knowledge is stable, and then records findings.
func (f *flow) walk() {
	first := f.graph.Blocks[0]
	before := map[*cfg.Block]moment{first: {}}
	for work := []*cfg.Block{first}; len(work) > 0; {
		block := work[0]
		work = work[1:]
		f.block(block, before[block])
		for i, next := range block.Succs {
			after := f.after(block, i)
			if m := before[next]; m == nil {
				before[next] = after
			} else if !m.join(after, next) {
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

// block analyzes the statements of a block.
func (f *flow) block(block *cfg.Block, before moment) {
	f.moment = maps.Clone(before)
	if loop, ok := block.Stmt.(*ast.RangeStmt); ok && block.Kind == cfg.KindRangeBody {
		f.bind(loop.Key, nil)
		f.bind(loop.Value, nil)
	}
	for _, n := range block.Nodes {
		f.node(n)
	}
}

// after returns the knowledge on one of the ways out of a block.
func (f *flow) after(block *cfg.Block, way int) moment {
	m := maps.Clone(f.moment)
	if len(block.Succs) != 2 || len(block.Nodes) == 0 {
		return m
	}
	if condition, ok := block.Nodes[len(block.Nodes)-1].(ast.Expr); ok {
		for _, state := range f.moment {
			if err := state.used.unless; err != nil {
				m.learn(err, f.known(condition, err, way == 0))
			}
		}
	}
	return m
}

// node analyzes the parts of a statement, from the inside out. It skips function literals, which
// are analyzed separately.
func (f *flow) node(n ast.Node) {
	var around []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			left, _ := sides(n)
			for _, e := range left {
				f.learn(f.failure(e), failed) // or a different error
			}
			around = append(around, n)
			return true
		}
		last := len(around) - 1
		n, around = around[last], around[:last]
		f.leave(n, around)
		return true
	})
}

// leave analyzes a node after its parts.
func (f *flow) leave(n ast.Node, around []ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if len(around) > 0 {
			if _, ok := around[len(around)-1].(*ast.DeferStmt); ok {
				f.later(n)
				return
			}
		}
		f.call(n)
	case *ast.AssignStmt, *ast.ValueSpec:
		left, right := sides(n)
		for i, e := range left {
			var from *types.Var
			if len(left) == len(right) {
				from = f.state(right[i])
			}
			f.bind(e, from)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			// A closed State may be returned together with an error.
			v := f.state(e)
			if u := f.of(v).used; u.call != nil && !f.closes(u.call) {
				f.use(e)
			}
		}
	}
}

// later analyzes the arguments of a deferred call.
func (f *flow) later(call *ast.CallExpr) {
	_, sig := f.called(call)
	for i, arg := range call.Args {
		if !takes(sig, i) {
			continue
		}
		if v := f.use(arg); v != nil {
			if f.deferred[call] == nil {
				f.deferred[call] = types.NewVar(call.Pos(), nil, v.Name(), v.Type())
			}
			f.moment[f.deferred[call]] = f.of(v)
		}
	}
}

// takes reports whether parameter i of a function is a State.
func takes(sig *types.Signature, i int) bool {
	return sig != nil && i < sig.Params().Len() && isState(sig.Params().At(i).Type())
}

// call analyzes a call.
func (f *flow) call(call *ast.CallExpr) {
	callee, sig := f.called(call)
	for i, arg := range call.Args {
		if takes(sig, i) && (len(states(sig.Params())) == 1 || ofWorld(callee)) &&
			!isFunc(callee, "world.Recovered") { // it accepts an invalid State
			f.use(arg)
		}
		if f.stopsOn(callee) {
			f.learn(f.failure(arg), none)
		}
	}
	if v := f.invalidatedBy(call); v != nil && f.follows(v) {
		if u, sure := f.useOf(call, sig); sure {
			f.invalidate(v, u)
		}
	}
}

// useOf returns how a call invalidates a State; sure is false if that is unknown.
func (f *flow) useOf(call *ast.CallExpr, sig *types.Signature) (u use, sure bool) {
	u.call = call
	at, _ := f.function.FindNode(call)
	left, by := taken(at)
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
			unsure := by == edge.Invalid || by == edge.GoStmt_Call || f.inTest(call)
			if u.unless == nil && unsure {
				return u, false
			}
		}
	}
	return u, true
}

// invalidate records that the State of v is invalid, in all variables that hold it.
func (f *flow) invalidate(v *types.Var, u use) {
	made := f.of(v).made
	f.moment[v] = held{made, u}
	for other, state := range f.moment {
		if state.made == made {
			f.moment[other] = held{made, u}
			if other.Pkg() == nil && f.tell {
				f.late[other] = u
			}
		}
	}
}

// bind records that a variable holds a new State, or the State of from unless nil.
func (f *flow) bind(e ast.Expr, from *types.Var) {
	v := f.state(e)
	if v == nil || v == from {
		return
	}
	state := held{made: e}
	if from != nil && f.follows(from) && f.follows(v) {
		state = f.of(from)
	}
	f.moment[v] = state
}

// use checks a State that is passed on, and returns its variable.
func (f *flow) use(e ast.Expr) *types.Var {
	v := f.state(e)
	if v == nil || !f.follows(v) {
		return nil
	}
	u := f.of(v).used
	if u.call == nil || u.unless != nil || !f.tell {
		return v
	}
	key := finding{v, u}
	if at := f.found[key]; at == nil || e.Pos() < at.Pos() {
		f.found[key] = e
	}
	return v
}
