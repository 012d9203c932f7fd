// Package checks finds mistakes in programs that use flatecs.
package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// All is the list of checks, except [Allow].
var All = []*analysis.Analyzer{Deterministic, Dropped, Kept, Readonly, Rowwise, Usedup}

// Allow reports allowances that name no check, or give no reason.
var Allow = &analysis.Analyzer{
	Name: "allow",
	Doc: `report allowances without a check or a reason

	//flatecs:allow deterministic the page shows how long a frame took

allows the findings of the named check on that line and the next one, or, in the doc comment of a
function, in the whole function. The check must exist, and a reason must follow.`,
	Run: func(pass *analysis.Pass) (any, error) {
		known := map[string]bool{fusedName: true}
		for _, a := range All {
			known[a.Name] = true
		}
		for _, a := range allowances(pass) {
			if !known[a.check] {
				pass.Reportf(a.pos, "there is no check %q; write //flatecs:allow check reason",
					a.check)
			} else if a.reason == "" {
				pass.Reportf(a.pos, "reason is missing; write //flatecs:allow %s reason", a.check)
			}
		}
		return nil, nil
	},
}

// An allowance is a comment that suppresses a check on some lines.
type allowance struct {
	pos           token.Pos
	check, reason string
	file          *token.File
	first, last   int // lines
	needed        bool
}

// allowances returns the allowances in a package.
func allowances(pass *analysis.Pass) (list []*allowance) {
	for _, file := range pass.Files {
		lines := pass.Fset.File(file.FileStart)
		for _, group := range file.Comments {
			for _, comment := range group.List {
				d, ok := ast.ParseDirective(comment.Pos(), comment.Text)
				if !ok || d.Tool != "flatecs" || d.Name != "allow" {
					continue
				}
				a := &allowance{pos: comment.Pos(), file: lines, first: lines.Line(comment.Pos())}
				a.check, a.reason, _ = strings.Cut(d.Args, " ")
				a.reason = strings.TrimSpace(a.reason)
				a.last = a.first + 1
				for _, decl := range file.Decls {
					if f, ok := decl.(*ast.FuncDecl); ok && f.Doc == group {
						a.last = lines.Line(f.End())
					}
				}
				list = append(list, a)
			}
		}
	}
	return list
}

// A check is the run of a check on one package.
type check struct {
	*analysis.Pass
	*facts
	allowed []*allowance
}

// analyzer returns an analyzer that runs a function after collecting the facts.
func analyzer(name, doc string, run func(*check)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer, factsOf},
		Run: func(pass *analysis.Pass) (any, error) {
			c := newCheck(pass, name)
			c.facts = pass.ResultOf[factsOf].(*facts)
			run(c)
			for _, a := range c.allowed {
				if !a.needed {
					c.Reportf(a.pos, "%s finds nothing here; delete this comment", name)
				}
			}
			return nil, nil
		},
	}
}

// newCheck returns a check with the allowances of a package for the given names, and without facts.
func newCheck(pass *analysis.Pass, names ...string) *check {
	c := &check{Pass: pass}
	for _, a := range allowances(pass) {
		if slices.Contains(names, a.check) && a.reason != "" {
			c.allowed = append(c.allowed, a)
		}
	}
	return c
}

func rootOf(pass *analysis.Pass) inspector.Cursor {
	return pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
}

// at reports a problem, unless an allowance suppresses it.
func (c *check) at(node ast.Node, format string, args ...any) { c.mend(node, nil, format, args...) }

// mend reports a problem with edits that fix it, unless an allowance suppresses it.
func (c *check) mend(node ast.Node, edits []analysis.TextEdit, format string, args ...any) {
	file := c.Fset.File(node.Pos())
	line := file.Line(node.Pos())
	for _, a := range c.allowed {
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
	c.Report(d)
}

// inTest reports whether a node is in a test file.
func (c *check) inTest(node ast.Node) bool {
	return strings.HasSuffix(c.Fset.File(node.Pos()).Name(), "_test.go")
}
