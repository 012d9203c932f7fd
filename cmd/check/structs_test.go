package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A struct type has at most so many fields and methods; those in structs.txt have more.
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

// folders are those of this tree that a file imports, by the names that it has for them.
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

// structsOf reads the types of a tree, but for those of tests.
func structsOf(t *testing.T, root string) house {
	t.Helper()
	h := house{}
	walk(t, root, func(name string) {
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			text := must(os.ReadFile(filepath.Join(root, name)))
			h.add(t, name, text)
		}
	})
	return h
}

// offences lists the types that are larger than structs.txt has them, and the rows of that file that
// are to be lowered or to go.
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

// TestLawStructs: no struct type has more fields or methods than a type may, with those of types
// that it embeds, apart from those in structs.txt, which may only shrink.
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
