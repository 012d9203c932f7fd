package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

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

// ends reports whether a block ends the program, the test or the goroutine.
func ends(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	last, ok := block.List[len(block.List)-1].(*ast.ExprStmt)
	if !ok || callOf(last.X) == nil {
		return false
	}
	name := nameOf(callOf(last.X))
	return name == "panic" || name == "os.Exit" || strings.HasPrefix(name, "log.Fatal") ||
		strings.HasSuffix(name, ".Fatal") || strings.HasSuffix(name, ".Fatalf")
}

// stopsOn reports whether a call returns only if the error that it is given is nil.
func (f *flow) stopsOn(call *ast.CallExpr) bool {
	fun, _ := f.called(call)
	if fun == nil || fun.Pkg() == nil {
		return false
	}
	required := fun.Pkg().Path() == "github.com/stretchr/testify/require" &&
		(fun.Name() == "NoError" || fun.Name() == "NoErrorf")
	return required || f.stops[fun.Origin()]
}

// What is known of an error.
const (
	unknown = iota
	none
	failed
)

// known says what is known of err where a condition has come out.
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
