package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/analysis"
)

// term reports a term of a sum or difference if it is a product.
func (s *system) term(e ast.Expr) {
	product := s.product(e)
	if product == nil {
		product = s.productIn(s.varOf(e))
		if product == nil || s.told[product] {
			return
		}
		s.told[product] = true
	}
	edits, text := s.converted(product)
	if s.joined[product] {
		edits = nil
	}
	s.mend(product, s.join(product, edits), "this product and a sum are rounded once on some "+
		"machines and twice on others; write %s", text)
}

// join merges the edits of a product with those of its prefix, such as a*b in a*b*2*c, because
// edits of two reports must not overlap.
func (s *system) join(product ast.Expr, edits []analysis.TextEdit) []analysis.TextEdit {
	for n, ok := product.(*ast.BinaryExpr); ok && len(edits) > 0; n, ok = n.X.(*ast.BinaryExpr) {
		x, by := s.factor(n)
		if by != 2 || x.Pos() != product.Pos() || s.product(x) == nil {
			continue
		}
		first := s.product(x)
		more, _ := s.converted(first)
		s.joined[first] = true
		edits[0].NewText = append(edits[0].NewText, more[0].NewText...)
		edits = append(edits, more[1:]...)
	}
	return edits
}

// productIn returns the product that a variable of the system holds since its definition, or nil.
func (s *system) productIn(v *types.Var) (product ast.Expr) {
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

// product returns the floating-point product that an expression is, in its innermost parentheses,
// if rounding it may be necessary; it ignores signs.
func (c *check) product(e ast.Expr) ast.Expr {
	switch n := e.(type) {
	case *ast.ParenExpr:
		p := c.product(n.X)
		if binary, ok := n.X.(*ast.BinaryExpr); ok && p == binary {
			return n
		}
		return p
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.ADD {
			return c.product(n.X)
		}
	case *ast.BinaryExpr:
		if c.TypesInfo.Types[n].Value != nil || !isFloat(c.TypesInfo.TypeOf(n)) {
			return nil
		}
		switch x, by := c.factor(n); {
		case x == nil, by == 2:
			return nil
		case by == 1, by == -1:
			return c.product(x)
		}
		return n
	}
	return nil
}

// factor returns the non-constant factor of a product, and the constant one, or 0 if there is none.
// Compilers multiply instead of dividing by a power of two, write x*2 as x+x, and omit a factor 1.
func (c *check) factor(n *ast.BinaryExpr) (x ast.Expr, by float64) {
	switch n.Op {
	case token.MUL:
		if by := c.number(n.X); by != 0 {
			return n.Y, by
		}
		return n.X, c.number(n.Y)
	case token.QUO:
		if fraction, _ := math.Frexp(math.Abs(c.number(n.Y))); fraction == .5 {
			return n.X, 1 / c.number(n.Y)
		}
	}
	return nil, 0
}

// number returns the value of a constant, or 0 for other expressions.
func (c *check) number(e ast.Expr) float64 {
	v := c.TypesInfo.Types[e].Value
	if v == nil {
		return 0
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	return f
}

// isFloat reports whether values of a type are, or may be, floating-point numbers.
func isFloat(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		set := t.Underlying().(*types.Interface)
		return types.Satisfies(types.Typ[types.Float32], set) ||
			types.Satisfies(types.Typ[types.Float64], set)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// converted returns the edits that convert an expression to its own type, which rounds it, and the
// resulting text. There are no edits for a type without a name.
func (c *check) converted(e ast.Expr) (edits []analysis.TextEdit, text string) {
	t := c.TypesInfo.TypeOf(e)
	name := c.nameAt(t, e.Pos())
	if text = name; text == "" {
		text = types.TypeString(t, (*types.Package).Name)
	}
	text += "(" + types.ExprString(ast.Unparen(e)) + ")"
	if name == "" {
		return nil, text
	}
	if _, ok := e.(*ast.ParenExpr); ok {
		return []analysis.TextEdit{insert(e.Pos(), name)}, text
	}
	return []analysis.TextEdit{insert(e.Pos(), name+"("), insert(e.End(), ")")}, text
}

func insert(at token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}
}

// nameAt returns the name of a type as written at a place, or "" if it has none there.
func (c *check) nameAt(t types.Type, at token.Pos) string {
	imports := map[*types.Package]string{}
	for _, file := range c.Files {
		for _, spec := range file.Imports {
			by := c.TypesInfo.PkgNameOf(spec)
			if by != nil && file.FileStart <= at && at <= file.FileEnd {
				imports[by.Imported()] = by.Name()
			}
		}
	}
	name := types.TypeString(t, func(p *types.Package) string { return imports[p] })
	there, err := types.Eval(c.Fset, c.Pkg, at, name)
	if err != nil || !there.IsType() || !types.Identical(there.Type, t) {
		return ""
	}
	return name
}
