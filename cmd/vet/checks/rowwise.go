package checks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Rowwise proposes RowWise for systems that treat each row on its own.
var Rowwise = analyzer("rowwise", `propose RowWise for loops that only index columns

Where a query excludes objects one by one, a batch ends at each of them, or is a copy. If a system
treats each row on its own and accepts any bytes in it, its batches may contain those rows, too:
writes to them are undone.

	falling = world.NewQuery(world.Write(Position), world.Without(Resting))

	for b := range falling.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			p[i].Y -= 1
		}
	}

Write world.NewQuery(world.Write(Position), world.Without(Resting), world.RowWise()). This is no
mistake, so vet looks for it only if it is asked to, by -rowwise.

Limits: the query must be a variable that is set once, in the same package, by NewQuery and And. The
loop calls nothing, divides no integers, and keeps nothing from row to row.`, rowwise)

func rowwise(c *check) {
	for cur := range c.root.Preorder((*ast.RangeStmt)(nil)) {
		loop := cur.Node().(*ast.RangeStmt)
		of, method := c.methodOf(callOf(loop.X), query)
		b, terms := c.varOf(loop.Key), map[string]bool{}
		if method != "In" || b == nil || !is(b.Type(), batch) || !termsOf(c, of, terms) ||
			terms["RowWise"] || !terms["Without"] && !terms["With"] && !terms["Any"] {
			continue
		}
		if body, _ := cur.FindNode(loop.Body); indexesAlone(c, b, body) {
			c.at(loop, "this loop treats each row on its own; add world.RowWise() to the query %s "+
				"for longer batches", types.ExprString(of))
		}
	}
}

// termsOf records the functions that create a query's terms, and reports whether all of them are
// known.
func termsOf(c *check, e ast.Expr, terms map[string]bool) bool {
	call := settled(c.facts, e)
	if call == nil {
		return false
	}
	of, method := c.methodOf(call, query)
	if fun, _ := c.called(call); method == "And" && !termsOf(c, of, terms) ||
		method != "And" && !isFunc(fun, "world.NewQuery") {
		return false
	}
	for _, arg := range call.Args {
		term := cmp.Or(callOf(arg), &ast.CallExpr{Fun: arg})
		fun, _ := typeutil.Callee(c.TypesInfo, term).(*types.Func)
		if !ofWorld(fun) {
			return false
		}
		terms[fun.Name()] = true
	}
	return true
}

// indexesAlone reports whether a loop only reads and writes elements of a batch's columns, each in
// its own row.
func indexesAlone(c *check, b *types.Var, body inspector.Cursor) bool {
	rows := map[*types.Var]*ast.RangeStmt{} // variables with row numbers
	for cur := range body.Preorder() {
		ok := true
		switch n := cur.Node().(type) {
		case *ast.RangeStmt:
			ok = c.memory(n.X) != nil
			rows[c.varOf(n.Key)] = n
		case *ast.IndexExpr:
			ok = c.memory(n.X) == nil && c.TypesInfo.Types[n.Index].Value != nil ||
				leads(c.TypesInfo.TypeOf(n.X)) && rows[c.varOf(n.Index)] != nil
		case *ast.CallExpr:
			fun, _ := c.called(n)
			ok = c.TypesInfo.Types[n.Fun].IsType() || c.isBuiltin(n, "len", "min", "max") != nil ||
				isFunc(fun, "world.Column") && c.varOf(n.Args[0]) == b
		case *ast.BinaryExpr:
			basic, _ := c.TypesInfo.TypeOf(n).Underlying().(*types.Basic)
			divides := n.Op == token.QUO || n.Op == token.REM
			ok = !divides || basic != nil && basic.Info()&types.IsInteger == 0
		case *ast.Ident:
			_, argument := cur.Parent().Node().(*ast.CallExpr)
			ok = c.varOf(n) != b || argument
		case *ast.AssignStmt, *ast.IncDecStmt:
			for _, to := range c.writes(n) {
				ok = ok && ofRow(c, to, rows, cur.Node())
			}
		case *ast.FuncLit, *ast.ReturnStmt, *ast.ForStmt, *ast.GoStmt, *ast.DeferStmt,
			*ast.SendStmt, *ast.SliceExpr, *ast.StarExpr, *ast.UnaryExpr, *ast.SelectStmt,
			*ast.BranchStmt:
			sign, _ := n.(*ast.UnaryExpr)
			ok = sign != nil && sign.Op != token.AND && sign.Op != token.ARROW
		}
		if !ok {
			return false
		}
	}
	return len(rows) > 0
}

// ofRow reports whether an assignment sets an element of a column, or a variable of its iteration.
func ofRow(c *check, to ast.Expr, rows map[*types.Var]*ast.RangeStmt, by ast.Node) bool {
	v, element := c.reached(to), inner(to) != nil && c.memory(to) != nil
	if s, ok := by.(*ast.AssignStmt); element || ok && s.Tok == token.DEFINE {
		return true
	}
	for _, loop := range rows {
		if v != nil && loop.Body.Pos() <= v.Pos() && v.Pos() < loop.Body.End() {
			return true
		}
	}
	return false
}
