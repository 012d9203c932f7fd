package deterministic

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/flatecs/flatecs/cmd/vet/internal/ecs"
)

// findProducts returns the local variables that are a product, once and for all.
func (c *check) findProducts(body *ast.BlockStmt) map[*types.Var]*ast.BinaryExpr {
	products := map[*types.Var]*ast.BinaryExpr{}
	times := map[*types.Var]int{}
	ast.Inspect(body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, e := range assign.Lhs {
			v := ecs.VarOf(c.info, e)
			if v == nil {
				continue
			}
			times[v]++
			if assign.Tok == token.DEFINE && len(assign.Lhs) == len(assign.Rhs) {
				if p := c.product(assign.Rhs[i]); p != nil {
					products[v] = p
				}
			}
		}
		return true
	})
	for v, n := range times {
		if n > 1 {
			delete(products, v)
		}
	}
	return products
}

// sum looks for products in a sum or a difference.
func (c *check) sum(n *ast.BinaryExpr, products map[*types.Var]*ast.BinaryExpr) {
	if n.Op == token.ADD || n.Op == token.SUB {
		c.fused(n.X, products)
		c.fused(n.Y, products)
	}
}

// fused reports a term of a sum that is a product.
func (c *check) fused(term ast.Expr, products map[*types.Var]*ast.BinaryExpr) {
	product := c.product(term)
	if v := ecs.VarOf(c.info, term); product == nil && v != nil {
		product = products[v]
		delete(products, v) // is told once
	}
	if product == nil {
		return
	}
	name := types.TypeString(c.info.TypeOf(product), func(p *types.Package) string {
		if p == c.pass.Pkg {
			return ""
		}
		return p.Name()
	})
	var edits []analysis.TextEdit
	if !strings.Contains(name, ".") { // the name of another package may differ here
		edits = []analysis.TextEdit{
			{Pos: product.Pos(), End: product.Pos(), NewText: []byte(name + "(")},
			{Pos: product.End(), End: product.End(), NewText: []byte(")")},
		}
	}
	c.report.Fix(product, edits, "this product and a sum are rounded once on some machines and "+
		"twice on others; write %s(%s)", name, types.ExprString(product))
}

// product returns the product of floating-point numbers that an expression is, if it may have to be
// rounded; a sign is no matter.
func (c *check) product(e ast.Expr) *ast.BinaryExpr {
	for {
		e = ast.Unparen(e)
		sign, ok := e.(*ast.UnaryExpr)
		if !ok || sign.Op != token.SUB && sign.Op != token.ADD {
			break
		}
		e = sign.X
	}
	p, ok := e.(*ast.BinaryExpr)
	if !ok || p.Op != token.MUL || c.info.Types[p].Value != nil {
		return nil
	}
	t, ok := c.info.TypeOf(p).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsFloat == 0 || c.isPower(p.X) || c.isPower(p.Y) {
		return nil
	}
	return p
}

// isPower reports whether an expression is a constant power of two, by which products are exact.
func (c *check) isPower(e ast.Expr) bool {
	v := c.info.Types[e].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(v)
	for f >= 2 {
		f /= 2
	}
	return f == 1
}
