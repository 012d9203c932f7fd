// Package kept finds batches and columns that are kept beyond their walk.
package kept

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report batches and columns that are kept beyond their walk

A batch, the columns of it and pointers into them are of one turn of the loop. The next turn may
show other rows in the same memory, and after the loop they may be a copy that nobody writes back:

	var best *Vec3
	for b := range flying.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			if best == nil || p[i].Y > best.Y {
				best = &p[i] // kept beyond the walk
			}
		}
	}

Keep the value, best = p[i], or the object's id, b.ID(i), and look it up later with world.Get or
world.Edit. Reported are assignments to variables that are used elsewhere, to fields, elements and
variables of a package, appended and sent values, what is returned out of the loop, and what a
goroutine or a deferred function gets.

Limits: what a function does with a batch or a column that it is given is not looked at; columns
are followed through variables that are set once.`

// Analyzer finds batches and columns that are kept beyond their walk.
var Analyzer = &analysis.Analyzer{
	Name:     "kept",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

type check struct {
	ecs.View
	report *report.Reporter
}

func run(pass *analysis.Pass) (any, error) {
	info := pass.TypesInfo
	c := &check{ecs.View{Info: info, Values: ecs.ValuesOf(info, pass.Files)}, report.New(pass)}
	seen := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{(*ast.RangeStmt)(nil), (*ast.CallExpr)(nil)}
	seen.WithStack(nodes, func(n ast.Node, push bool, stack []ast.Node) bool {
		if !push {
			return true
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Key != nil {
				c.turn(ecs.VarOf(info, n.Key), n.Body, stack[1], true)
			}
		case *ast.CallExpr:
			c.filled(n, stack[1])
		}
		return true
	})
	c.report.Done()
	return nil, nil
}

// filled looks at the function that SpawnN shows new objects to.
func (c *check) filled(call *ast.CallExpr, outer ast.Node) {
	if !ecs.IsWorlds(ecs.Called(c.Info, call), "SpawnN") || len(call.Args) == 0 {
		return
	}
	fill, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.FuncLit)
	if !ok || len(fill.Type.Params.List) != 1 || len(fill.Type.Params.List[0].Names) != 1 {
		return
	}
	c.turn(ecs.VarOf(c.Info, fill.Type.Params.List[0].Names[0]), fill.Body, outer, false)
}

// A turn is what is done with one batch.
type turn struct {
	*check
	batch *types.Var
	body  *ast.BlockStmt
	outer ast.Node // declaration around it
	loop  bool     // so that return leaves the walk
}

func (c *check) turn(batch *types.Var, body *ast.BlockStmt, outer ast.Node, loop bool) {
	if batch == nil || !ecs.IsBatch(batch.Type()) {
		return
	}
	t := &turn{c, batch, body, outer, loop}
	literals := 0
	var stack []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.FuncLit); ok {
				literals--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if _, ok := n.(*ast.FuncLit); ok {
			literals++
		}
		t.statement(n, literals > 0)
		return true
	})
}

func (t *turn) statement(n ast.Node, literal bool) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				t.assigned(n, e, n.Rhs[i])
			}
		}
	case *ast.SendStmt:
		t.tell(n.Value, "sent to a goroutine", t.holds(n.Value))
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if t.loop && !literal {
				t.tell(e, "returned", t.holds(e))
			}
		}
	case *ast.GoStmt:
		t.later(n.Call, "given to a goroutine")
	case *ast.DeferStmt:
		t.later(n.Call, "given to a deferred call")
	}
}

func (t *turn) tell(n ast.Node, how, what string) {
	if what != "" {
		t.report.At(n, "this %s is %s, and is not valid beyond this turn of the walk; keep values "+
			"or ids, b.ID(i), and look them up later with world.Get", what, how)
	}
}
