package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLawDifferencesAreNoOrder: no function compares two values of one type by their difference,
// which may be cut, and on a host of 32 bits sooner.
func TestLawDifferencesAreNoOrder(t *testing.T) {
	root := must(findRoot())
	walk(t, root, func(name string) {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			text := must(os.ReadFile(filepath.Join(root, name)))
			assert.Empty(t, differences(t, name, string(text)))
		}
	})
}

// differences lists where functions of a file do.
func differences(t *testing.T, name, text string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file := must(parser.ParseFile(set, name, text, parser.SkipObjectResolution))
	ast.Inspect(file, func(n ast.Node) bool {
		var of *ast.FuncType
		var body *ast.BlockStmt
		switch f := n.(type) {
		case *ast.FuncDecl:
			of, body = f.Type, f.Body
		case *ast.FuncLit:
			of, body = f.Type, f.Body
		}
		if body != nil && compares(of) && endsInDifference(body) {
			found = append(found, set.Position(n.Pos()).String()+": write cmp.Compare")
		}
		return true
	})
	return found
}

// compares says whether a function has the form func(a, b T) int.
func compares(f *ast.FuncType) bool {
	if f.Results.NumFields() != 1 || len(f.Params.List) != 1 || f.Params.NumFields() != 2 {
		return false
	}
	result, ok := f.Results.List[0].Type.(*ast.Ident)
	return ok && result.Name == "int"
}

// endsInDifference says whether a function ends by returning a difference, or int of one.
func endsInDifference(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	end, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(end.Results) != 1 {
		return false
	}
	value := end.Results[0]
	if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "int" {
			value = call.Args[0]
		}
	}
	difference, ok := value.(*ast.BinaryExpr)
	return ok && difference.Op == token.SUB
}

func TestDifferencesAreSeen(t *testing.T) {
	for code, seen := range map[string]bool{
		"func compare(a, b int64) int { return int(a - b) }":                true,
		"func compare(a, b int) int { return a - b }":                       true,
		"var f = func(a, b uint8) int { return int(a) - int(b) }":           true,
		"func (l *L) by(a, b T) int { x(); return int(l.at(a) - l.at(b)) }": true,
		"func compare(a, b int64) int { return cmp.Compare(a, b) }":         false,
		"func between(from, to layout.Row) layout.Row { return to - from }": false,
		"func f(a, b int, c bool) int { return a - b }":                     false,
	} {
		assert.Equal(t, seen, len(differences(t, "a.go", "package p\n\n"+code)) > 0, code)
	}
}
