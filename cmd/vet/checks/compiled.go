package checks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// fusedName is what allowances call [Fused], which is no analyzer: it needs a compiler.
const fusedName = "fused"

// A Place is a line and a column of a file, as compilers count.
type Place struct {
	File      string // its whole path
	Line, Col int
}

// Fused reports the places of a package at which a compiler made one instruction of a product and
// a sum, unless it is allowed there; by says which. It deletes what it finds.
func Fused(pass *analysis.Pass, by map[Place]string) {
	c := newCheck(pass, fusedName, "deterministic")
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			at := pass.Fset.PositionFor(operator(n), false)
			place := Place{at.Filename, at.Line, at.Column}
			if what, ok := by[place]; ok {
				delete(by, place)
				edits, cure := c.cure(n, file)
				c.mend(&ast.BadExpr{From: operator(n), To: n.End()}, edits,
					"a product and a sum are rounded once, by %s; %s", what, cure)
			}
			return true
		})
	}
	for _, file := range pass.Files {
		lines := pass.Fset.File(file.FileStart)
		for place, what := range by {
			if lines.Name() != place.File || place.Line > lines.LineCount() {
				continue
			}
			delete(by, place)
			at := lines.LineStart(place.Line)
			if at += token.Pos(place.Col - 1); at > file.FileEnd {
				at = file.FileEnd
			}
			c.mend(&ast.BadExpr{From: at, To: at}, nil,
				"a product and a sum of what is inlined here are rounded once, by %s; "+
					"call a function that writes float32(a*b) + c", what)
		}
	}
}

// operator returns where the operator of a sum, or of a product of complex numbers, is.
func operator(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.AssignStmt:
		return n.TokPos
	case *ast.IncDecStmt:
		return n.TokPos
	}
	return token.NoPos
}

// cure returns edits that round the terms of a sum which are products, or may be, and says so.
func (c *check) cure(sum ast.Node, file *ast.File) (edits []analysis.TextEdit, cure string) {
	terms := termsOf(sum)
	if t, ok := c.TypesInfo.TypeOf(terms[0]).Underlying().(*types.Basic); ok &&
		t.Info()&types.IsComplex != 0 {
		return nil, "write complex numbers as two floats, and round each product"
	}
	var texts []string
	for _, e := range c.productsOf(terms, file) {
		more, text := c.converted(e)
		if _, ok := sum.(*ast.BinaryExpr); !ok && e == terms[0] && more != nil {
			more = spelledOut(sum, text)
		}
		edits, texts = append(edits, more...), append(texts, text)
	}
	if len(texts) == 0 {
		texts = []string{"float32(a*b) + c"}
	}
	return edits, "write " + strings.Join(texts, " and ")
}

// termsOf returns the terms of a sum; that which it is assigned to comes first.
func termsOf(sum ast.Node) []ast.Expr {
	switch n := sum.(type) {
	case *ast.BinaryExpr:
		return []ast.Expr{n.X, n.Y}
	case *ast.AssignStmt:
		return []ast.Expr{n.Lhs[0], n.Rhs[0]}
	}
	return []ast.Expr{sum.(*ast.IncDecStmt).X}
}

// spelledOut returns the edits that write p += c as p = float32(p) + c, unless that calls twice.
func spelledOut(sum ast.Node, converted string) []analysis.TextEdit {
	for n := range ast.Preorder(termsOf(sum)[0]) {
		if _, ok := n.(*ast.CallExpr); ok {
			return nil
		}
	}
	n, ok := sum.(*ast.AssignStmt)
	if !ok {
		step := sum.(*ast.IncDecStmt)
		text := "= " + converted + " " + step.Tok.String()[:1] + " 1"
		return []analysis.TextEdit{
			{Pos: step.TokPos, End: step.TokPos + 2, NewText: []byte(text)},
		}
	}
	text := "= " + converted + " " + n.Tok.String()[:1]
	edits := []analysis.TextEdit{{Pos: n.TokPos, End: n.TokPos + 2, NewText: []byte(text)}}
	if _, ok := n.Rhs[0].(*ast.BinaryExpr); ok {
		edits = append(edits, insert(n.Rhs[0].Pos(), "("), insert(n.Rhs[0].End(), ")"))
	}
	return edits
}

// productsOf returns the terms that are products; if none is, those that are variables which are
// set to products; if none is, results of functions; if none is, what is stored, and what is
// computed, such as 1*p: the compiler sees that it is a product.
func (c *check) productsOf(terms []ast.Expr, file *ast.File) (products []ast.Expr) {
	for _, is := range []func(e ast.Expr) bool{
		func(e ast.Expr) bool { return c.product(e) != nil },
		func(e ast.Expr) bool { return c.isSetToProduct(e, file) },
		c.isResult,
		c.isStored,
		func(e ast.Expr) bool { _, ok := e.(*ast.BinaryExpr); return ok && c.number(e) == 0 },
	} {
		for _, e := range terms {
			if is(unsigned(e)) {
				products = append(products, cmp.Or(c.product(e), unsigned(e)))
			}
		}
		if len(products) > 0 {
			break
		}
	}
	return products
}

// unsigned returns what an expression is behind its signs and in its parentheses.
func unsigned(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if sign, ok := e.(*ast.UnaryExpr); ok && (sign.Op == token.SUB || sign.Op == token.ADD) {
		return unsigned(sign.X)
	}
	return e
}

// isSetToProduct reports whether an expression is a variable that is set to a product somewhere.
func (c *check) isSetToProduct(e ast.Expr, file *ast.File) (is bool) {
	name, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		left, right := sides(n)
		for i := range min(len(left), len(right)) {
			to, ok := left[i].(*ast.Ident)
			if !ok || c.TypesInfo.ObjectOf(to) != c.TypesInfo.ObjectOf(name) {
				continue
			}
			assign, _ := n.(*ast.AssignStmt)
			is = is || c.product(right[i]) != nil ||
				assign != nil && (assign.Tok == token.MUL_ASSIGN || assign.Tok == token.QUO_ASSIGN)
		}
		return true
	})
	return is
}

// isResult reports whether an expression is what a function returns.
func (c *check) isResult(e ast.Expr) bool {
	call := callOf(e)
	return call != nil && !c.TypesInfo.Types[call.Fun].IsType()
}

// isStored reports whether an expression is a variable, or a part of one.
func (c *check) isStored(e ast.Expr) bool {
	_, ok := e.(*ast.Ident)
	return (ok || inner(e) != nil) && c.TypesInfo.Types[e].Value == nil
}
