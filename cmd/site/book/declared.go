package book

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"html"
	"html/template"
	"path"
	"strings"
)

// A packageWriter writes the page of a package.
type packageWriter struct {
	*book
	*pkg
	to  *page
	out bytes.Buffer
}

// writePackage makes a page of a package's comments and declarations, as go doc prints them.
func (b *book) writePackage(to *page, p *pkg) error {
	w := &packageWriter{book: b, pkg: p, to: to}
	to.addHeading(heading{1, "", "package " + p.dir})
	fmt.Fprintf(&w.out, "<h1>package %s</h1>\n", p.dir)
	w.code(fmt.Sprintf("import %q\n", p.ImportPath))
	w.comment(p.Doc)
	w.examples(p.Examples)
	w.declarations()
	to.Body = template.HTML(w.out.String())
	return nil
}

// declarations writes constants and variables, functions, and types with what belongs to them.
func (w *packageWriter) declarations() {
	w.title("Constants", len(w.Consts))
	w.values(w.Consts)
	w.title("Variables", len(w.Vars))
	w.values(w.Vars)
	w.title("Functions", len(w.Funcs))
	w.functions(w.Funcs)
	w.title("Types", len(w.Types))
	for _, t := range w.Types {
		w.entry("type ", t.Name, t.Decl, t.Doc, t.Examples)
		w.values(append(t.Consts, t.Vars...))
		w.functions(append(t.Funcs, t.Methods...))
	}
}

// title begins the part of the page for so many declarations of a sort, if there are any.
func (w *packageWriter) title(words string, n int) {
	if n > 0 {
		id := "pkg-" + strings.ToLower(words)
		w.to.addHeading(heading{2, id, words})
		fmt.Fprintf(&w.out, "<h2 id=%q>%s</h2>\n", id, words)
	}
}

// values writes groups of constants or variables, each of which can be linked to.
func (w *packageWriter) values(all []*doc.Value) {
	for _, v := range all {
		for _, name := range v.Names {
			fmt.Fprintf(&w.out, "<span id=%q></span>", name)
			w.found(name, v.Doc)
		}
		w.node(v.Decl)
		w.comment(v.Doc)
	}
}

// found lists what is explained here for the search.
func (w *packageWriter) found(name, text string) {
	w.to.sections = append(w.to.sections, section{
		Page: w.to.name, ID: name, Title: w.Name + "." + name, Text: string(w.Text(text)),
	})
}

func (w *packageWriter) functions(all []*doc.Func) {
	for _, f := range all {
		f.Decl.Body = nil
		w.entry("func ", nameOf(f), f.Decl, f.Doc, f.Examples)
	}
}

// entry writes a function, a method or a type.
func (w *packageWriter) entry(
	what, name string, decl ast.Decl, text string, examples []*doc.Example,
) {
	w.to.headings = append(w.to.headings, heading{3, name, name})
	w.found(name, text)
	fmt.Fprintf(&w.out, "<h3 id=%q><span class=\"what\">%s</span>%s</h3>\n", name, what, name)
	for _, member := range members(decl) {
		fmt.Fprintf(&w.out, "<span id=%q></span>", name+"."+member)
	}
	w.node(decl)
	w.comment(text)
	w.examples(examples)
}

// members returns the names of a type's fields, or of an interface's methods: comments link there.
func members(decl ast.Decl) (names []string) {
	types, is := decl.(*ast.GenDecl)
	if !is {
		return nil
	}
	for _, spec := range types.Specs {
		var list *ast.FieldList
		switch t := spec.(*ast.TypeSpec).Type.(type) {
		case *ast.StructType:
			list = t.Fields
		case *ast.InterfaceType:
			list = t.Methods
		default:
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// node writes a part of a source.
func (w *packageWriter) node(n ast.Node) {
	var b strings.Builder
	if err := format.Node(&b, w.sources, n); err != nil {
		w.fail("%s: %w", w.dir, err)
	}
	code := b.String()
	if _, is := n.(ast.Decl); !is {
		code = strings.TrimSpace(code)
	}
	w.code(code)
}

func (w *packageWriter) code(code string) {
	if err := w.writeCode(&w.out, w.to, code, "go"); err != nil {
		w.fail("%s: %w", w.dir, err)
	}
}

// examples writes the examples of the tests, which are known to run.
func (w *packageWriter) examples(all []*doc.Example) {
	for _, e := range all {
		title := "Example"
		if e.Suffix != "" {
			title += ": " + strings.ReplaceAll(e.Suffix, "_", " ")
		}
		fmt.Fprintf(&w.out, "<details class=\"example\"><summary>%s</summary>\n",
			html.EscapeString(title))
		w.node(e.Code)
		if e.Output != "" {
			fmt.Fprintf(&w.out, "<pre class=\"output\">%s</pre>", html.EscapeString(e.Output))
		}
		w.out.WriteString("</details>\n")
	}
}

// comment writes a comment with its links.
func (w *packageWriter) comment(text string) {
	if n := len(w.to.sections); n == 1 {
		w.to.sections[0].Text = string(w.Text(text))
	}
	printer := w.Printer()
	printer.HeadingLevel = 2
	printer.DocLinkURL = w.link
	parsed := w.Parser().Parse(text)
	for _, block := range parsed.Content {
		if h, is := block.(*comment.Heading); is {
			var words comment.Printer
			title := string(words.Text(&comment.Doc{Content: []comment.Block{
				&comment.Paragraph{Text: h.Text},
			}}))
			w.to.addHeading(heading{2, h.DefaultID(), strings.TrimSpace(title)})
		}
	}
	w.out.Write(printer.HTML(parsed))
}

// link returns where a link of a comment leads.
func (w *packageWriter) link(l *comment.DocLink) string {
	dir := w.dir
	if l.ImportPath != "" {
		below, ours := strings.CutPrefix(l.ImportPath, module+"/")
		if !ours {
			return l.DefaultURL("https://pkg.go.dev/")
		}
		dir = below
	}
	to := w.pageOf(dir)
	if to == nil {
		return "https://pkg.go.dev/" + path.Join(module, dir)
	}
	name := strings.TrimPrefix(l.Recv+"."+l.Name, ".")
	switch {
	case name == "":
		return relative(w.to.name, to.name)
	case to == w.to:
		return "#" + name
	}
	return relative(w.to.name, to.name) + "#" + name
}
