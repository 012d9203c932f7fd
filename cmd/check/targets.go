package main

import (
	"go/ast"
	"path/filepath"
	"strings"
)

// A target is a test function that a step runs by name.
type target struct {
	module string // directory of its module, from the tree's root
	pkg    string // ./package, from its module
	name   string
}

// targets finds the package-level test functions whose names begin with prefix.
func targets(t *tree, prefix string) []target {
	var found []target
	for _, s := range t.sources {
		if !s.isTest() {
			continue
		}
		for _, decl := range s.syntax.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if ok && function.Recv == nil && strings.HasPrefix(function.Name.Name, prefix) {
				found = append(found, target{s.module, packageIn(s), function.Name.Name})
			}
		}
	}
	return found
}

// packageIn names a file's package as the go command wants it, from inside its module.
func packageIn(s source) string {
	within, err := filepath.Rel(filepath.FromSlash(s.module), filepath.FromSlash(s.dir()))
	if err != nil || within == "." {
		return "."
	}
	return "./" + filepath.ToSlash(within)
}
