package main

import (
	"errors"
	"go/ast"
	"os"
	"slices"
	"strings"
)

// govet's unusedresult knows functions by their full names only, so .golangci.yml lists every
// function that hands back a State, between two marks.
const (
	lintConfig = ".golangci.yml"
	listBegin  = "# States: written by `go run ./cmd/check -fix`.\n"
	listEnd    = "# End of states."
)

var errNoMarks = errors.New(lintConfig +
	": the two marks around the list of states are gone; see states.go in cmd/check")

// stateFunctions returns the full names of the functions whose first result is a State, sorted.
func stateFunctions(t *tree) []string {
	var names []string
	for _, s := range t.sources {
		if s.isTest() || s.module != "." || !handsOutStates(s.dir()) {
			continue
		}
		for _, decl := range s.syntax.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && returnsState(function) {
				names = append(names, t.path+"/"+s.dir()+"."+function.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names) // twins under build tags share a name
}

func handsOutStates(dir string) bool { return dir == "systems" || covers("world/...", dir) }

// returnsState sees package-level functions only: unusedresult cannot be told of methods.
func returnsState(function *ast.FuncDecl) bool {
	results := function.Type.Results
	if function.Recv != nil || !function.Name.IsExported() || results == nil {
		return false
	}
	switch result := results.List[0].Type.(type) {
	case *ast.Ident:
		return result.Name == "State"
	case *ast.SelectorExpr:
		return result.Sel.Name == "State"
	}
	return false
}

// staleStates lists where .golangci.yml and the source disagree.
func staleStates(t *tree) []string {
	config, err := os.ReadFile(t.abs(lintConfig))
	if err != nil {
		return []string{err.Error()}
	}
	_, list, _, err := cutList(string(config))
	if err != nil {
		return []string{err.Error()}
	}
	listed, wanted := listedNames(list), stateFunctions(t)
	return slices.Concat(
		lacking(lintConfig+": missing: - ", wanted, listed),
		lacking(lintConfig+": stale:   - ", listed, wanted),
	)
}

// lacking returns the names that others do not hold, each after the prefix.
func lacking(prefix string, names, others []string) []string {
	var lines []string
	for _, name := range names {
		if !slices.Contains(others, name) {
			lines = append(lines, prefix+name)
		}
	}
	return lines
}

// writeStates brings the list in .golangci.yml up to date.
func writeStates(t *tree) error {
	config, err := os.ReadFile(t.abs(lintConfig))
	if err != nil {
		return err
	}
	before, _, after, err := cutList(string(config))
	if err != nil {
		return err
	}
	indent := before[strings.LastIndex(strings.TrimSuffix(before, listBegin), "\n")+1:]
	indent = strings.TrimSuffix(indent, listBegin)
	var list strings.Builder
	for _, name := range stateFunctions(t) {
		list.WriteString(indent + "- " + name + "\n")
	}
	written := before + list.String() + indent + after
	return os.WriteFile(t.abs(lintConfig), []byte(written), 0o644)
}

// cutList cuts the config around the list: before ends with the first mark, after begins with
// the second.
func cutList(config string) (before, list, after string, err error) {
	before, rest, ok := strings.Cut(config, listBegin)
	list, after, closed := strings.Cut(rest, listEnd)
	if !ok || !closed {
		return "", "", "", errNoMarks
	}
	return before + listBegin, list, listEnd + after, nil
}

func listedNames(list string) []string {
	var names []string
	for line := range strings.Lines(list) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			names = append(names, name)
		}
	}
	return names
}
