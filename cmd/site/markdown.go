package main

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Strikethrough, extension.Linkify,
		extension.NewTable(extension.WithTableCellAlignMethod(
			extension.TableCellAlignAttribute))), // the pages' policy forbids styles
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute()),
	goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()), // for tables with code
)

// render converts a page's Markdown to HTML.
func (b *book) render(p *page) error {
	source, err := b.markdown(p)
	if err != nil {
		return err
	}
	root := markdown.Parser().Parse(text.NewReader(source))
	var nodes []ast.Node // all of them first, because adapt replaces some
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range nodes {
		if err := b.adapt(p, n, source); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, root); err != nil {
		return err
	}
	p.Body = template.HTML(out.String())
	b.readSections(p)
	return nil
}

// symbol matches an exported name of a package, with an optional method.
var symbol = regexp.MustCompile(`^[a-z]+\.[A-Z]\w*(\.[A-Z]\w*)?`)

// adapt converts links of the tree to links of the site, links names to their declarations, and
// colours code.
func (b *book) adapt(p *page, n ast.Node, source []byte) error {
	switch n := n.(type) {
	case *ast.Link:
		n.Destination = []byte(b.target(p, string(n.Destination)))
	case *ast.Image:
		n.Destination = []byte(b.picture(p, string(n.Destination)))
		n.SetAttributeString("loading", []byte("lazy"))
	case *ast.CodeSpan:
		words := n.FirstChild().(*ast.Text).Value(source)
		to := b.symbols[string(symbol.Find(words))]
		if to != "" && n.Parent().Kind() != ast.KindLink {
			link := ast.NewLink()
			link.Destination = []byte(p.Root() + to)
			n.Parent().ReplaceChild(n.Parent(), n, link)
			link.AppendChild(link, n)
		}
	case *ast.FencedCodeBlock:
		return b.colour(p, n, string(n.Lines().Value(source)), string(n.Language(source)))
	case *ast.CodeBlock:
		return b.colour(p, n, string(n.Lines().Value(source)), "")
	}
	return nil
}

// colour replaces a block of code by spans with classes of the style sheet. A program that the page
// can run gets a button.
func (b *book) colour(p *page, n ast.Node, code, language string) error {
	var out bytes.Buffer
	if name := b.programs[strings.TrimSpace(code)]; name != "" {
		fmt.Fprintf(&out, `<div class="run" data-program="%sprograms/%s.wasm">`+
			`<button type="button" hidden>Run %[2]s</button><pre role="status" hidden></pre></div>`,
			p.Root(), name)
	}
	lexer := lexers.Get(language)
	if lexer == nil || language == "" {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return err
	}
	format := chromahtml.New(chromahtml.WithClasses(true), chromahtml.TabWidth(4))
	if err := format.Format(&out, styles.Fallback, tokens); err != nil {
		return err
	}
	raw := ast.NewString(out.Bytes())
	raw.SetCode(true)
	n.Parent().ReplaceChild(n.Parent(), n, raw)
	return nil
}

// A section is a search result: a heading and the text below it.
type section struct {
	Tag   string `json:"-"` // h1 to h6, or dfn for a name without a heading
	ID    string `json:"i"` // short names, since there are thousands of sections
	Title string `json:"t"`
	Text  string `json:"x"` // the beginning of the text
}

// An entry is a page in the search index.
type entry struct {
	Title    string    `json:"p"`
	URL      string    `json:"u"`
	Sections []section `json:"s"`
}

var (
	heading = regexp.MustCompile(`<(h[1-6]|dfn) id="([^"]*)">(.*?)</(?:h[1-6]|dfn)>`)
	named   = regexp.MustCompile(`<[a-z0-9]+\s[^>]*?\bid="([^"]*)"`)
	tag     = regexp.MustCompile(`<[^>]*>`)
)

// readSections finds a page's title, its sections, and the symbols that a package's page documents.
func (b *book) readSections(p *page) {
	body := string(p.Body)
	words := func(from, to int) string {
		plain := html.UnescapeString(tag.ReplaceAllString(body[from:to], ""))
		return strings.Join(strings.Fields(plain), " ")
	}
	found := heading.FindAllStringSubmatchIndex(body, -1)
	for i, at := range found {
		end := len(body)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		s := section{Tag: body[at[2]:at[3]], ID: body[at[4]:at[5]], Title: words(at[6], at[7])}
		switch {
		case i == 0:
			p.Title = cmp.Or(p.Title, s.Title)
		case p.pkg != nil && (s.Tag == "h3" || s.Tag == "dfn"):
			s.Title = p.pkg.Name + "." + s.ID
		}
		s.Text = words(at[1], end)
		s.Text = strings.ToValidUTF8(s.Text[:min(len(s.Text), 1_600)], "")
		p.Sections = append(p.Sections, s)
	}
	for _, id := range named.FindAllStringSubmatch(body, -1) {
		b.ids[p.Name+"#"+id[1]] = true
		if p.pkg != nil {
			b.symbols[p.pkg.Name+"."+id[1]] = p.Name + "#" + id[1]
		}
	}
}
