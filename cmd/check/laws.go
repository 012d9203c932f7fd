package main

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mayImport is the layer law: which packages of ours each package may import outside its tests.
// A name that ends in /... also stands for everything below it. What is not named here is not
// a package of this tree.
var mayImport = map[string][]string{
	"unsafeutil":    {},
	"gameobject":    {},
	"buffer/kernel": {},
	"layout":        {"unsafeutil", "gameobject", "layout/values"},
	"layout/values": {},
	"layout/mask":   {},
	"buffer":        {"layout", "unsafeutil"},
	"manager":       {"gameobject", "buffer", "buffer/kernel", "layout", "layout/values"},
	"systems": {
		"systems/internal/command", "systems/internal/events",
		"systems/internal/globals", "systems/internal/kin", "systems/internal/kind",
		"systems/internal/names", "systems/internal/past", "systems/internal/query",
		"systems/internal/random", "systems/internal/seen",
		"systems/internal/structure", "systems/internal/turn", "systems/internal/walk",
		"systems/internal/work",
		"manager", "gameobject", "layout", "layout/mask", "layout/values", "buffer",
		"buffer/kernel",
	},
	"systems/tool": {
		"systems", "manager", "gameobject", "layout", "layout/mask", "layout/values", "buffer",
		"buffer/kernel",
	},

	// A sub-package owns a matter, and systems imports it; none imports systems.
	"systems/internal/random":  {},
	"systems/internal/turn":    {},
	"systems/internal/work":    {},
	"systems/internal/past":    {"manager"},
	"systems/internal/seen":    {"manager", "layout"},
	"systems/internal/events":  {"manager", "layout", "buffer"},
	"systems/internal/names":   {"manager", "gameobject", "layout"},
	"systems/internal/globals": {"manager", "gameobject", "layout"},
	"systems/internal/kind": {
		"systems/internal/globals", "systems/internal/names", "manager", "gameobject", "layout",
	},
	"systems/internal/query": {
		"systems/internal/kind", "manager", "gameobject", "layout", "layout/mask",
	},
	"systems/internal/walk": {
		"systems/internal/query", "systems/internal/kind",
		"manager", "gameobject", "layout", "buffer", "buffer/kernel",
	},
	"systems/internal/structure": {
		"systems/internal/kind", "manager", "gameobject", "layout", "buffer",
	},
	"systems/internal/kin": {
		"systems/internal/structure", "manager", "gameobject", "layout", "buffer", "buffer/kernel",
		"unsafeutil",
	},
	"systems/internal/command": {
		"systems/internal/kin", "systems/internal/kind", "systems/internal/structure",
		"manager", "gameobject", "layout", "buffer",
	},

	"world": {"systems", "layout", "buffer/kernel", "world/internal/program"},
	"world/...": {
		"world", "systems", "systems/tool", "layout", "layout/values", "buffer/kernel",
	},

	"world/internal/program": {"systems"},
	"world/internal/mapping": {"unsafeutil"},
	"world/share": {
		"world", "systems", "systems/tool", "world/memory", "world/internal/mapping",
	},
	"world/hand": {
		"world", "systems/tool", "world/memory", "world/history", "world/save",
		"world/internal/mapping",
	},
	"world/memory":         {"world", "systems", "systems/tool", "layout"},
	"world/internal/codec": {"layout", "layout/values"},
	"world/save": {
		"world", "systems", "systems/tool", "layout", "layout/values", "buffer/kernel",
		"world/internal/codec",
	},
	"world/pack": {
		"world", "systems", "systems/tool", "layout", "layout/values", "world/internal/codec",
	},
	"world/schedule": {"world", "systems", "systems/tool", "world/internal/program"},
	"world/history":  {"world", "systems", "systems/tool", "world/internal/program"},
	"world/shard": {
		"world", "world/family", "world/pack", "world/save", "world/schedule", "systems",
		"systems/tool", "layout",
	},
	"world/shard/server": {"world/shard"},
	"world/shard/report": {"world", "world/shard", "world/inspect"},
	"world/pose":         {"world", "world/family", "layout"},
	"world/hooks":        {"world", "world/internal/program"},
	"world/loop":         {"world", "world/internal/program"},
	"world/network":      {"world", "world/family", "layout"},
	"world/lab":          {"world", "world/random", "systems", "systems/tool", "layout"},
	"world/session":      {"world", "world/history", "systems", "systems/tool", "layout"},
	"world/space":        {"world", "systems", "systems/tool", "layout", "buffer/kernel"},
	"world/inspect": {
		"world", "world/schedule", "systems", "systems/tool", "layout", "buffer/kernel",
	},

	"cmd/...":   {"world/...", "systems", "systems/tool", "layout", "buffer/kernel", "cmd/..."},
	"bench/...": {"world/...", "systems", "systems/tool", "layout", "buffer/kernel", "bench/..."},
	"bench/abm": {"bench/...", "cmd/...", "world"},
}

// The root module's dependencies: nested modules choose their own.
var (
	dependencies     = []string{"github.com/zeebo/xxh3"}
	testDependencies = []string{"github.com/stretchr/testify", "github.com/x448/float16"}
)

const (
	unsafeHome   = "unsafeutil"    // the only package of the root module that imports unsafe
	assemblyHome = "buffer/kernel" // the only package with assembly

	cpuFeatures = "golang.org/x/sys/cpu"               // for the package with assembly alone
	compression = "github.com/klauspost/compress/zstd" // for the package of save files alone
	savesHome   = "world/save"
	rangesHome  = "buffer"                           // the package that asks the system for memory
	sharedHome  = "world/internal/mapping"           // and the one for memory of several programs
	quickly     = "github.com/klauspost/compress/s2" // for the package of deltas alone
	deltasHome  = "world/delta"
)

// memory is what the operating system is asked for it by.
var memory = []string{"golang.org/x/sys/unix", "golang.org/x/sys/windows"}

var topLevel = []string{
	"buffer", "manager", "gameobject", "systems", "world", "layout", "unsafeutil",
	"cmd", "bench", "docs",
	"go.mod", "go.sum", "go.work", "go.work.sum", "README.md", "CHANGELOG.md", "LICENSE",
	"CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", ".github",
	".ci", ".git", ".gitignore", ".golangci.yml", ".editorconfig",
}

// brokenLaws lists everything in the tree that its laws forbid.
func brokenLaws(t *tree) []string {
	return slices.Concat(
		t.broken,
		strayEntries(t),
		strayAssembly(t),
		scatteredUnsafe(t),
		badImports(t),
	)
}

// strayEntries lists what does not belong at the top, ignored files aside.
func strayEntries(t *tree) []string {
	entries, err := os.ReadDir(t.root)
	if err != nil {
		return []string{err.Error()}
	}
	ignored := ignoredNames(t)
	var found []string
	for _, entry := range entries {
		name := entry.Name()
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }
		if !slices.Contains(topLevel, name) && !slices.ContainsFunc(ignored, matches) {
			found = append(found, name+": not a top-level entry; move it into a layer or docs")
		}
	}
	return found
}

// ignoredNames reads the root's .gitignore, whose patterns are plain names here.
func ignoredNames(t *tree) []string {
	text, err := os.ReadFile(t.abs(".gitignore"))
	if err != nil {
		return nil // nothing is ignored
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		names = append(names, strings.Trim(strings.TrimSpace(line), "/"))
	}
	return names
}

func strayAssembly(t *tree) []string {
	var found []string
	for _, name := range t.others {
		if path.Ext(name) == ".s" && path.Dir(name) != assemblyHome {
			found = append(found, name+": assembly lives in "+assemblyHome)
		}
	}
	return found
}

// scatteredUnsafe lists imports of unsafe outside its home, and beyond one file per nested module.
func scatteredUnsafe(t *tree) []string {
	var found []string
	first := map[string]string{} // nested module to the one file that may
	for _, s := range t.sources {
		spec := importOf(s, "unsafe")
		switch {
		case spec == nil || s.dir() == unsafeHome:
		case s.module == ".":
			found = append(found, t.at(spec)+": unsafe is imported by "+unsafeHome+" alone")
		case first[s.module] == "":
			first[s.module] = s.path
		default:
			found = append(found, fmt.Sprintf("%s: module %s keeps unsafe in one file, %s",
				t.at(spec), s.module, first[s.module]))
		}
	}
	return found
}

func importOf(s source, importPath string) *ast.ImportSpec {
	for _, spec := range s.syntax.Imports {
		if pathOf(spec) == importPath {
			return spec
		}
	}
	return nil
}

func pathOf(spec *ast.ImportSpec) string {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return importPath
}

func badImports(t *tree) []string {
	var found []string
	for _, s := range t.sources {
		allowed, known := layerOf(s.dir())
		if !known {
			found = append(found, fmt.Sprintf(
				"%s: package %s has no layer; see mayImport in cmd/check", t.at(s.syntax), s.dir()))
			continue
		}
		for _, spec := range s.syntax.Imports {
			if why := t.refusal(s, allowed, pathOf(spec)); why != "" {
				found = append(found, t.at(spec)+": "+why)
			}
		}
	}
	return found
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

// refusal says why a file may not import a path, or nothing if it may.
func (t *tree) refusal(s source, allowed []string, importPath string) string {
	pkg, ours := t.ours(importPath)
	switch {
	case importPath == "C":
		return "no C in this tree"
	case ours && s.isTest():
		return t.testRefusal(s, pkg)
	case ours && !anyCovers(allowed, pkg):
		return fmt.Sprintf("%s may not import %s; it may import: %s",
			s.dir(), pkg, strings.Join(allowed, ", "))
	case !ours && s.module == "." && isThirdParty(importPath):
		return dependencyRefusal(s, importPath)
	}
	return ""
}

// testRefusal: a test may look at any layer, but a module never at one nested in it.
func (t *tree) testRefusal(s source, pkg string) string {
	if s.module == "." && t.moduleOf(pkg+"/") != "." {
		return "the root module may not import " + pkg + ", which is another module"
	}
	return ""
}

func dependencyRefusal(s source, importPath string) string {
	if importPath == cpuFeatures && s.dir() == assemblyHome ||
		importPath == compression && s.dir() == savesHome ||
		importPath == quickly && s.dir() == deltasHome ||
		slices.Contains(memory, importPath) && (s.dir() == rangesHome || s.dir() == sharedHome) {
		return ""
	}
	allowed := dependencies
	if s.isTest() {
		allowed = slices.Concat(dependencies, testDependencies)
	}
	for _, module := range allowed {
		if covers(module+"/...", importPath) {
			return ""
		}
	}
	return importPath + " is not among the root module's dependencies"
}

func anyCovers(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return covers(pattern, pkg) })
}

// isThirdParty: outside the standard library, the first element of a path has a dot.
func isThirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}
