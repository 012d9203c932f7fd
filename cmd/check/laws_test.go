package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
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

// mayImport is the layer law: which packages of ours each package may import outside its tests.
// A name that ends in /... also stands for everything below it. What is not named here is not
// a package of this tree.
var mayImport = map[string][]string{
	".":             {},
	"unsafeutil":    {},
	"gameobject":    {},
	"buffer/kernel": {},
	"buffer/exact":  {"buffer/exact/internal/core"},
	"layout":        {"unsafeutil", "gameobject"},
	"layout/mask":   {},
	"buffer":        {"layout", "unsafeutil"},
	"manager":       {"gameobject", "buffer", "buffer/kernel", "layout"},
	"systems": {
		"systems/internal/command",
		"systems/internal/index", "systems/internal/kin", "systems/internal/kind",
		"systems/internal/names", "systems/internal/query",
		"systems/internal/random",
		"systems/internal/structure", "systems/internal/walk",
		"systems/internal/work",
		"manager", "gameobject", "layout", "layout/mask", "buffer",
		"buffer/kernel",
	},
	"systems/tool": {
		"systems", "manager", "gameobject", "layout", "layout/mask", "buffer",
		"buffer/kernel",
	},
	"systems/heroes": {"systems", "manager", "layout", "buffer/kernel"},

	// A sub-package owns a matter, and systems imports it; none imports systems.
	"systems/internal/random": {"buffer/exact", "buffer/exact/double"},
	"systems/internal/work":   {},
	"systems/internal/names":  {"systems/internal/index", "manager", "gameobject", "layout"},
	"systems/internal/index":  {"manager", "gameobject", "layout", "buffer", "buffer/kernel"},
	"systems/internal/kind":   {"systems/internal/names", "manager", "gameobject", "layout"},
	"systems/internal/query": {
		"systems/internal/kind", "manager", "gameobject", "layout", "layout/mask", "buffer",
	},
	"systems/internal/walk": {
		"systems/internal/query", "systems/internal/kind",
		"manager", "gameobject", "layout", "buffer", "buffer/kernel",
	},
	"systems/internal/structure": {
		"systems/internal/kind", "manager", "gameobject", "layout", "buffer",
	},
	"systems/internal/kin": {
		"systems/internal/index", "systems/internal/structure", "manager", "gameobject", "layout",
		"buffer",
	},
	"systems/internal/command": {
		"systems/internal/kin", "systems/internal/kind", "systems/internal/structure",
		"manager", "gameobject", "layout", "buffer",
	},

	"world":     {"systems", "layout", "buffer/kernel", "world/internal/program"},
	"world/...": {"world", "systems", "systems/tool", "layout", "buffer/kernel"},

	"buffer/exact/double":         {"buffer/exact/internal/core"},
	"buffer/exact/internal/core":  {},
	"buffer/exact/internal/truth": {},

	"world/heroes": {"world", "systems/heroes", "layout", "world/internal/program"},

	"world/internal/program":   {"systems"},
	"world/internal/worldtest": {"world", "world/heroes", "systems", "systems/tool", "layout"},
	"world/internal/mapping":   {},
	"world/internal/failure":   {},
	"world/internal/ledger":    {"world/internal/mapping"},
	"world/internal/onepage":   {},
	"world/share": {
		"world", "systems", "systems/tool", "world/memory", "world/internal/failure", "world/internal/mapping",
	},
	"world/hand": {
		"world", "systems/tool", "world/memory", "world/history", "world/save",
		"world/internal/failure", "world/internal/mapping",
	},
	"world/memory": {
		"world", "systems", "systems/tool", "layout", "world/internal/failure", "world/internal/kinds",
	},
	"world/internal/codec": {"layout"},
	"world/internal/kinds": {"layout", "systems/tool"},
	"world/save": {
		"world", "systems", "systems/tool", "layout", "buffer/kernel",
		"world/internal/codec", "world/internal/failure", "world/internal/kinds",
		"world/internal/program",
	},
	"world/pack": {
		"world", "systems", "systems/tool", "layout", "world/internal/codec",
		"world/internal/failure", "world/internal/kinds",
	},
	"world/schedule": {"world", "systems", "systems/tool", "world/internal/program"},
	"world/history":  {"world", "systems", "systems/tool", "world/internal/program"},
	"world/timeline": {
		"world", "world/delta", "world/history", "systems", "systems/tool",
		"world/internal/program",
	},
	"world/record": {
		"world", "world/delta", "world/save", "world/timeline", "systems", "systems/tool",
		"world/internal/failure", "world/internal/kinds", "world/internal/program",
	},
	"world/record/page": {
		"world", "world/inspect", "world/record", "world/timeline", "world/why",
		"world/internal/program",
	},
	"world/shard": {
		"world", "world/family", "world/pack", "world/save", "world/schedule", "systems",
		"systems/tool", "layout",
	},
	"world/shard/server": {"world/shard", "world/internal/mapping"},
	"world/shard/report": {"world", "world/shard", "world/inspect", "world/internal/onepage"},
	"world/pose":         {"world", "world/family", "buffer/exact", "layout"},
	"world/stage":        {"world", "world/heroes", "world/internal/program", "layout", "systems"},
	"world/network":      {"world", "world/family", "buffer/exact", "layout"},
	"world/lab":          {"world", "buffer/exact", "buffer/exact/double", "world/internal/failure", "world/internal/ledger", "world/internal/program", "world/random", "systems", "systems/tool", "layout"},
	"world/why": {
		"world", "world/history", "world/timeline", "world/schedule", "systems/tool", "layout", "world/internal/program",
	},
	"world/hunt": {
		"world", "world/schedule", "world/save", "world/record", "systems", "systems/tool", "layout", "world/internal/program",
		"world/internal/failure", "world/internal/ledger",
	},
	"world/replica/internal/wire": {"world/link", "layout"},
	"world/pool":                  {"world", "systems", "systems/tool"},
	"world/link":                  {"world", "systems", "world/link/internal/queue"},
	"world/link/udp":              {"world/link", "world/link/internal/queue"},
	"world/link/web":              {"world/link", "world/link/internal/queue"},
	"world/link/webtransport":     {"world/link", "world/link/internal/queue"},
	"world/link/internal/queue":   {},
	"world/replica":               {"world", "world/replica/internal/wire", "world/internal/failure", "world/family", "world/link", "world/space", "systems", "systems/tool", "layout"},
	"world/session":               {"world", "world/history", "world/link", "systems", "systems/tool", "layout"},
	"world/space":                 {"world", "buffer/exact", "systems", "systems/tool", "layout", "buffer/kernel"},
	"world/inspect": {
		"world", "world/schedule", "world/why", "systems", "systems/tool", "layout",
		"buffer/kernel", "world/inspect/mcp", "world/internal/failure", "world/internal/onepage",
		"world/internal/program",
	},
	"world/inspect/mcp": {},

	"cmd/...": {
		"world/...", "systems", "systems/heroes", "systems/tool", "layout", "buffer/kernel",
		"buffer/exact", "buffer/exact/double", "cmd/...",
	},
	"cmd/gym": {"world/...", "systems", "unsafeutil", "cmd/..."},
	"cmd/render/webgl": {
		"world/...", "systems", "systems/heroes", "systems/tool", "layout", "buffer/kernel",
		"buffer/exact", "unsafeutil", "cmd/...",
	},
	"bench/...": {
		"world/...", "systems", "systems/tool", "layout", "buffer/kernel", "buffer/exact", "bench/...",
	},
	"bench/peers": {
		"bench/...", "cmd/...", "world", "world/heroes", "layout", "buffer/kernel",
	},
}

const (
	ours         = "github.com/flatecs/flatecs/"
	unsafeHome   = "unsafeutil"    // the only package that imports unsafe
	assemblyHome = "buffer/kernel" // the only package with assembly
)

// castHomes are the packages that may import unsafeutil.
var castHomes = []string{"layout", "buffer", "cmd/render/webgl", "cmd/gym"}

var topLevel = []string{
	"doc.go", "buffer", "manager", "gameobject", "systems", "world", "layout", "unsafeutil",
	"cmd", "bench", "docs",
	"go.mod", "go.sum", "go.work", "go.work.sum", "README.md", "CHANGELOG.md", "LICENSE",
	"CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", ".github",
	".ci", ".git", ".gitignore", ".golangci.yml", ".editorconfig",
}

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// nested are the folders of modules in the root module's.
func nested(t *testing.T, root string) (dirs []string) {
	t.Helper()
	walk(t, root, func(name string) {
		if path.Base(name) == "go.mod" && name != "go.mod" {
			dirs = append(dirs, path.Dir(name))
		}
	})
	return dirs
}

// walk calls f for every file that the go command would see, with its slash-separated path.
func walk(t *testing.T, root string, f func(name string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		switch base := d.Name(); {
		case err != nil || name == ".":
		case d.IsDir() && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
			base == "testdata" || base == "node_modules"):
			return filepath.SkipDir
		case !d.IsDir():
			f(filepath.ToSlash(name))
		}
		return err
	}))
}

// broken lists what the laws forbid in a tree, whatever the build tags.
func broken(t *testing.T, root string) (found []string) {
	t.Helper()
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	modules := nested(t, root)
	moduleOf := func(name string) (innermost string) {
		for _, m := range modules {
			if strings.HasPrefix(name, m+"/") && len(m) > len(innermost) {
				innermost = m
			}
		}
		return innermost
	}
	walk(t, root, func(name string) {
		dir := path.Dir(name)
		if top, _, _ := strings.Cut(name, "/"); !slices.Contains(topLevel, top) {
			report("%s: not a top-level entry; move it into a layer or docs", top)
		}
		if path.Ext(name) == ".s" && dir != assemblyHome {
			report("%s: assembly lives in %s", name, assemblyHome)
		}
		if path.Ext(name) != ".go" {
			return
		}
		allowed, known := layerOf(dir)
		if !known {
			report("%s: package %s has no layer; see mayImport", name, dir)
		}
		for _, imported := range imports(t, root, name) {
			pkg, own := strings.CutPrefix(imported, ours)
			isTest := strings.HasSuffix(name, "_test.go")
			switch {
			case imported == "C":
				report("%s: no C in this tree", name)
			case imported == "unsafe" && dir != unsafeHome:
				report("%s: unsafe is imported by %s alone", name, unsafeHome)
			case own && isTest && moduleOf(name) == "" && moduleOf(pkg+"/") != "":
				report("%s: the root module may not import %s, which is another module", name, pkg)
			case own && !isTest && known && !anyCovers(allowed, pkg):
				report("%s: %s may not import %s; it may import: %s", name, dir, pkg,
					strings.Join(allowed, ", "))
			}
		}
	})
	return found
}

func imports(t *testing.T, root, name string) (paths []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, spec := range file.Imports {
		paths = append(paths, must(strconv.Unquote(spec.Path.Value)))
	}
	return paths
}

// layerOf returns what a package may import; the most exact name counts.
func layerOf(dir string) (allowed []string, known bool) {
	if allowed, known = mayImport[dir]; known {
		return allowed, true
	}
	for pattern, allowed := range mayImport {
		if covers(pattern, dir) {
			return allowed, true
		}
	}
	return nil, false
}

// covers says whether a name in the layer law stands for dir.
func covers(pattern, dir string) bool {
	base, below := strings.CutSuffix(pattern, "/...")
	return dir == base || below && strings.HasPrefix(dir, base+"/")
}

func anyCovers(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return covers(pattern, pkg) })
}

func TestLawLayers(t *testing.T) {
	assert.Empty(t, broken(t, must(findRoot())))
}

// A name in the law that no rule can meet would forbid or allow nothing.
func TestLawLayersNameOneAnother(t *testing.T) {
	for pkg, allowed := range mayImport {
		for _, name := range allowed {
			_, known := mayImport[name]
			_, covered := mayImport[path.Dir(name)+"/..."]
			assert.True(t, known || covered, "%s may import %s, which has no layer", pkg, name)
			assert.True(t, name != unsafeHome || slices.Contains(castHomes, pkg),
				"%s may import %s; only %v may, so that casts are seen by few", pkg, name, castHomes)
		}
	}
}

func TestLawsAreSeenToBeBroken(t *testing.T) {
	const head = "package p\n\nimport _ "
	for name, c := range map[string]struct{ file, text, want string }{
		"upwards":        {"layout/a.go", head + `"` + ours + `world"`, "layout may not import world; it may"},
		"past a layer":   {"world/a.go", head + `"` + ours + `manager"`, "world may not import manager"},
		"below its part": {"world/a.go", head + `"` + ours + `world/save"`, "world may not import world/save"},
		"into another module": {
			"world/a_test.go", head + `"` + ours + `cmd/render"`, "which is another module",
		},
		"downwards":           {"systems/a.go", head + `"` + ours + `manager"`, ""},
		"tests look anywhere": {"manager/a_test.go", head + `"` + ours + `world"`, ""},
		"no layer":            {"manager/pool/a.go", "package pool", "package manager/pool has no layer"},
		"a stray folder":      {"helpers/a.txt", "", "helpers: not a top-level entry"},
		"unsafe":              {"buffer/a_test.go", head + `"unsafe"`, "unsafe is imported by unsafeutil alone"},
		"unsafe at home":      {"unsafeutil/a.go", head + `"unsafe"`, ""},
		"unsafe in a module":  {"cmd/a_js.go", head + `"unsafe"`, "unsafe is imported by unsafeutil alone"},
		"C":                   {"cmd/a_test.go", head + `"C"`, "no C in this tree"},
		"assembly":            {"buffer/a_amd64.s", "", "buffer/a_amd64.s: assembly lives in buffer/kernel"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			files := map[string]string{"cmd/go.mod": "module " + ours + "cmd", c.file: c.text}
			for file, text := range files {
				file = filepath.Join(root, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			found := strings.Join(broken(t, root), "\n")
			assert.Contains(t, found, c.want)
			assert.Equal(t, c.want == "", found == "", found)
		})
	}
}

// The packages whose doc.go lists their files from the top down.
var ordered = []string{
	"world/hand", "world/hunt", "world/inspect", "world/link/udp", "world/pack", "world/replica",
	"world/save",
}

const mostUpwards = 10 // per cent

// TestLawReferencesGoDownwards: of the references from one file of a package to another one, few
// are to a file above. References are those to functions, methods, types, variables and constants.
func TestLawReferencesGoDownwards(t *testing.T) {
	root := must(findRoot())
	for _, name := range ordered {
		list := build.Default
		list.GOOS = "linux"
		p := must(list.ImportDir(filepath.Join(root, name), 0))
		files := map[string]string{}
		for _, file := range p.GoFiles {
			files[file] = string(must(os.ReadFile(filepath.Join(p.Dir, file))))
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

// TestLawRaceKnowsGoroutines: the step race tests every package that starts a goroutine, itself or
// in its tests. Measurements are left to the step bench, and modules outside go.work to their own.
func TestLawRaceKnowsGoroutines(t *testing.T) {
	root := must(findRoot())
	c := &check{root: root}
	list, err := c.word("RACING", "")
	require.NoError(t, err, c.out.String())
	racing := strings.Fields(list)
	for _, dir := range racing {
		_, known := layerOf(strings.TrimPrefix(dir, "./"))
		assert.True(t, known, "%s is no package", dir)
	}
	assert.Subset(t, racing, []string{"./systems", "./world/replica", "./world/shard"})
	assert.NotContains(t, racing, "./world/pack", "nothing there has several goroutines")
	walk(t, root, func(name string) {
		dir := path.Dir(name)
		if path.Ext(name) != ".go" || anyCovers([]string{
			"bench/...", "cmd/vet/...", "cmd/tools/...", "cmd/ebiten/...",
		}, dir) || !startsGoroutines(t, filepath.Join(root, name)) {
			return
		}
		assert.Contains(t, racing, "./"+dir, "%s starts goroutines", name)
	})
}

// startsGoroutines reports whether a file has a go statement, or a call of Go of a WaitGroup or
// errgroup.
func startsGoroutines(t *testing.T, name string) (found bool) {
	t.Helper()
	file := must(parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution))
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && f.Sel.Name == "Go"
		}
		return !found
	})
	return found
}
