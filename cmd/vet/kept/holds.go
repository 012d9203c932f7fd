package kept

import (
	"go/ast"
	"go/types"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// holds says what of the batch's memory an expression holds on to: batch, column, or pointer into a
// column; nothing where it holds values.
func (t *turn) holds(e ast.Expr) string {
	e = ast.Unparen(e)
	if t.isBatch(e) {
		return "batch"
	}
	if column := t.Shown(e); column != nil && t.isBatch(column.Args[0]) {
		if _, ok := t.Info.TypeOf(e).Underlying().(*types.Pointer); ok {
			return "pointer into a column"
		}
		return "column"
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if literal, ok := e.X.(*ast.CompositeLit); ok {
			return t.holds(literal)
		}
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			if what := t.holds(element); what != "" {
				return what
			}
		}
	case *ast.CallExpr:
		return t.appended(e)
	}
	return ""
}

// isBatch reports whether an expression is the batch, or a variable that is.
func (t *turn) isBatch(e ast.Expr) bool {
	v := ecs.VarOf(t.Info, e)
	if v == nil {
		return false
	}
	value := t.Values[v]
	return v == t.batch || value != nil && ecs.IsBatch(v.Type()) && t.isBatch(value)
}

// appended says what append(list, column) holds; append(list, column...) copies values.
func (t *turn) appended(call *ast.CallExpr) string {
	name, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || name.Name != "append" || call.Ellipsis.IsValid() {
		return ""
	}
	for _, e := range call.Args[1:] {
		if what := t.holds(e); what != "" {
			return what
		}
	}
	return ""
}

// assigned looks at one variable that an assignment sets.
func (t *turn) assigned(n *ast.AssignStmt, to, value ast.Expr) {
	what := t.holds(value)
	if what == "" {
		return
	}
	v := ecs.Root(t.Info, to)
	switch {
	case v == nil || t.isInside(v):
	case ecs.IsGlobal(v):
		t.tell(value, "kept in "+v.Name()+" of the package", what)
	case t.isCallers(v, to) || t.usedElsewhere(v, n):
		t.tell(value, "kept in "+types.ExprString(to), what)
	}
}

// isInside reports whether a variable is declared in the turn.
func (t *turn) isInside(v *types.Var) bool {
	return t.body.Pos() <= v.Pos() && v.Pos() < t.body.End()
}

// isCallers reports whether what is set belongs to the caller: a result, or what a parameter or
// another pointer leads to.
func (t *turn) isCallers(v *types.Var, to ast.Expr) bool {
	reaches := ecs.VarOf(t.Info, to) != v
	if _, ok := v.Type().Underlying().(*types.Pointer); ok && reaches {
		return true
	}
	f, ok := t.outer.(*ast.FuncDecl)
	if !ok || v.Pos() < f.Pos() || v.Pos() >= f.Body.Pos() {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); ok {
		reaches = false // a copy of the caller's
	}
	return reaches || f.Type.Results != nil && v.Pos() >= f.Type.Results.Pos()
}

// usedElsewhere reports whether v is used where the batch is another or gone: anywhere but behind
// the assignment, in the same turn.
func (t *turn) usedElsewhere(v *types.Var, n *ast.AssignStmt) bool {
	set := map[*ast.Ident]bool{}
	found := false
	ast.Inspect(t.outer, func(at ast.Node) bool {
		switch at := at.(type) {
		case *ast.AssignStmt:
			for _, e := range at.Lhs {
				if name, ok := e.(*ast.Ident); ok {
					set[name] = true
				}
			}
		case *ast.Ident:
			behind := n.End() <= at.Pos() && at.Pos() < t.body.End()
			inside := n.Pos() <= at.Pos() && at.Pos() < n.End()
			if t.Info.Uses[at] == v && !set[at] && !behind && !inside {
				found = true
			}
		}
		return !found
	})
	return found
}

// later looks at what a call that runs beside the walk or after it is given, or takes itself.
func (t *turn) later(call *ast.CallExpr, how string) {
	for _, e := range call.Args {
		t.tell(e, how, t.holds(e))
	}
	literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return
	}
	told := map[types.Object]bool{}
	ast.Inspect(literal.Body, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if !ok || told[t.Info.Uses[name]] {
			return true
		}
		if v := ecs.VarOf(t.Info, name); v != nil && v.Pos() < literal.Pos() {
			told[v] = true
			t.tell(name, how, t.holds(name))
		}
		return true
	})
}
