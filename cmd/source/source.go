// Package source reads packages of the tree as go doc shows them on Linux.
package source

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Module is the module of the library.
const Module = "github.com/flatecs/flatecs"

// A Package is the documentation of the package in a folder, as go doc shows it.
type Package struct {
	*doc.Package
	Dir string // world/save
	Set *token.FileSet
}

// noLibrary are folders without packages of the library.
var noLibrary = []string{"bench", "cmd", "docs", "internal", "testdata"}

// ReadAll reads the packages that programs may import, by folder, except the root's, which exports
// nothing.
func ReadAll(tree fs.FS) (all []*Package, err error) {
	err = fs.WalkDir(tree, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains(noLibrary, d.Name()) || dir != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		p, err := Read(token.NewFileSet(), tree, dir)
		if p != nil && dir != "." {
			all = append(all, p)
		}
		return err
	})
	return all, err
}

// Read reads the package in a folder, with the examples of its tests. It returns nil if there is no
// package.
func Read(set *token.FileSet, tree fs.FS, dir string) (*Package, error) {
	files, err := Files(set, tree, dir, true)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	p, err := doc.NewFromFiles(set, files, path.Join(Module, dir)) // it retains the files
	return &Package{p, dir, set}, err
}

// Files parses the files of a folder, by name.
func Files(set *token.FileSet, tree fs.FS, dir string, tests bool) (files []*ast.File, err error) {
	machine := build.Context{GOOS: "linux", GOARCH: "amd64", Compiler: "gc"}
	machine.OpenFile = func(name string) (io.ReadCloser, error) { return tree.Open(name) }
	names, err := fs.Glob(tree, path.Join(dir, "*.go"))
	for _, name := range names {
		fits, err := machine.MatchFile(dir, path.Base(name))
		if err != nil || !fits || !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, err
}

// Code returns the source of a declaration, formatted.
func (p *Package) Code(n any) (string, error) {
	var out strings.Builder
	err := format.Node(&out, p.Set, n)
	return strings.TrimSpace(out.String()), err
}

// Name returns the name of a function, or Type.Method.
func Name(f *doc.Func) string {
	if f.Recv == "" {
		return f.Name
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
	return name + "." + f.Name
}

// Members returns the exported fields of a struct, or the methods of an interface.
func Members(t *doc.Type) (names []string) {
	ast.Inspect(t.Decl.Specs[0].(*ast.TypeSpec).Type, func(n ast.Node) bool {
		field, is := n.(*ast.Field)
		if is {
			for _, name := range field.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
		return !is
	})
	return names
}
