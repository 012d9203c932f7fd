package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
)

const foundingPage = "docs/FOUNDING.md"

var (
	foundingRow = regexp.MustCompile(`(?m)^\| ([A-E]\d+) \|.*\|$`)
	symbol      = regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*(?:\\.[A-Z]\\w*)?)`")
)

// homes are the packages of which the page names calls.
var homes = map[string]string{
	"world": "world", "layout": "layout", "manager": "manager", "mask": "layout/mask",
	"tool": "systems/tool", "schedule": "world/schedule", "stage": "world/stage",
	"memory": "world/memory", "systems": "systems", "heroes": "world/heroes",
}

// TestLawFoundingRows: every row of the founding documents has a line, a call that there is, and a
// test of its name.
func TestLawFoundingRows(t *testing.T) {
	root := must(findRoot())
	page := must(os.ReadFile(filepath.Join(root, foundingPage)))
	tests, names := seedTests(t, root), map[string]map[string]bool{}
	for home, dir := range homes {
		names[home] = declared(t, dir)
	}
	for name := range declared(t, "systems") {
		names["world"][name] = true // methods of aliases
	}
	var rows []string
	for _, row := range foundingRow.FindAllStringSubmatch(string(page), -1) {
		rows = append(rows, row[1])
		cells := strings.Split(row[0], "|") // "", row, what, there, here, test, ""
		require.Len(t, cells, 7, row[1])
		test := strings.Trim(cells[5], " `")
		assert.True(t, strings.HasPrefix(test, "TestSeed_"+row[1]+"_"), "%s: %s is of another", row[1], test)
		assert.True(t, tests[test], "%s: there is no test %s", row[1], test)
		for _, s := range symbol.FindAllStringSubmatch(cells[4], -1) {
			assert.True(t, names[s[1]][s[2]], "%s: there is no %s.%s", row[1], s[1], s[2])
		}
	}
	var want []string
	for _, of := range []struct {
		document string
		rows     int
	}{{"D", 21}, {"A", 15}, {"B", 8}, {"C", 9}, {"E", 10}} {
		for i := range of.rows {
			want = append(want, fmt.Sprint(of.document, i+1))
		}
	}
	assert.Equal(t, want, rows)
}

// seedTests are the names of all tests of rows.
func seedTests(t *testing.T, root string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (TestSeed_\w+)\(`)
	walk(t, root, func(file string) {
		if strings.HasSuffix(file, "_test.go") {
			text := must(os.ReadFile(filepath.Join(root, file)))
			for _, m := range name.FindAllSubmatch(text, -1) {
				found[string(m[1])] = true
			}
		}
	})
	return found
}

// declared are the exported names of a package: Name, and Type.Method.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	p := must(source.Read(token.NewFileSet(), os.DirFS("../.."), dir))
	found := map[string]bool{}
	for _, name := range exported(p) {
		found[name] = true
	}
	for _, of := range p.Types {
		for _, m := range of.Methods {
			found[source.Name(m)] = true
		}
	}
	return found
}

// exported returns the names that a package exports: constants, variables, functions and types.
func exported(p *source.Package) (names []string) {
	values := slices.Concat(p.Consts, p.Vars)
	functions := p.Funcs
	for _, t := range p.Types {
		names = append(names, t.Name)
		values = append(append(values, t.Consts...), t.Vars...)
		functions = append(functions, t.Funcs...)
	}
	for _, v := range values {
		names = append(names, v.Names...)
	}
	for _, f := range functions {
		names = append(names, f.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}
