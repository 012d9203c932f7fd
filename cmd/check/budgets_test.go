package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leastComments is the least share of comments in Go's lines, in percent.
const leastComments = 15

// areas are the areas of budgets.txt that count Go without tests, and their folders. A file belongs
// to the first area that fits.
var areas = []struct {
	name string
	dirs []string
}{
	{"heart", []string{
		"layout/...", "buffer/...", "gameobject/...", "manager/...", "systems/...", "unsafeutil/...",
	}},
	{"world", []string{"world/..."}},
	{"cmd", []string{"cmd/..."}},
	{"bench", []string{"bench/..."}},
}

// others are the areas of budgets.txt that count lines by the ends of their files' names.
var others = map[string]string{
	".js": "javascript", ".mjs": "javascript", ".html": "html", ".css": "html", ".s": "assembly",
}

// generatedMark is what Go agrees on for generated files.
var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// A tally has the lines of each area, and of Go without tests all lines and those with comments.
type tally struct {
	lines     map[string]int
	code      int
	commented int
}

// count adds the file of a name. Generated Go counts in its area and as generated.
func (c *tally) count(name string, text []byte) {
	lines := bytes.Count(text, []byte("\n"))
	if area, ok := others[path.Ext(name)]; ok {
		c.lines[area] += lines
		return
	}
	if path.Ext(name) != ".go" {
		return
	}
	if strings.HasSuffix(name, "_test.go") {
		c.lines["tests"] += lines
		return
	}
	c.code += lines
	c.commented += comments(text)
	if generatedMark.Match(text) {
		c.lines["generated"] += lines
	}
	for _, area := range areas {
		if anyCovers(area.dirs, path.Dir(name)) {
			c.lines[area.name] += lines
			return
		}
	}
}

// comments counts the lines on which a comment stands, alone or behind code.
func comments(text []byte) (lines int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	counted := 0 // the last line that is
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.COMMENT {
			last := file.Line(pos) + strings.Count(literal, "\n")
			lines += last - max(file.Line(pos)-1, counted)
			counted = last
		}
	}
}

// tallyOf counts the files of a tree.
func tallyOf(t *testing.T, root string) *tally {
	t.Helper()
	c := &tally{lines: map[string]int{}}
	walk(t, root, func(name string) {
		c.count(name, must(os.ReadFile(filepath.Join(root, name))))
	})
	return c
}

// table reads a file of rows: a name and numbers. A # begins a comment.
func table(t *testing.T, text string, numbers int) map[string][]int {
	t.Helper()
	rows := map[string][]int{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		cells := strings.Fields(line)
		if len(cells) == 0 {
			continue
		}
		require.Len(t, cells, 1+numbers, line)
		require.NotContains(t, rows, cells[0], "stands there twice")
		for _, cell := range cells[1:] {
			n, err := strconv.Atoi(cell)
			require.NoError(t, err, line)
			rows[cells[0]] = append(rows[cells[0]], n)
		}
	}
	return rows
}

// overBudget lists the areas above their budgets, and areas without one; free lists those with 3 %
// free.
func overBudget(c *tally, budgets map[string][]int) (over, free []string) {
	for area, budget := range budgets {
		switch lines := c.lines[area]; {
		case lines > budget[0]:
			over = append(over, fmt.Sprintf("%s has %d lines, %d above its budget; remove as many, or raise "+
				"budgets.txt and say in the commit's message what became superfluous elsewhere",
				area, lines, lines-budget[0]))
		case lines < budget[0]-budget[0]*3/100:
			free = append(free, fmt.Sprintf("%s has %d lines of %d; lower its budget", area, lines, budget[0]))
		}
	}
	for area := range c.lines {
		if budgets[area] == nil {
			over = append(over, area+" has no budget; give it a line in budgets.txt")
		}
	}
	if c.commented*100 < c.code*leastComments {
		over = append(over, fmt.Sprintf("%d of %d lines of Go have comments; %d %% must",
			c.commented, c.code, leastComments))
	}
	return over, free
}

// TestLawBudgets: no area has more lines than budgets.txt grants. Run with -v, it prints the lines
// of each, and where a budget is to be lowered.
func TestLawBudgets(t *testing.T) {
	root := must(findRoot())
	budgets := table(t, read(t, "cmd/check/budgets.txt"), 1)
	c := tallyOf(t, root)
	over, free := overBudget(c, budgets)
	assert.Empty(t, over)
	t.Logf("lines: %v; comments: %d of %d", c.lines, c.commented, c.code)
	for _, area := range free {
		t.Log(area)
	}
}

func TestBudgetsCount(t *testing.T) {
	c := &tally{lines: map[string]int{}}
	for name, text := range map[string]string{
		"manager/a.go":             "// A comment.\npackage manager\n",
		"manager/a_test.go":        "package manager\n",
		"world/portal.go":          "// Code generated by cmd/portal. DO NOT EDIT.\n\npackage world\n",
		"world/save/a.go":          "package save\n\n/* two\nlines */\nvar a = `\n// text\n` /* 1 */ /* 2 */\n",
		"buffer/exact/a.go":        "package exact\n",
		"cmd/web/page.js":          "a\nb\n",
		"cmd/web/page.html":        "a\n",
		"cmd/web/page.css":         "a\n",
		"buffer/kernel/a_amd64.s":  "a\n",
		"bench/main.go":            "package main /* at\nthe end */\n",
		"docs/PERFORMANCE.md":      "a\n",
		"cmd/flatecs/main_test.go": "package main\n",
	} {
		c.count(name, []byte(text))
	}
	assert.Equal(t, map[string]int{
		"heart": 3, "world": 10, "bench": 2, "tests": 2, "javascript": 2, "html": 2, "assembly": 1,
		"generated": 3,
	}, c.lines)
	assert.Equal(t, 15, c.code)
	assert.Equal(t, 7, c.commented)
}

func TestBudgetsAreSeenToBeExceeded(t *testing.T) {
	for name, c := range map[string]struct {
		lines      int
		comments   int
		over, free string
	}{
		"full":            {100, 20, "", ""},
		"one line more":   {101, 20, "heart has 101 lines, 1 above its budget", ""},
		"a little free":   {97, 20, "", ""},
		"3 % free":        {96, 20, "", "heart has 96 lines of 100; lower"},
		"enough comments": {100, 15, "", ""},
		"few comments":    {100, 14, "14 of 100 lines of Go have comments", ""},
	} {
		t.Run(name, func(t *testing.T) {
			of := &tally{lines: map[string]int{"heart": c.lines}, code: 100, commented: c.comments}
			over, free := overBudget(of, map[string][]int{"heart": {100}})
			assert.Equal(t, c.over == "", over == nil, over)
			assert.Equal(t, c.free == "", free == nil, free)
			assert.Contains(t, strings.Join(over, "\n"), c.over)
			assert.Contains(t, strings.Join(free, "\n"), c.free)
		})
	}
	over, _ := overBudget(&tally{lines: map[string]int{"heart": 1}}, nil)
	assert.Equal(t, []string{"heart has no budget; give it a line in budgets.txt"}, over)
}

// A struct type has a limited number of fields and methods; structs.txt lists the exceptions.
const (
	mostFields  = 20
	mostMethods = 40
)

// A declaration is a type of the tree, whatever the build tags.
type declaration struct {
	isStruct bool
	methods  []string
	types    []typeIn // what stands behind its name, one per set of build tags
}

// A typeIn is a type as a file writes it.
type typeIn struct {
	expr    ast.Expr
	dir     string
	imports map[string]string // folders of this tree, by the names that the file has for them
	alias   bool
}

// house has the types of a tree, by folder and name: manager.Manager, world/pack.Packer.
type house map[string]*declaration

func (h house) at(name string) *declaration {
	if h[name] == nil {
		h[name] = &declaration{}
	}
	return h[name]
}

// add takes in the types and methods of a file. A struct within a function is named after it.
func (h house) add(t *testing.T, name string, text []byte) {
	t.Helper()
	file := must(parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution))
	in := typeIn{dir: path.Dir(name), imports: folders(t, file)}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil {
				of := h.at(in.dir + "." + baseName(decl.Recv.List[0].Type))
				of.methods = append(of.methods, decl.Name.Name)
			}
			h.addLocal(decl, in)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					of := h.at(in.dir + "." + spec.Name.Name)
					in.expr, in.alias = spec.Type, spec.Assign.IsValid()
					of.types = append(of.types, in)
					_, isStruct := spec.Type.(*ast.StructType)
					of.isStruct = of.isStruct || isStruct
				}
			}
		}
	}
}

// addLocal takes in the structs within a function.
func (h house) addLocal(decl *ast.FuncDecl, in typeIn) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if of, ok := n.(*ast.StructType); ok {
			in.expr = of
			name := fmt.Sprintf("%s.%s.%d", in.dir, decl.Name.Name, of.Pos())
			h[name] = &declaration{isStruct: true, types: []typeIn{in}}
			return false
		}
		return true
	})
}

// folders are the folders of this tree that a file imports, by their names in the file.
func folders(t *testing.T, file *ast.File) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, spec := range file.Imports {
		from := must(strconv.Unquote(spec.Path.Value))
		if folder, own := strings.CutPrefix(from, ours); own {
			name := path.Base(folder)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			found[name] = folder
		}
	}
	return found
}

// baseName returns the name of a type without its package, pointer and type arguments.
func baseName(expr ast.Expr) string {
	switch of := expr.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.StarExpr:
		return baseName(of.X)
	case *ast.ParenExpr:
		return baseName(of.X)
	case *ast.IndexExpr:
		return baseName(of.X)
	case *ast.IndexListExpr:
		return baseName(of.X)
	}
	return ""
}

// home returns the name in a house of a type that a file names; "" for another module's.
func (in typeIn) home(expr ast.Expr) string {
	switch of := expr.(type) {
	case *ast.Ident:
		return in.dir + "." + of.Name
	case *ast.SelectorExpr:
		if from, ok := of.X.(*ast.Ident); ok && in.imports[from.Name] != "" {
			return in.imports[from.Name] + "." + of.Sel.Name
		}
	case *ast.StarExpr:
		return in.home(of.X)
	case *ast.ParenExpr:
		return in.home(of.X)
	case *ast.IndexExpr:
		return in.home(of.X)
	case *ast.IndexListExpr:
		return in.home(of.X)
	}
	return ""
}

// A size has the names of a type's fields, by path, and of its methods.
type size struct{ fields, methods map[string]bool }

// measure adds what a type has, through what it embeds. Below an embedded field lies its path.
func (h house) measure(name, below string, to size, seen []string) {
	of := h[name]
	if of == nil || slices.Contains(seen, name) {
		return
	}
	for _, method := range of.methods {
		to.methods[method] = true
	}
	for _, in := range of.types {
		h.measureType(in.expr, in, below, to, append(seen, name))
	}
}

func (h house) measureType(expr ast.Expr, in typeIn, below string, to size, seen []string) {
	switch of := expr.(type) {
	case *ast.StructType:
		for _, field := range of.Fields.List {
			for _, name := range field.Names {
				to.fields[below+name.Name+blank(name)] = true
				if inner, ok := field.Type.(*ast.StructType); ok {
					h.measureType(inner, in, below+name.Name+".", to, seen)
				}
			}
			if field.Names == nil {
				name := baseName(field.Type)
				to.fields[below+name] = true
				h.measure(in.home(field.Type), below+name+".", to, seen)
			}
		}
	case *ast.InterfaceType:
		for _, method := range of.Methods.List {
			for _, name := range method.Names {
				to.methods[name.Name] = true
			}
			if method.Names == nil {
				h.measure(in.home(method.Type), below, to, seen)
			}
		}
	default: // another name for a type, or a new type made from one, which has no methods of it
		if !in.alias {
			to.methods = map[string]bool{}
		}
		h.measure(in.home(expr), below, to, seen)
	}
}

// blank tells blank fields of a struct apart.
func blank(name *ast.Ident) string {
	if name.Name != "_" {
		return ""
	}
	return strconv.Itoa(int(name.Pos()))
}

// large returns the fields and methods of the struct types that have more than a type may.
func (h house) large() map[string][]int {
	found := map[string][]int{}
	for name, of := range h {
		to := size{map[string]bool{}, map[string]bool{}}
		h.measure(name, "", to, nil)
		if of.isStruct && (len(to.fields) > mostFields || len(to.methods) > mostMethods) {
			found[name] = []int{len(to.fields), len(to.methods)}
		}
	}
	return found
}

// structsOf reads the types of a tree, except types of tests.
func structsOf(t *testing.T, root string) house {
	t.Helper()
	h := house{}
	walk(t, root, func(name string) {
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			h.add(t, name, must(os.ReadFile(filepath.Join(root, name))))
		}
	})
	return h
}

// offences lists the types that are larger than structs.txt has them, and the rows of that file
// that are to be lowered or to go.
func offences(found, listed map[string][]int) (broken []string) {
	report := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	for _, name := range slices.Sorted(maps.Keys(found)) {
		is, was := found[name], listed[name]
		switch row := fmt.Sprintf("%s %d %d", name, is[0], is[1]); {
		case was == nil:
			report("%s: a struct has at most %d fields and %d methods, with those of the types that it "+
				"embeds; split it", row, mostFields, mostMethods)
		case is[0] > was[0] || is[1] > was[1]:
			report("%s: it had %d and %d, and may only lose some", row, was[0], was[1])
		case !slices.Equal(is, was):
			report("%s: it had %d and %d; lower its row in structs.txt", row, was[0], was[1])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if found[name] == nil {
			report("%s: it is small, or gone; remove its row from structs.txt", name)
		}
	}
	return broken
}

// TestLawStructs: no struct type has more fields or methods than allowed, including those of
// embedded types, except for the types in structs.txt, which may only shrink.
func TestLawStructs(t *testing.T) {
	root := must(findRoot())
	listed := table(t, read(t, "cmd/check/structs.txt"), 2)
	assert.Empty(t, strings.Join(offences(structsOf(t, root).large(), listed), "\n"))
}

func TestStructsAreMeasured(t *testing.T) {
	many := func(what string, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf(what+"\n", i)
		}
		return text
	}
	fields, methods := many("F%d int", 20), many("func (*T) M%d() {}", 40)
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"as many as may be": {"type T struct {\n" + fields + "}\n" + methods, nil},
		"a field more":      {"type T struct {\n" + fields + "a int }", []int{21, 0}},
		"a blank one":       {"type T struct {\n" + fields + "_, b int }", []int{22, 0}},
		"a method more":     {"type T struct{}\nfunc (t T) N() {}\n" + methods, []int{0, 41}},
		"embedded":          {"type T struct { *u }\ntype u struct {\n" + fields + "}", []int{21, 0}},
		"embedded twice":    {"type T struct { u; V u }\ntype u = w\ntype w struct {\n" + fields + "}", []int{22, 0}},
		"its methods":       {"type T struct { u[int] }\ntype u[E any] int\nfunc (u[E]) N() {}\n" + methods, []int{1, 41}},
		"of an interface":   {"type T struct { i }\ntype i interface { j }\ntype j interface { N(); O() }\n" + methods, []int{1, 42}},
		"shadowed":          {"type T struct { u }\ntype u int\nfunc (u) M1() {}\n" + methods, nil},
		"of another type's": {"type T struct { u }\ntype u v\ntype v int\nfunc (v) N() {}\n" + methods, nil},
		"another package's": {"import \"" + ours + "q\"\ntype T struct { q.U }\n" + methods, []int{1, 41}},
		"another module's":  {"import \"q\"\ntype T struct { q.U }\n" + methods, nil},
		"within":            {"type T struct { a struct {\n" + fields + "} }", []int{21, 0}},
		"of itself":         {"type T struct { *T }\n" + methods, nil},
		"an interface may":  {"type T interface { M0() }\n" + methods, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := house{}
			h.add(t, "p/a.go", []byte("package p\n"+c.text))
			h.add(t, "q/a.go", []byte("package q\ntype U int\nfunc (U) N() {}"))
			assert.Equal(t, c.want, h.large()["p.T"])
		})
	}
	h := house{}
	h.add(t, "p/a.go", []byte("package p\nfunc f() { var a struct {\n"+fields+"a int }; _ = a }"))
	assert.Len(t, h.large(), 1, "within a function")
	h = house{}
	for _, tag := range []string{"a", "b"} { // as files of two tags have them
		h.add(t, "p/"+tag+".go", []byte("package p\ntype T struct {\n"+fields+"}\n"+methods))
	}
	assert.Empty(t, h.large())
}

func TestLargeStructsMayOnlyShrink(t *testing.T) {
	listed := map[string][]int{"p.T": {25, 50}}
	for name, c := range map[string]struct {
		found map[string][]int
		want  string
	}{
		"as it was":     {map[string][]int{"p.T": {25, 50}}, ""},
		"a field more":  {map[string][]int{"p.T": {26, 50}}, "p.T 26 50: it had 25 and 50, and may only"},
		"a method more": {map[string][]int{"p.T": {25, 51}}, "may only lose"},
		"exchanged":     {map[string][]int{"p.T": {24, 51}}, "may only lose"},
		"a field less":  {map[string][]int{"p.T": {24, 50}}, "p.T 24 50: it had 25 and 50; lower its row"},
		"small":         {nil, "p.T: it is small, or gone; remove"},
		"another":       {map[string][]int{"p.T": {25, 50}, "p.U": {21, 0}}, "p.U 21 0: a struct has at most 20"},
	} {
		t.Run(name, func(t *testing.T) {
			found := strings.Join(offences(c.found, listed), "\n")
			assert.Equal(t, c.want == "", found == "", found)
			assert.Contains(t, found, c.want)
		})
	}
}
