package main

import (
	"go/ast"
	"go/token"
)

// differences lists functions, tests aside, that compare two values of one type by their
// difference, which may be cut, and on a host of 32 bits sooner.
func differences(t *tree) []string {
	var found []string
	for _, s := range t.sources {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			var of *ast.FuncType
			var body *ast.BlockStmt
			switch f := n.(type) {
			case *ast.FuncDecl:
				of, body = f.Type, f.Body
			case *ast.FuncLit:
				of, body = f.Type, f.Body
			}
			if body != nil && compares(of) && endsInDifference(body) {
				found = append(found, t.at(n)+": a difference is no order; write cmp.Compare")
			}
			return true
		})
	}
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
