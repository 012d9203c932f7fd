// Package deterministic finds what makes a system's result depend on more than its world.
package deterministic

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report what makes a system differ from one run or machine to the next

In a function that takes a State and returns one, the same world and the same arguments are to
give the same bytes. Reported are

	time.Now()              the clock, also Since and Until
	rand.IntN(6)            numbers of math/rand and crypto/rand that the world does not hold
	for k := range counts   the order of a map, unless the loop only collects its keys
	go f(), ch <- x, <-ch   goroutines and channels
	score++                 a variable of a package that is written
	y += v * dt             a product and a sum that some machines round once: float32(v*dt)
	math.Sin(a)             functions of math whose last bits differ between machines

Write the time and the input as arguments or resources, numbers from NextStream or Random, y +=
float32(v*dt), and arithmetic of + − × ÷ and math.Sqrt alone.

Limits: functions that it calls are not looked into, unless they take and return a State too; so
neither are products in methods of a vector type. Generators of math/rand that are made in the
function are fine. A product is followed through one local variable, and products by 2, 4, 8, …,
which are exact, are fine. In tests only products and math are reported.`

// Analyzer finds what makes a system's result depend on more than its world.
var Analyzer = &analysis.Analyzer{
	Name:     "deterministic",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

type check struct {
	pass   *analysis.Pass
	info   *types.Info
	report *report.Reporter
	told   map[ast.Node]bool
}

func run(pass *analysis.Pass) (any, error) {
	c := &check{pass, pass.TypesInfo, report.New(pass), map[ast.Node]bool{}}
	seen := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}
	seen.Preorder(nodes, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if f, ok := c.info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				c.function(f.Signature(), n.Body)
			}
		case *ast.FuncLit:
			if sig, ok := c.info.TypeOf(n).(*types.Signature); ok {
				c.function(sig, n.Body)
			}
		}
	})
	c.report.Done()
	return nil, nil
}

func (c *check) function(sig *types.Signature, body *ast.BlockStmt) {
	if !ecs.Steps(sig) {
		return
	}
	products := c.findProducts(body)
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || c.told[n] {
			return false // in a literal that is a system itself
		}
		c.told[n] = true
		switch n := n.(type) {
		case *ast.CallExpr:
			c.called(n)
		case *ast.RangeStmt:
			c.ranged(n)
		case *ast.BinaryExpr:
			c.sum(n, products)
		case *ast.AssignStmt:
			c.assigned(n, products)
		case *ast.IncDecStmt:
			c.written(n.X)
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.UnaryExpr:
			c.concurrent(n)
		}
		return true
	})
}

// at reports what does not belong into a system; a test may do such things.
func (c *check) at(n ast.Node, format string, args ...any) {
	if !report.InTest(c.pass, n) {
		c.report.At(n, format, args...)
	}
}

func (c *check) ranged(n *ast.RangeStmt) {
	t := c.info.TypeOf(n.X).Underlying()
	if _, ok := t.(*types.Chan); ok {
		c.at(n.X, channels)
	}
	if n.Key == nil {
		return
	}
	_, isMap := t.(*types.Map)
	if (isMap || c.ofMaps(n.X)) && !c.collects(n) {
		c.at(n.X, "a map is walked in another order each time; walk "+
			"slices.Sorted(maps.Keys(%s)), or keep a slice", types.ExprString(n.X))
	}
}

// ofMaps reports whether an expression is maps.Keys(m) or one of its like.
func (c *check) ofMaps(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && isOf(ecs.Called(c.info, call), "maps", "All", "Keys", "Values")
}

// collects reports whether a loop does nothing but append its keys or values to a slice, to be
// sorted, or delete them.
func (c *check) collects(n *ast.RangeStmt) bool {
	if len(n.Body.List) != 1 {
		return false
	}
	switch s := n.Body.List[0].(type) {
	case *ast.AssignStmt:
		return len(s.Rhs) == 1 && c.isBuiltin(s.Rhs[0], "append")
	case *ast.ExprStmt:
		return c.isBuiltin(s.X, "delete")
	}
	return false
}

func (c *check) isBuiltin(e ast.Expr, name string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, builtin := c.info.Uses[f].(*types.Builtin)
	return builtin && f.Name == name
}

const (
	channels = "what a channel brings depends on when goroutines run; " +
		"take it from the channel before the step, and hand it in as an argument"
	goroutines = "when a goroutine runs differs each time; " +
		"register jobs that run side by side in a Schedule"
)

func (c *check) concurrent(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.at(n, goroutines)
	case *ast.SendStmt, *ast.SelectStmt:
		c.at(n, channels)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.at(n, channels)
		}
	}
}

func (c *check) assigned(n *ast.AssignStmt, products map[*types.Var]*ast.BinaryExpr) {
	for _, e := range n.Lhs {
		c.written(e)
	}
	if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
		c.fused(n.Rhs[0], products)
	}
}

// written reports a write to a variable of a package, or to what lies in one.
func (c *check) written(e ast.Expr) {
	if v := ecs.Root(c.info, e); ecs.IsGlobal(v) {
		c.at(e, "%s is outside the world, where snapshots and other players do not see it; "+
			"keep it in a resource and write state = world.SetResource(state, …)", v.Name())
	}
}
