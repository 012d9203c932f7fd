package checks

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis/passes/ctrlflow"
)

// Usedup finds States that are used after a call invalidated them.
var Usedup = analyzer("usedup", `report States that are used after a call invalidated them

A function that takes a State and returns one invalidates the first, in every variable that holds
it, unless it returns an error. The usual cause is := in an inner block, a second state:

	if state, err := world.Dispose(state, bullet); err != nil {
		return state, err
	}
	state, err = world.Apply(state) // the outer state is invalid

Write var err error before, and state, err = … inside. The arguments of a deferred call are
evaluated at once:

	defer world.Close(state) // this State, which the next line invalidates
	state = rise(state)

Write defer func() { world.Close(state) }().

Limits: the check follows local variables within one function, but not fields, elements, and
variables that a function literal assigns to. It accepts invalid States as arguments of functions
that take several States, and of world.Recovered. If a call returns an error, the check waits for
if err != nil, require.NoError or a function like check(err). It assumes that functions that return
a bool, or take several States, invalidate nothing.`, (*check).usedup)

func (c *check) usedup() {
	stops := c.stopping()
	graphs := c.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	for cur := range c.root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		f := &flow{
			check: c, function: cur, stops: stops,
			found: map[finding]ast.Expr{}, late: map[*types.Var]use{},
			deferred: map[*ast.CallExpr]*types.Var{},
		}
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			f.graph = graphs.FuncDecl(n)
		case *ast.FuncLit:
			f.graph = graphs.FuncLit(n)
		}
		if f.graph != nil {
			f.walk()
			f.report()
		}
	}
}

// report reports the findings in order.
func (f *flow) report() {
	keys := slices.SortedFunc(maps.Keys(f.found), func(a, b finding) int {
		return cmp.Compare(f.found[a].Pos(), f.found[b].Pos())
	})
	for _, k := range keys {
		f.at(f.found[k], "%s", f.explain(k))
	}
	for call, given := range f.deferred {
		if u, ok := f.late[given]; ok {
			name, v := nameOf(call), given.Name()
			f.at(call, "defer passes %s the present %s, which is invalidated by %s on line %d; "+
				"write defer func() { %s(%s) }()", name, v, nameOf(u.call), f.line(u.call), name, v)
		}
	}
}

// explain describes how a State became invalid, and the fix.
func (f *flow) explain(k finding) string {
	name, v, line := nameOf(k.call), k.v.Name(), f.line(k.call)
	if f.closes(k.call) {
		return fmt.Sprintf("%s was closed by %s on line %d; close it later", v, name, line)
	}
	text := fmt.Sprintf("%s was invalidated by %s on line %d; ", v, name, line)
	_, sig := f.called(k.call)
	left := assigned(sig, v)
	switch {
	case k.next == nil || k.next == k.v:
		return text + fmt.Sprintf("write %s = %s(%s, …) there", left, name, v)
	case k.next.Name() == v:
		return text + fmt.Sprintf("its result is another %s, declared by := in an inner "+
			"block: declare its other results before, and write %s = %s(%s, …)", v, left, name, v)
	}
	return text + fmt.Sprintf("use its result, %s", k.next.Name())
}

func (f *flow) line(n ast.Node) int { return f.Fset.Position(n.Pos()).Line }

// closes reports whether a call closes a world.
func (f *facts) closes(call *ast.CallExpr) bool {
	fun, _ := f.called(call)
	return isFunc(fun, "world.Close")
}

// invalidatedBy returns the argument that a call invalidates, if it is a variable.
func (c *check) invalidatedBy(call *ast.CallExpr) *types.Var {
	if c.closes(call) {
		return c.state(call.Args[0])
	}
	if f, sig := c.called(call); sig != nil && !mayRefuse(f, sig) {
		return c.state(c.stepped(call))
	}
	return nil
}

// mayRefuse reports whether a function of the program may return a bool that means that it did
// nothing.
func mayRefuse(f *types.Func, sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		basic, ok := v.Type().Underlying().(*types.Basic)
		if ok && basic.Kind() == types.Bool {
			return !ofWorld(f)
		}
	}
	return false
}

// state returns the local State variable that an expression is, or nil.
func (c *check) state(e ast.Expr) *types.Var {
	if v := c.varOf(e); v != nil && isState(v.Type()) && !isGlobal(v) {
		return v
	}
	return nil
}

// failure returns the error variable that an expression is, or nil.
func (c *check) failure(e ast.Expr) *types.Var {
	if v := c.varOf(e); v != nil && isError(v.Type()) {
		return v
	}
	return nil
}

// follows reports whether only the function itself and enclosing functions assign to v.
func (f *flow) follows(v *types.Var) bool {
	return !slices.ContainsFunc(f.sets[v], func(s set) bool {
		return s.in == nil || !around(s.in, f.function.Node())
	})
}

// stopping finds functions like
//
//	func check(err error) {
//		if err != nil {
//			panic(err)
//		}
//	}
func (c *check) stopping() map[*types.Func]bool {
	stops := map[*types.Func]bool{}
	for cur := range c.root.Preorder((*ast.IfStmt)(nil)) {
		branch := cur.Node().(*ast.IfStmt)
		decl, ok := cur.Parent().Parent().Node().(*ast.FuncDecl)
		if !ok || !ends(branch.Body) {
			continue
		}
		f, _ := c.TypesInfo.Defs[decl.Name].(*types.Func)
		for v := range f.Signature().Params().Variables() {
			if isError(v.Type()) && c.known(branch.Cond, v, true) == failed {
				stops[f] = true
			}
		}
	}
	return stops
}

// ending matches the names of functions that end the program, the test or the goroutine.
var ending = regexp.MustCompile(`^(panic|os\.Exit|log\.Fatal.*|.*\.Fatalf?)$`)

// ends reports whether the last statement of a block calls such a function.
func ends(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	last, ok := block.List[len(block.List)-1].(*ast.ExprStmt)
	return ok && callOf(last.X) != nil && ending.MatchString(nameOf(callOf(last.X)))
}

// stopsOn reports whether a function returns only for a nil error.
func (f *flow) stopsOn(fun *types.Func) bool {
	return isFunc(fun, "github.com/stretchr/testify/require.NoError",
		"github.com/stretchr/testify/require.NoErrorf") || fun != nil && f.stops[fun.Origin()]
}

// Knowledge about an error.
const (
	unknown = iota
	none
	failed
)

// known returns the knowledge about err after a condition with the given outcome.
func (c *check) known(condition ast.Expr, err *types.Var, outcome bool) int {
	switch e := ast.Unparen(condition).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return c.known(e.X, err, !outcome)
		}
	case *ast.BinaryExpr:
		isNil := c.TypesInfo.Types[e.X].IsNil() || c.TypesInfo.Types[e.Y].IsNil()
		switch {
		case e.Op == token.LAND && outcome, e.Op == token.LOR && !outcome:
			return max(c.known(e.X, err, outcome), c.known(e.Y, err, outcome))
		case !isNil || c.varOf(e.X) != err && c.varOf(e.Y) != err:
		case e.Op == token.EQL && outcome, e.Op == token.NEQ && !outcome:
			return none
		case e.Op == token.EQL, e.Op == token.NEQ:
			return failed
		}
	}
	return unknown
}
