package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A Mutant is one change of one file.
type Mutant struct {
	File   string // as it was given
	Line   int
	Change string // "drops n++", "&& becomes ||"

	start, end int    // bytes of the file
	text       string // in their place
}

// String tells where the mutant is and what it changes.
func (m *Mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Change) }

// Apply returns the file with the change in it.
func (m *Mutant) Apply(source []byte) []byte {
	return slices.Concat(source[:m.start], []byte(m.text), source[m.end:])
}

// A finder collects the mutants of a file.
type finder struct {
	name   string
	source []byte
	file   *token.File
	found  []Mutant
}

// Find returns the mutants of a Go file, in the order of its lines. The error is that of the
// parser.
func Find(name string, source []byte) ([]Mutant, error) {
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{name: name, source: source, file: set.File(syntax.FileStart)}
	for _, decl := range syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
			ast.Inspect(function.Body, f.visit)
		}
	}
	slices.SortStableFunc(f.found, func(a, b Mutant) int { return cmp.Compare(a.start, b.start) })
	return f.found, nil
}

func (f *finder) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.ArrayType:
		return false // its length is part of a type
	case *ast.BlockStmt:
		f.drop(n.List)
	case *ast.CaseClause:
		f.drop(n.Body)
	case *ast.CommClause:
		f.drop(n.Body)
	case *ast.IfStmt:
		f.negate(n.Cond)
		if n.Init != nil && mayDrop(n.Init) {
			f.add(n.Init, "drops "+f.words(n.Init), "")
		}
	case *ast.SwitchStmt:
		f.negateCases(n)
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.BasicLit:
		f.number(n)
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			f.add(n, n.Name+" becomes "+other, other)
		}
	}
	return true
}

// add notes a change of a node.
func (f *finder) add(node ast.Node, change, text string) {
	f.addAt(f.file.Offset(node.Pos()), f.file.Offset(node.End()), change, text)
}

func (f *finder) addAt(start, end int, change, text string) {
	f.found = append(f.found, Mutant{
		File: f.name, Line: f.file.Line(f.file.Pos(start)), Change: change,
		start: start, end: end, text: text,
	})
}

// text returns the source of a node.
func (f *finder) text(node ast.Node) string {
	return string(f.source[f.file.Offset(node.Pos()):f.file.Offset(node.End())])
}

// words is text in one line that is not too long.
func (f *finder) words(node ast.Node) string {
	const most = 60
	words := []rune(strings.Join(strings.Fields(f.text(node)), " "))
	if len(words) > most {
		return string(words[:most]) + "…"
	}
	return string(words)
}

// drop has each statement not done; what it names stays in use, so that the rest compiles.
func (f *finder) drop(statements []ast.Stmt) {
	for _, s := range statements {
		if mayDrop(s) {
			f.add(s, "drops "+f.words(s), "if false { "+f.text(s)+" }")
		}
	}
}

// mayDrop reports whether a statement declares nothing and leads nowhere.
func mayDrop(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	}
	return false
}

func (f *finder) negate(condition ast.Expr) {
	if b, ok := condition.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return // swap does so
	}
	f.add(condition, "negates "+f.words(condition), "!("+f.text(condition)+")")
}

func (f *finder) negateCases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, clause := range s.Body.List {
		for _, condition := range clause.(*ast.CaseClause).List {
			f.negate(condition)
		}
	}
}

var swaps = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.ADD: token.SUB, token.SUB: token.ADD, token.AND: token.OR, token.OR: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND_NOT: token.AND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.AND_NOT_ASSIGN: token.AND_ASSIGN,
}

func (f *finder) swap(at token.Pos, operator token.Token) {
	if other, ok := swaps[operator]; ok {
		start := f.file.Offset(at)
		f.addAt(start, start+len(operator.String()),
			operator.String()+" becomes "+other.String(), other.String())
	}
}

// number changes a whole number by one.
func (f *finder) number(literal *ast.BasicLit) {
	n, err := strconv.ParseInt(literal.Value, 0, 64)
	if literal.Kind != token.INT || err != nil {
		return
	}
	for _, other := range []int64{n + 1, n - 1} {
		if other >= 0 {
			text := strconv.FormatInt(other, 10)
			f.add(literal, literal.Value+" becomes "+text, text)
		}
	}
}
