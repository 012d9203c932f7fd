package main

import (
	"bytes"
	"cmp"
	"go/doc"
	"go/doc/comment"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/flatecs/flatecs/cmd/source"
)

// A pkg is a package of the library.
type pkg struct{ *source.Package }

// group returns the menu group of a package.
func (p pkg) group() string {
	if top, _, _ := strings.Cut(p.Dir, "/"); top == "world" || top == "layout" {
		return "Packages for programs"
	}
	return "Packages below"
}

// markdown returns the Markdown of a page: a file of the tree, or the output of its template.
func (b *book) markdown(p *page) ([]byte, error) {
	if p.template == "" {
		return fs.ReadFile(b.tree, p.Source)
	}
	about := pkg{cmp.Or(p.pkg, &source.Package{Package: &doc.Package{}})}
	t, err := template.New("").Funcs(template.FuncMap{
		"code": about.Code, "comment": about.comment,
		"name": source.Name, "members": source.Members,
	}).ParseFS(templates, "templates/*.md")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, p.template, map[string]any{"Book": b, "Package": about})
	return out.Bytes(), err
}

// comment converts a comment to Markdown.
func (p pkg) comment(text string) string {
	var out strings.Builder
	printer := comment.Printer{HeadingLevel: 2, DocLinkBaseURL: "https://pkg.go.dev"}
	for _, block := range p.Parser().Parse(text).Content {
		if code, is := block.(*comment.Code); is { // a list above would continue into indented code
			out.WriteString("~~~\n" + code.Text + "~~~\n\n")
			continue
		}
		out.Write(printer.Markdown(&comment.Doc{Content: []comment.Block{block}}))
		out.WriteString("\n")
	}
	return strings.TrimSpace(out.String())
}

// An example is a program of cmd/examples.
type example struct {
	Name, Source string
	Ends         bool // a test knows its output; from one file, a page can run it
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
		disk := bytes.Contains(source, []byte("os.MkdirTemp")) // pages have no disk
		ends := len(files) == 2 && b.Has(dir+"/main_test.go") && !disk
		all = append(all, example{path.Base(dir), string(source), ends})
	}
	return all, nil
}

// Has reports whether the tree contains a file.
func (b *book) Has(name string) bool {
	_, err := fs.Stat(b.tree, name)
	return err == nil
}
