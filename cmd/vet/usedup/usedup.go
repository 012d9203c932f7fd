// Package usedup finds States that are used after a call has used them up.
package usedup

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/forks"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report States that are used after they were used up

A function that takes a State and returns one uses up the first, also by the name of another
variable, unless it returns an error. Most often := in an inner block declares a second state:

	if state, err := world.DisposeGameObject(state, bullet); err != nil {
		return state, err
	}
	state, err = world.Apply(state) // the outer state was used up

Write var err error before, and state, err = … inside. A deferred call has its arguments evaluated
at once:

	defer world.Close(state) // the State of now, which the next line uses up
	state = world.MoveAll(state)

Write defer func() { world.Close(state) }().

Limits: it follows local variables through one function, not fields, elements and variables that a
function literal assigns to; a function of the program that takes several States may be given one
that was used up. Where a call returns an error, it waits for if err != nil, require.NoError or a
function like check(err). Functions that return a bool, or take several States, use up nothing
here.`

// Analyzer finds States that are used after a call has used them up.
var Analyzer = &analysis.Analyzer{
	Name:     "usedup",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer, forks.Analyzer},
	Run:      run,
}

type check struct {
	pass   *analysis.Pass
	report *report.Reporter
	leaves forks.Leaves
	stops  map[*types.Func]bool      // functions that do not return when they are given an error
	within map[*types.Var][]ast.Node // the functions that assign to a State; nil: any may
	around map[ast.Node]ast.Node     // the function around a function literal
}

func run(pass *analysis.Pass) (any, error) {
	c := &check{
		pass: pass, report: report.New(pass),
		leaves: pass.ResultOf[forks.Analyzer].(forks.Leaves),
		stops:  map[*types.Func]bool{},
		within: map[*types.Var][]ast.Node{},
		around: map[ast.Node]ast.Node{},
	}
	c.findStopping()
	for _, file := range pass.Files {
		c.findAssignments(file)
	}
	graphs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	seen := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}
	seen.Preorder(nodes, func(n ast.Node) {
		var graph *cfg.CFG
		switch n := n.(type) {
		case *ast.FuncDecl:
			graph = graphs.FuncDecl(n)
		case *ast.FuncLit:
			graph = graphs.FuncLit(n)
		}
		if graph != nil {
			c.function(n, graph)
		}
	})
	c.report.Done()
	return nil, nil
}

// usesUp returns the argument that a call uses up, if that is a variable.
func (c *check) usesUp(call *ast.CallExpr) *types.Var {
	f, sig := ecs.Called(c.pass.TypesInfo, call), ecs.SignatureOf(c.pass.TypesInfo, call)
	if sig == nil || sig.Variadic() && len(call.Args) < sig.Params().Len()-1 {
		return nil
	}
	if !ecs.IsWorlds(f, "Close") && (!ecs.Steps(sig) || c.leaves(f) || mayRefuse(f, sig)) {
		return nil
	}
	if i := ecs.First(sig.Params()); i >= 0 && i < len(call.Args) {
		return c.state(call.Args[i])
	}
	return nil
}

// mayRefuse reports whether a function of the program may say by a bool that it did nothing.
func mayRefuse(f *types.Func, sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		basic, ok := v.Type().Underlying().(*types.Basic)
		if ok && basic.Kind() == types.Bool {
			return !ecs.OfWorld(f)
		}
	}
	return false
}

// state returns the local variable of type State that an expression is, or nil.
func (c *check) state(e ast.Expr) *types.Var {
	if v := c.variable(e); v != nil && ecs.IsState(v.Type()) && !ecs.IsGlobal(v) {
		return v
	}
	return nil
}

// failure returns the variable of type error that an expression is, or nil.
func (c *check) failure(e ast.Expr) *types.Var {
	if v := c.variable(e); v != nil && ecs.IsError(v.Type()) {
		return v
	}
	return nil
}

// variable returns the variable that an expression is, or nil.
func (c *check) variable(e ast.Expr) *types.Var {
	name, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || name.Name == "_" {
		return nil
	}
	v, _ := c.pass.TypesInfo.ObjectOf(name).(*types.Var)
	return v
}
