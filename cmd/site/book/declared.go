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
	if err := w.code(fmt.Sprintf("import %q\n", p.ImportPath)); err != nil {
		return err
	}
	w.comment(p.Doc)
	if err := w.examples(p.Examples); err != nil {
		return err
	}
	if err := w.declarations(); err != nil {
		return err
	}
	to.Body = template.HTML(w.out.String())
	return nil
}

// declarations writes constants and variables, functions, and types with what belongs to them.
func (w *packageWriter) declarations() error {
	if err := w.values("Constants", w.Consts); err != nil {
		return err
	}
	if err := w.values("Variables", w.Vars); err != nil {
		return err
	}
	if len(w.Funcs) > 0 {
		w.heading(2, "pkg-functions", "Functions")
	}
	if err := w.functions(w.Funcs); err != nil {
		return err
	}
	if len(w.Types) > 0 {
		w.heading(2, "pkg-types", "Types")
	}
	for _, t := range w.Types {
		if err := w.entry("type ", t.Name, t.Decl, t.Doc, t.Examples); err != nil {
			return err
		}
		for _, v := range append(t.Consts, t.Vars...) {
			if err := w.value(v); err != nil {
				return err
			}
		}
		if err := w.functions(append(t.Funcs, t.Methods...)); err != nil {
			return err
		}
	}
	return nil
}

func (w *packageWriter) heading(level int, id, words string) {
	w.to.addHeading(heading{level, id, words})
	fmt.Fprintf(&w.out, "<h%d id=%q>%s</h%d>\n", level, id, html.EscapeString(words), level)
}

func (w *packageWriter) values(title string, all []*doc.Value) error {
	if len(all) > 0 {
		w.heading(2, "pkg-"+strings.ToLower(title), title)
	}
	for _, v := range all {
		if err := w.value(v); err != nil {
			return err
		}
	}
	return nil
}

// value writes a group of constants or variables, each of which can be linked to.
func (w *packageWriter) value(v *doc.Value) error {
	for _, name := range v.Names {
		fmt.Fprintf(&w.out, "<span id=%q></span>", name)
		w.to.sections = append(w.to.sections, section{
			Page: w.to.name, ID: name, Title: w.Name + "." + name, Text: string(w.Text(v.Doc)),
		})
	}
	if err := w.declaration(v.Decl); err != nil {
		return err
	}
	w.comment(v.Doc)
	return nil
}

func (w *packageWriter) functions(all []*doc.Func) error {
	for _, f := range all {
		if err := w.entry("func ", nameOf(f), f.Decl, f.Doc, f.Examples); err != nil {
			return err
		}
	}
	return nil
}

// entry writes a function, a method or a type.
func (w *packageWriter) entry(
	what, name string, decl ast.Decl, text string, examples []*doc.Example,
) error {
	w.to.headings = append(w.to.headings, heading{3, name, name})
	w.to.sections = append(w.to.sections, section{
		Page: w.to.name, ID: name, Title: w.Name + "." + name, Text: string(w.Text(text)),
	})
	fmt.Fprintf(&w.out, "<h3 id=%q><span class=\"what\">%s</span>%s</h3>\n", name, what, name)
	for _, member := range members(decl) {
		fmt.Fprintf(&w.out, "<span id=%q></span>", name+"."+member)
	}
	if err := w.declaration(decl); err != nil {
		return err
	}
	w.comment(text)
	return w.examples(examples)
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

func (w *packageWriter) declaration(decl ast.Decl) error {
	if f, is := decl.(*ast.FuncDecl); is {
		f.Body = nil
	}
	var b bytes.Buffer
	if err := format.Node(&b, w.sources, decl); err != nil {
		return err
	}
	return w.code(b.String())
}

func (w *packageWriter) code(code string) error {
	return w.writeCode(&w.out, w.to, code, "go")
}

// examples writes the examples of the tests, which are known to run.
func (w *packageWriter) examples(all []*doc.Example) error {
	for _, e := range all {
		title := "Example"
		if e.Suffix != "" {
			title += ": " + strings.ReplaceAll(e.Suffix, "_", " ")
		}
		fmt.Fprintf(&w.out, "<details class=\"example\"><summary>%s</summary>\n",
			html.EscapeString(title))
		var b bytes.Buffer
		if err := format.Node(&b, w.sources, e.Code); err != nil {
			return err
		}
		if err := w.code(strings.TrimSpace(b.String())); err != nil {
			return err
		}
		if e.Output != "" {
			fmt.Fprintf(&w.out, "<pre class=\"output\">%s</pre>", html.EscapeString(e.Output))
		}
		w.out.WriteString("</details>\n")
	}
	return nil
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
