package book

import (
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// A codeRenderer colours code, links names in it to where they are explained, and gives programs a
// button.
type codeRenderer struct {
	*book
	page *page
}

// RegisterFuncs implements renderer.NodeRenderer.
func (r *codeRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindFencedCodeBlock, r.block)
	register.Register(ast.KindCodeBlock, r.block)
	register.Register(ast.KindCodeSpan, r.span)
}

func (r *codeRenderer) block(
	w util.BufWriter, source []byte, n ast.Node, entering bool,
) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	language := ""
	if fenced, is := n.(*ast.FencedCodeBlock); is {
		language = string(fenced.Language(source))
	}
	var code strings.Builder
	lines := n.Lines()
	for i := range lines.Len() {
		at := lines.At(i)
		code.Write(at.Value(source))
	}
	return ast.WalkSkipChildren, r.writeCode(w, r.page, code.String(), language)
}

// writeCode writes code in colours, and a button above it if it is a program that runs here.
func (b *book) writeCode(w io.Writer, p *page, code, language string) error {
	for _, program := range b.Programs {
		if strings.TrimSpace(code) == strings.TrimSpace(program.Source) {
			file := relative(p.name, "programs/"+program.Name+".wasm")
			if _, err := io.WriteString(w, `<div class="run" data-program="`+file+`">`+
				`<button type="button" hidden>Run `+html.EscapeString(program.Name)+
				`</button><pre role="status" hidden></pre></div>`+"\n"); err != nil {
				return err
			}
		}
	}
	return highlight(w, code, language)
}

// highlight writes code as spans whose classes the style sheet colours.
func highlight(w io.Writer, code, language string) error {
	lexer := lexers.Get(language)
	if lexer == nil || language == "" {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return err
	}
	format := chromahtml.New(chromahtml.WithClasses(true), chromahtml.TabWidth(4))
	return format.Format(w, styles.Fallback, tokens)
}

// span writes code within a line, and links it if it begins with a name of ours.
func (r *codeRenderer) span(
	w util.BufWriter, source []byte, n ast.Node, entering bool,
) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	words := spanText(n, source)
	code := "<code>" + html.EscapeString(words) + "</code>"
	if to := r.symbols[symbol.FindString(words)]; to != "" && !within[*ast.Link](n) {
		code = `<a href="` + relative(r.page.name, to) + `">` + code + "</a>"
	}
	_, err := w.WriteString(code)
	return ast.WalkSkipChildren, err
}

// symbol is a name that a package exports, and a method's after it.
var symbol = regexp.MustCompile(`^[a-z]+\.[A-Z]\w*(\.[A-Z]\w*)?`)

func spanText(n ast.Node, source []byte) string {
	var words strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, is := c.(*ast.Text); is {
			words.WriteString(strings.ReplaceAll(string(t.Segment.Value(source)), "\n", " "))
		}
	}
	return words.String()
}

// within says whether a node stands in one of a type.
func within[T ast.Node](n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if _, is := p.(T); is {
			return true
		}
	}
	return false
}
