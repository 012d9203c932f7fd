package checks

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// fusedName is the name of [Fused] in allowances. Fused is not an analyzer, because it needs a
// compiler.
const fusedName = "fused"

// A Place is a line and a column of a file, counted like compilers do.
type Place struct {
	File      string // absolute path
	Line, Col int
}

// Fused reports the places of a package at which a compiler fused a product and a sum, unless an
// allowance suppresses the report; by describes the instruction at each place. Fused deletes from
// by the places that it finds.
func Fused(pass *analysis.Pass, by map[Place]string) {
	c := newCheck(pass, fusedName, "deterministic")
	c.facts = newFacts(pass, inspector.New(pass.Files).Root())
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			s := sumOf(n)
			at := pass.Fset.PositionFor(s.at, false)
			place := Place{at.Filename, at.Line, at.Column}
			if what, ok := by[place]; ok {
				delete(by, place)
				edits, cure := c.cure(s)
				c.mend(&ast.BadExpr{From: s.at, To: s.end}, edits,
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
				"a product and a sum of an inlined call are rounded once, by %s; "+
					"call a function that writes float32(a*b) + c", what)
		}
	}
}

// cure returns edits that round the terms of a sum that are, or may be, products, and a description
// of the fix.
func (c *check) cure(s sum) (edits []analysis.TextEdit, cure string) {
	if t, ok := c.TypesInfo.TypeOf(s.terms[0]).Underlying().(*types.Basic); ok &&
		t.Info()&types.IsComplex != 0 {
		return nil, "write complex numbers as two floats, and round each product"
	}
	var texts []string
	for _, e := range c.productsOf(s.terms) {
		more, text := c.converted(e)
		if s.assigns && e == s.terms[0] && more != nil {
			more = s.spelledOut(text)
		}
		edits, texts = append(edits, more...), append(texts, text)
	}
	if len(texts) == 0 {
		texts = []string{"float32(a*b) + c"}
	}
	return edits, "write " + strings.Join(texts, " and ")
}

// A sum is a sum or a difference, or a product of complex numbers.
type sum struct {
	at, end token.Pos // from the operator on
	op      token.Token
	terms   []ast.Expr
	assigns bool // the first term is assigned to
}

// sumOf returns the sum that a node is, if any.
func sumOf(n ast.Node) sum {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return sum{n.OpPos, n.End(), n.Op, []ast.Expr{n.X, n.Y}, false}
	case *ast.AssignStmt:
		return sum{n.TokPos, n.End(), n.Tok, []ast.Expr{n.Lhs[0], n.Rhs[0]}, true}
	case *ast.IncDecStmt:
		return sum{n.TokPos, n.End(), n.Tok, []ast.Expr{n.X}, true}
	}
	return sum{}
}

// spelledOut returns the edits that write p += c as p = float32(p) + c, unless they would repeat a
// call.
func (s sum) spelledOut(converted string) []analysis.TextEdit {
	for n := range ast.Preorder(s.terms[0]) {
		if _, ok := n.(*ast.CallExpr); ok {
			return nil
		}
	}
	text := "= " + converted + " " + s.op.String()[:1]
	if len(s.terms) == 1 {
		text += " 1"
	}
	edits := []analysis.TextEdit{{Pos: s.at, End: s.at + 2, NewText: []byte(text)}}
	if last, ok := s.terms[len(s.terms)-1].(*ast.BinaryExpr); ok {
		edits = append(edits, insert(last.Pos(), "("), insert(last.End(), ")"))
	}
	return edits
}

// productsOf returns the terms that are products. If there are none, it returns variables that are
// set to products; otherwise results of functions; otherwise stored and computed values such as
// 1*p, which the compiler sees as products.
func (c *check) productsOf(terms []ast.Expr) (products []ast.Expr) {
	for _, is := range []func(e ast.Expr) bool{
		func(e ast.Expr) bool { return c.product(e) != nil },
		c.isSetToProduct,
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

// unsigned returns an expression without its signs and parentheses.
func unsigned(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if sign, ok := e.(*ast.UnaryExpr); ok && (sign.Op == token.SUB || sign.Op == token.ADD) {
		return unsigned(sign.X)
	}
	return e
}

// isSetToProduct reports whether an expression is a variable that is set to a product.
func (c *check) isSetToProduct(e ast.Expr) bool {
	return slices.ContainsFunc(c.sets[c.varOf(e)], func(s set) bool {
		assign, ok := s.by.(*ast.AssignStmt)
		return c.product(s.value) != nil ||
			ok && (assign.Tok == token.MUL_ASSIGN || assign.Tok == token.QUO_ASSIGN)
	})
}

// isResult reports whether an expression is the result of a function.
func (c *check) isResult(e ast.Expr) bool {
	call := callOf(e)
	return call != nil && !c.TypesInfo.Types[call.Fun].IsType()
}

// isStored reports whether an expression is a variable, or a part of a variable.
func (c *check) isStored(e ast.Expr) bool {
	_, ok := e.(*ast.Ident)
	return (ok || inner(e) != nil) && c.TypesInfo.Types[e].Value == nil
}
