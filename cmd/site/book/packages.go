package book

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const module = "github.com/flatecs/flatecs"

// A pkg is a package of the library.
type pkg struct {
	*doc.Package
	dir     string // world/save
	group   string
	sources *token.FileSet
}

// page returns a package's page.
func (p *pkg) page() *page {
	return &page{
		name: "pkg/" + p.dir + ".html", group: p.group, short: p.dir, source: p.dir,
		write: func(b *book, to *page) error { return b.writePackage(to, p) },
	}
}

// readPackages reads the packages that others may import, in order, and lists their symbols.
func (b *book) readPackages() (all []*pkg, err error) {
	err = fs.WalkDir(b.Tree, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains(noLibrary, d.Name()) || dir != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		p, err := readPackage(b.Tree, dir)
		if p != nil {
			all = append(all, p)
			b.addSymbols(p)
		}
		return err
	})
	return all, err
}

// noLibrary are folders in which no package of the library is.
var noLibrary = []string{"bench", "cmd", "docs", "internal", "testdata"}

// machine is the one whose files are read, where files are for some machines only.
var machine = build.Context{GOOS: "linux", GOARCH: "amd64", Compiler: "gc"}

// readPackage reads the package in a folder, or nil if there is none.
func readPackage(tree fs.FS, dir string) (*pkg, error) {
	sources, err := fs.Glob(tree, path.Join(dir, "*.go"))
	if err != nil || len(sources) == 0 {
		return nil, err
	}
	p := &pkg{dir: dir, group: groupOf(dir), sources: token.NewFileSet()}
	context := machine
	context.OpenFile = func(name string) (io.ReadCloser, error) { return tree.Open(name) }
	var parsed []*ast.File
	for _, name := range sources {
		if fits, err := context.MatchFile(dir, path.Base(name)); err != nil || !fits {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(p.sources, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	if p.Package, err = doc.NewFromFiles(p.sources, parsed, path.Join(module, dir)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return p, nil
}

// groupOf returns where in the menu a package is.
func groupOf(dir string) string {
	if top, _, _ := strings.Cut(dir, "/"); top == "world" || top == "layout" {
		return programs
	}
	return below
}

// addSymbols says where a package's names are explained.
func (b *book) addSymbols(p *pkg) {
	values, functions := slices.Concat(p.Consts, p.Vars), p.Funcs
	var names []string
	for _, t := range p.Types {
		names = append(names, t.Name)
		values = slices.Concat(values, t.Consts, t.Vars)
		functions = slices.Concat(functions, t.Funcs, t.Methods)
	}
	for _, v := range values {
		names = append(names, v.Names...)
	}
	for _, f := range functions {
		names = append(names, nameOf(f))
	}
	for _, name := range names {
		b.symbols[p.Name+"."+name] = "pkg/" + p.dir + ".html#" + name
	}
}

// nameOf returns a function's name, or a method's after that of its type.
func nameOf(f *doc.Func) string {
	if f.Recv == "" {
		return f.Name
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
	return name + "." + f.Name
}
