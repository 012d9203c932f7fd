package main

import (
	"fmt"
	"go/ast"
)

const (
	maxFileLines     = 400
	maxFunctionLines = 70 // between the braces
)

// overlong lists files and functions that grew past what one can take in.
func overlong(t *tree) []string {
	var found []string
	for _, s := range t.sources {
		if ast.IsGenerated(s.syntax) {
			continue
		}
		if s.lines > maxFileLines {
			found = append(found,
				fmt.Sprintf("%s: %d lines; split it at %d", s.path, s.lines, maxFileLines))
		}
		found = append(found, overlongFunctions(t, s)...)
	}
	return found
}

func overlongFunctions(t *tree, s source) []string {
	var found []string
	for _, decl := range s.syntax.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		lines := t.line(function.Body.Rbrace) - t.line(function.Body.Lbrace) - 1
		if lines > maxFunctionLines {
			found = append(found, fmt.Sprintf("%s: %s has %d lines; split it at %d",
				t.at(function), function.Name.Name, lines, maxFunctionLines))
		}
	}
	return found
}
