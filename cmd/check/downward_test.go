package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The packages whose doc.go lists their files from the top down.
var ordered = []string{
	"world/hand", "world/hunt", "world/inspect", "world/link/udp", "world/pack", "world/replica",
	"world/save",
}

const mostUpwards = 10 // per cent

// TestLawReferencesGoDownwards: of the references from one file of a package to another one, few are
// to a file above. References are those to functions, methods, types, variables and constants.
func TestLawReferencesGoDownwards(t *testing.T) {
	root := must(findRoot())
	for _, name := range ordered {
		list := build.Default
		list.GOOS = "linux"
		p := must(list.ImportDir(filepath.Join(root, name), 0))
		files := map[string]string{}
		for _, file := range p.GoFiles {
			text := must(os.ReadFile(filepath.Join(p.Dir, file)))
			files[file] = string(text)
		}
		up, all, missing := upwards(t, files)
		count := 0
		for _, n := range up {
			count += n
		}
		t.Logf("%s: %d of %d references go upwards, %d %%: %v", name, count, all, 100*count/all, up)
		assert.Empty(t, missing, "%s/doc.go does not list files", name)
		assert.LessOrEqual(t, 100*count, mostUpwards*all, "%s: move functions, or list the files of "+
			"doc.go as they call", name)
	}
}

// upwards counts the references between files of a package, and those to a file that doc.go lists
// above, by pairs of files. It returns the files that are not listed.
func upwards(t *testing.T, files map[string]string) (up map[string]int, all int, missing []string) {
	t.Helper()
	place := map[string]int{"doc.go": -1}
	for n, name := range regexp.MustCompile(`\w+\.go\b`).FindAllString(files["doc.go"], -1) {
		if _, ok := place[name]; !ok {
			place[name] = n
		}
	}
	set, parsed, receivers := token.NewFileSet(), []*ast.File{}, map[ast.Node]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := place[name]; !ok {
			missing, place[name] = append(missing, name), len(files["doc.go"])
		}
		file := must(parser.ParseFile(set, name, files[name], 0))
		parsed = append(parsed, file)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				ast.Inspect(f.Recv, func(n ast.Node) bool { receivers[n] = true; return true })
			}
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nothing{}, Error: func(error) {}} // imports are of no matter
	pkg, _ := config.Check("p", set, parsed, &info)
	up = map[string]int{}
	for at, to := range info.Uses {
		f, isFunc := to.(*types.Func)
		isMethod := isFunc && f.Signature().Recv() != nil
		if receivers[at] || to.Pkg() != pkg || to.Parent() != pkg.Scope() && !isMethod {
			continue
		}
		from, home := set.File(at.Pos()).Name(), set.File(to.Pos()).Name()
		if from != home {
			all++
		}
		if place[home] < place[from] {
			up[from+" to "+home]++
		}
	}
	return up, all, missing
}

// nothing imports empty packages.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

func TestUpwardsAreCounted(t *testing.T) {
	up, all, missing := upwards(t, map[string]string{
		"doc.go": "// Package p: a.go calls b.go.\npackage p",
		"a.go":   "package p\nimport \"q\"\ntype T struct{ u u; v q.V }\nfunc (t *T) m() { t.u.n(); f() }",
		"b.go":   "package p\ntype u int\nfunc (u) n() { var t T; t.m(); t.v.w(); f() }\nfunc (t *T) o() {}",
		"c.go":   "package p\nfunc f() { const a = 1; _ = a }",
	})
	assert.Equal(t, map[string]int{"b.go to a.go": 2}, up)
	assert.Equal(t, 6, all)
	assert.Equal(t, []string{"c.go"}, missing)
}
