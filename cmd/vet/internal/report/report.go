// Package report tells what an analyzer found, except where a comment of the program allows it:
//
//	//flatecs:allow deterministic the page shows how long a frame took
//
// on the line, on the line above it, or in the comment of a function for all of that function. An
// allowance names one check and gives a reason, and it is itself reported where it allows nothing.
package report

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const prefix = "//flatecs:allow"

// A Reporter tells what one analyzer finds in one package.
type Reporter struct {
	pass    *analysis.Pass
	allowed []*allowance
}

// An allowance is one comment, and the lines that it is about.
type allowance struct {
	comment     *ast.Comment
	file        *token.File
	first, last int // lines
	needed      bool
}

// New reads the allowances of a package that name the analyzer.
func New(pass *analysis.Pass) *Reporter {
	r := &Reporter{pass: pass}
	for _, file := range pass.Files {
		docs := map[*ast.CommentGroup]*ast.FuncDecl{}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
				docs[f.Doc] = f
			}
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				r.read(comment, docs[group])
			}
		}
	}
	return r
}

// read adds a comment's allowance; function is the one that the comment documents, or nil.
func (r *Reporter) read(comment *ast.Comment, function *ast.FuncDecl) {
	check, reason, ok := Parse(comment.Text)
	if !ok || check != r.pass.Analyzer.Name || reason == "" {
		return
	}
	file := r.pass.Fset.File(comment.Pos())
	line := file.Line(comment.Pos())
	a := &allowance{comment: comment, file: file, first: line, last: line + 1}
	if function != nil {
		a.last = file.Line(function.End())
	}
	r.allowed = append(r.allowed, a)
}

// Parse splits an allowance; ok is false for any other comment.
func Parse(comment string) (check, reason string, ok bool) {
	rest, ok := strings.CutPrefix(comment, prefix)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	check, reason, _ = strings.Cut(strings.TrimSpace(rest), " ")
	return check, strings.TrimSpace(reason), true
}

// At reports a problem, unless it is allowed there.
func (r *Reporter) At(node ast.Node, format string, args ...any) {
	r.Fix(node, nil, format, args...)
}

// Fix reports a problem with edits that mend it, unless it is allowed there.
func (r *Reporter) Fix(node ast.Node, edits []analysis.TextEdit, format string, args ...any) {
	file := r.pass.Fset.File(node.Pos())
	line := file.Line(node.Pos())
	for _, a := range r.allowed {
		if a.file == file && a.first <= line && line <= a.last {
			a.needed = true
			return
		}
	}
	text := fmt.Sprintf(format, args...)
	d := analysis.Diagnostic{Pos: node.Pos(), End: node.End(), Message: text}
	if len(edits) > 0 {
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: text, TextEdits: edits}}
	}
	r.pass.Report(d)
}

// Done reports allowances that allowed nothing.
func (r *Reporter) Done() {
	for _, a := range r.allowed {
		if !a.needed {
			r.pass.Reportf(a.comment.Pos(), "%s finds nothing here; delete this comment",
				r.pass.Analyzer.Name)
		}
	}
}

// InTest reports whether a node is in a test file.
func InTest(pass *analysis.Pass, node ast.Node) bool {
	return strings.HasSuffix(pass.Fset.File(node.Pos()).Name(), "_test.go")
}
