package main

import (
	"go/ast"
	"maps"
	"slices"
)

// undocumented lists packages and public names without a comment, under every build tag.
func undocumented(t *tree) []string {
	var found []string
	silent := map[string]string{} // package directory to where a comment could go
	spoken := map[string]bool{}
	for _, s := range t.sources {
		if s.isTest() {
			continue
		}
		if s.syntax.Doc != nil {
			spoken[s.dir()] = true
		}
		silent[s.dir()] = t.at(s.syntax)
		if s.syntax.Name.Name != "main" {
			found = append(found, undocumentedNames(t, s)...)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(silent)) {
		if !spoken[dir] {
			found = append(found, silent[dir]+": package "+dir+" has no comment")
		}
	}
	return found
}

func undocumentedNames(t *tree, s source) []string {
	var found []string
	report := func(node ast.Node, name *ast.Ident) {
		found = append(found, t.at(node)+": "+name.Name+" has no comment")
	}
	for _, decl := range s.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc == nil && isPublic(decl) {
				report(decl, decl.Name)
			}
		case *ast.GenDecl:
			visitUndocumented(decl, report)
		}
	}
	return found
}

// isPublic says whether callers outside the package can name the function or method.
func isPublic(function *ast.FuncDecl) bool {
	if function.Recv == nil {
		return function.Name.IsExported()
	}
	return function.Name.IsExported() && receiver(function.Recv.List[0].Type).IsExported()
}

// receiver returns the type's name under its star and its type arguments.
func receiver(expr ast.Expr) *ast.Ident {
	for {
		switch e := expr.(type) {
		case *ast.Ident:
			return e
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		default:
			return ast.NewIdent("_")
		}
	}
}

// visitUndocumented reports the public names of a declaration that no comment covers;
// one above a group covers its constants and variables, but not its types.
func visitUndocumented(decl *ast.GenDecl, report func(ast.Node, *ast.Ident)) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			alone := decl.Doc != nil && !decl.Lparen.IsValid()
			if spec.Doc == nil && spec.Comment == nil && !alone && spec.Name.IsExported() {
				report(spec, spec.Name)
			}
		case *ast.ValueSpec:
			if spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
				reportPublic(spec.Names, report)
			}
		}
	}
}

func reportPublic(names []*ast.Ident, report func(ast.Node, *ast.Ident)) {
	for _, name := range names {
		if name.IsExported() {
			report(name, name)
		}
	}
}
