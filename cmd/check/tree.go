package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A tree is everything the rules look at, read once.
type tree struct {
	root    string   // directory that holds go.work
	path    string   // import path of the root module
	modules []module // the root module first
	sources []source
	others  []string // files that are not Go, as slash-separated paths from root
	broken  []string // what did not parse
	fset    *token.FileSet
}

// A module is a directory with a go.mod.
type module struct {
	dir  string // slash-separated, from the tree's root; "." is the root module
	path string // import path
}

// A source is one Go file outside testdata.
type source struct {
	path   string // slash-separated, from the tree's root
	module string // dir of its module
	lines  int
	syntax *ast.File // what could be parsed of it
}

func (s source) dir() string { return path.Dir(s.path) }

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// findRoot climbs from dir to the directory that holds the go.work of the tree. That of a nested
// module has a "../.." in it.
func findRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		work, err := os.ReadFile(filepath.Join(dir, "go.work"))
		if err == nil && !bytes.Contains(work, []byte("../..")) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("check: no go.work here or above; run it inside the tree")
		}
		dir = parent
	}
}

func loadTree(root string) (*tree, error) {
	t := &tree{root: root, fset: token.NewFileSet()}
	if err := t.walk("."); err != nil {
		return nil, err
	}
	if len(t.modules) == 0 || t.modules[0].dir != "." {
		return nil, fmt.Errorf("check: %s has no go.mod", root)
	}
	t.path = t.modules[0].path
	return t, nil
}

// walk reads one directory: its go.mod first, so that its files know their module.
func (t *tree) walk(dir string) error {
	entries, err := os.ReadDir(t.abs(dir))
	if err != nil {
		return err
	}
	if err := t.readModule(dir); err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.IsDir() && !isHidden(entry.Name()):
			err = t.walk(name)
		case !entry.IsDir() && strings.HasSuffix(name, ".go"):
			err = t.readSource(name)
		case !entry.IsDir():
			t.others = append(t.others, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isHidden says whether the go command, too, passes a directory by.
func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

func (t *tree) readModule(dir string) error {
	mod, err := os.ReadFile(t.abs(path.Join(dir, "go.mod")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			t.modules = append(t.modules, module{dir: dir, path: strings.TrimSpace(name)})
			return nil
		}
	}
	return fmt.Errorf("check: %s/go.mod names no module", dir)
}

func (t *tree) readSource(name string) error {
	text, err := os.ReadFile(t.abs(name))
	if err != nil {
		return err
	}
	mode := parser.ParseComments | parser.SkipObjectResolution
	syntax, err := parser.ParseFile(t.fset, name, text, mode)
	if err != nil {
		t.broken = append(t.broken, err.Error())
	}
	if !syntax.Package.IsValid() {
		return nil // not even a package clause: nothing to look at
	}
	t.sources = append(t.sources, source{
		path:   name,
		module: t.moduleOf(name),
		lines:  bytes.Count(text, []byte("\n")),
		syntax: syntax,
	})
	return nil
}

// moduleOf returns the innermost module read so far that holds the file.
func (t *tree) moduleOf(name string) string {
	innermost := "."
	for _, m := range t.modules {
		if strings.HasPrefix(name, m.dir+"/") && len(m.dir) > len(innermost) {
			innermost = m.dir
		}
	}
	return innermost
}

func (t *tree) abs(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// at says where a node is, for the front of a problem.
func (t *tree) at(node ast.Node) string {
	return fmt.Sprintf("%s:%d", t.fset.File(node.Pos()).Name(), t.line(node.Pos()))
}

func (t *tree) line(pos token.Pos) int { return t.fset.Position(pos).Line }

// ours returns what follows the root module's path in an import path.
func (t *tree) ours(importPath string) (string, bool) {
	if importPath == t.path {
		return ".", true
	}
	return strings.CutPrefix(importPath, t.path+"/")
}

// hasSources says whether a module has anything to compile yet.
func (t *tree) hasSources(m module) bool {
	for _, s := range t.sources {
		if s.module == m.dir {
			return true
		}
	}
	return false
}
