package book

import (
	"bytes"
	"html/template"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// writeMarkdown makes a page of a file in Markdown.
func (b *book) writeMarkdown(p *page) error {
	source, err := fs.ReadFile(b.Tree, p.source)
	if err != nil {
		return err
	}
	return b.render(p, source)
}

// render sets a page's body from Markdown, in which links are as in the tree.
func (b *book) render(p *page, source []byte) error {
	md := goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(
				extension.TableCellAlignAttribute)), // styles in the page are against its policy
			extension.Strikethrough, extension.Linkify,
		),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe(), // tables with code in them
			renderer.WithNodeRenderers(util.Prioritized(&codeRenderer{b, p}, 100))),
	)
	root := md.Parser().Parse(text.NewReader(source),
		parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{taken: map[string]int{}}))))
	b.relink(p, root)
	p.readHeadings(root, source)
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, source, root); err != nil {
		return err
	}
	p.Body = template.HTML(scrollable(out.String()))
	return nil
}

// scrollable lets wide tables be moved sideways within the page, by keys, too.
func scrollable(html string) string {
	return strings.NewReplacer(
		"<table>", `<div class="wide" tabindex="0" role="region" aria-label="table"><table>`,
		"</table>", "</table></div>").Replace(html)
}

// readHeadings finds a page's title, its headings, and what stands below each.
func (p *page) readHeadings(root ast.Node, source []byte) {
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		words := plain(n, source)
		h, isHeading := n.(*ast.Heading)
		if isHeading {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			p.addHeading(heading{h.Level, string(name), words})
			continue
		}
		if n := len(p.sections); n > 0 {
			p.sections[n-1].Text += words + " "
		}
	}
}

// addHeading begins a section.
func (p *page) addHeading(h heading) {
	s := section{Page: p.name, ID: h.ID, Title: h.Text}
	if h.Level == 1 && p.Title == "" {
		p.Title, s.ID = h.Text, ""
	} else {
		p.headings = append(p.headings, h)
	}
	p.sections = append(p.sections, s)
}

// plain returns the words of a node.
func plain(n ast.Node, source []byte) string {
	var words strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				words.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					words.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if lines := n.Lines(); entering {
				for i := range lines.Len() {
					at := lines.At(i)
					words.Write(at.Value(source))
				}
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				words.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(words.String()), " ")
}
