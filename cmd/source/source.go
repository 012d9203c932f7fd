// Package source reads packages of the tree as go doc shows them on Linux.
package source

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Module is the module of the library.
const Module = "github.com/flatecs/flatecs"

// A Package is what go doc shows of a folder.
type Package struct {
	*doc.Package
	Dir string // world/save
	Set *token.FileSet
}

// Read reads the package in a folder, with the examples of its tests, or returns nil if there is
// none.
func Read(set *token.FileSet, tree fs.FS, dir string) (*Package, error) {
	files, err := Files(set, tree, dir, true)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	p, err := doc.NewFromFiles(set, files, path.Join(Module, dir)) // it keeps the files
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
