package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/flatecs/flatecs/cmd/source"
)

// A pkg is a package of the library.
type pkg struct{ *source.Package }

// group returns where in the menu a package is.
func (p *pkg) group() string {
	if top, _, _ := strings.Cut(p.Dir, "/"); top == "world" || top == "layout" {
		return "Packages for programs"
	}
	return "Packages below"
}

// noLibrary are folders in which no package of the library is.
var noLibrary = []string{"bench", "cmd", "docs", "internal", "testdata"}

// readPackages reads the packages that others may import: those for programs, then those below.
func readPackages(tree fs.FS) (all []*pkg, err error) {
	err = fs.WalkDir(tree, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains(noLibrary, d.Name()) || dir != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		p, err := source.Read(token.NewFileSet(), tree, dir)
		if p != nil {
			all = append(all, &pkg{p})
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b *pkg) int { return -cmp.Compare(a.group(), b.group()) })
	return all, err
}

// markdown returns the Markdown of a page: a file of the tree, or what its template makes.
func (b *book) markdown(p *page) ([]byte, error) {
	if p.template == "" {
		return fs.ReadFile(b.tree, p.Source)
	}
	about := cmp.Or(p.pkg, &pkg{&source.Package{Package: &doc.Package{}}})
	t, err := template.New("").Funcs(template.FuncMap{
		"code": about.code, "comment": about.comment, "name": nameOf, "members": members,
	}).ParseFS(templates, "templates/*.md")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, p.template, map[string]any{"Book": b, "Package": about})
	return out.Bytes(), err
}

// code returns the source of a declaration or an example.
func (p *pkg) code(n any) (string, error) {
	var out strings.Builder
	err := format.Node(&out, p.Set, n)
	return strings.TrimSpace(out.String()), err
}

// comment returns a comment in Markdown.
func (p *pkg) comment(text string) string {
	var out strings.Builder
	printer := comment.Printer{HeadingLevel: 2, DocLinkBaseURL: "https://pkg.go.dev"}
	for _, block := range p.Parser().Parse(text).Content {
		if code, is := block.(*comment.Code); is { // indented code would go on with a list above it
			out.WriteString("~~~\n" + code.Text + "~~~\n\n")
			continue
		}
		out.Write(printer.Markdown(&comment.Doc{Content: []comment.Block{block}}))
		out.WriteString("\n")
	}
	return strings.TrimSpace(out.String())
}

// nameOf returns a function's name, or a method's after that of its type.
func nameOf(f *doc.Func) string {
	if f.Recv == "" {
		return f.Name
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
	return name + "." + f.Name
}

// members returns the names of a type's fields, or of an interface's methods: comments link there.
func members(t *doc.Type) (names []string) {
	ast.Inspect(t.Decl.Specs[0].(*ast.TypeSpec).Type, func(n ast.Node) bool {
		field, is := n.(*ast.Field)
		if is {
			for _, name := range field.Names {
				if name.IsExported() {
					names = append(names, t.Name+"."+name.Name)
				}
			}
		}
		return !is
	})
	return names
}

// An example is a program of cmd/examples.
type example struct {
	Name, Source string
	Ends         bool // by itself: a test says what it prints; from one file, the page can run it
}

// Examples returns the programs of cmd/examples.
func (b *book) Examples() (all []example, err error) {
	names, _ := fs.Glob(b.tree, "cmd/examples/*/main.go")
	for _, name := range names {
		source, err := fs.ReadFile(b.tree, name)
		if err != nil {
			return nil, err
		}
		dir := path.Dir(name)
		files, _ := fs.Glob(b.tree, dir+"/*")
		ends := len(files) == 2 && b.Has(dir+"/main_test.go")
		all = append(all, example{path.Base(dir), string(source), ends})
	}
	return all, nil
}

// Has says whether there is a file in the tree.
func (b *book) Has(name string) bool {
	_, err := fs.Stat(b.tree, name)
	return err == nil
}
