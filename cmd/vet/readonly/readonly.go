// Package readonly finds writes to columns that a query only reads.
package readonly

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report writes to columns that the query only reads

Rows that a walk writes are stamped, by which snapshots and histories know what to copy, and by
which a schedule knows what can run side by side. So the query says what is written:

	rising = world.NewQuery(world.Read(Position, Lift))

	for b := range rising.In(s) {
		at, lift := world.Column(b, Position), world.Column(b, Lift)
		for i := range at {
			at[i].Y += lift[i] // Position is only read
		}
	}

Write world.NewQuery(world.Write(Position), world.Read(Lift)). Programs that are built with -tags
ecsdebug find the same while they run.

Limits: the query is a variable that is set once, in the same package, by NewQuery and And, from
terms that are written there. What a function does with a column that it is given is not looked
at.`

// Analyzer finds writes to columns that a query only reads.
var Analyzer = &analysis.Analyzer{
	Name:     "readonly",
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
	seen.Preorder([]ast.Node{(*ast.RangeStmt)(nil)}, func(n ast.Node) {
		c.loop(n.(*ast.RangeStmt))
	})
	c.report.Done()
	return nil, nil
}

// A walk is a loop over the batches of a query that is known.
type walk struct {
	*check
	query string
	batch *types.Var
	modes map[*types.Var]string // of the fields that are not written
}

func (c *check) loop(n *ast.RangeStmt) {
	call, ok := ast.Unparen(n.X).(*ast.CallExpr)
	if !ok || n.Key == nil {
		return
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	batch := ecs.VarOf(c.Info, n.Key)
	if !ok || batch == nil || !ecs.IsBatch(batch.Type()) || !ecs.IsQuery(c.Info.TypeOf(method.X)) {
		return
	}
	modes, ok := c.modesOf(method.X)
	if !ok {
		return
	}
	w := &walk{c, types.ExprString(method.X), batch, modes}
	ast.Inspect(n.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				w.written(e, c.Within(e))
			}
		case *ast.IncDecStmt:
			w.written(n.X, c.Within(n.X))
		case *ast.CallExpr:
			w.builtin(n)
		}
		return true
	})
}

// builtin looks at clear(column) and copy(column, from).
func (w *walk) builtin(call *ast.CallExpr) {
	name, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return
	}
	if _, ok := w.Info.Uses[name].(*types.Builtin); !ok {
		return
	}
	if name.Name == "clear" || name.Name == "copy" {
		w.written(call, w.Shown(call.Args[0]))
	}
}

// written looks at a write to what a call of Column or Flat shows, if that is not nil.
func (w *walk) written(n ast.Node, column *ast.CallExpr) {
	if column == nil || ecs.VarOf(w.Info, column.Args[0]) != w.batch {
		return
	}
	field := ecs.VarOf(w.Info, column.Args[1])
	switch name := types.ExprString(column.Args[1]); w.modes[field] {
	case "Read":
		w.report.At(n, "the query %s only reads %s; to write to it, declare Write(%s) in the query",
			w.query, name, name)
	case "Optional":
		w.report.At(n, "Optional fields such as %s are only read; to write to it, walk another "+
			"query with Write(%s)", name, name)
	}
}
