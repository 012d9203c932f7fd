package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// term reports a term of a sum or a difference that is a product.
func (s *system) term(e ast.Expr) {
	product := s.product(e)
	if product == nil {
		product = s.productIn(s.varOf(e))
		if product == nil || s.told[product] {
			return
		}
		s.told[product] = true
	}
	name := types.TypeString(s.TypesInfo.TypeOf(product), func(p *types.Package) string {
		if p == s.Pkg {
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
	s.mend(product, edits, "this product and a sum are rounded once on some machines and "+
		"twice on others; write %s(%s)", name, types.ExprString(product))
}

// productIn returns the product that a variable of the system is from its := on, or nil.
func (s *system) productIn(v *types.Var) (product *ast.BinaryExpr) {
	times := 0
	for _, at := range s.sets[v] {
		assign, ok := at.by.(*ast.AssignStmt)
		if !ok || !around(s.body, assign) {
			continue
		}
		times++
		if assign.Tok == token.DEFINE {
			product = s.product(at.value)
		}
	}
	if times > 1 {
		return nil
	}
	return product
}

// product returns the product of floating-point numbers that an expression is, if it may have to be
// rounded; a sign is no matter.
func (s *system) product(e ast.Expr) *ast.BinaryExpr {
	e = ast.Unparen(e)
	if sign, ok := e.(*ast.UnaryExpr); ok && (sign.Op == token.SUB || sign.Op == token.ADD) {
		return s.product(sign.X)
	}
	p, ok := e.(*ast.BinaryExpr)
	if !ok || p.Op != token.MUL || s.TypesInfo.Types[p].Value != nil {
		return nil
	}
	t, ok := s.TypesInfo.TypeOf(p).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsFloat == 0 || s.isPower(p.X) || s.isPower(p.Y) {
		return nil
	}
	return p
}

// isPower reports whether an expression is a constant power of two, by which products are exact.
func (s *system) isPower(e ast.Expr) bool {
	v := s.TypesInfo.Types[e].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(v)
	for f >= 2 {
		f /= 2
	}
	return f == 1
}
