package book

import (
	"fmt"
	"go/doc/comment"
	"html"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// sceneProgram is the page that shows scenes, which others put there.
const sceneProgram = "scenes/index.html"

// writeScenes makes the page on which scenes are looked at.
func (b *book) writeScenes(p *page) error {
	var body strings.Builder
	p.addHeading(heading{1, "", "Scenes"})
	body.WriteString("<h1>Scenes</h1>\n<p>The library itself, compiled for the browser. " +
		"Nothing is loaded before a button is pressed; then it is about a megabyte. " +
		"In a terminal the same scenes are <code>go run ./cmd/flatecs</code>.</p>\n")
	for _, s := range b.Scenes {
		p.addHeading(heading{2, s.Name, s.Name})
		p.sections[len(p.sections)-1].Text = s.About
		link := relative(p.name, sceneProgram) + "?scene=" + s.Name
		about, picture := html.EscapeString(s.About), ""
		name := "docs/pictures/" + s.Name + ".png"
		if _, err := fs.Stat(b.Tree, name); err == nil {
			picture = `<img src="` + b.picture(p, name) + `" alt="` + about + `" loading="lazy">`
		}
		fmt.Fprintf(&body, "<h2 id=%q>%s</h2>\n<p>%s</p>\n", s.Name, s.Name, about)
		fmt.Fprintf(&body, `<div class="scene" data-scene="%s">%s`+
			`<p><button type="button" hidden>Run %s here</button> `+
			`<a href="%s">on a page of its own</a></p></div>`+"\n", link, picture, s.Name, link)
	}
	p.Body = template.HTML(body.String())
	return nil
}

// listed is an example in the README's table.
var listed = regexp.MustCompile("`go run ./cmd/examples/(\\w+)`")

// writeExamples makes the page of the example programs.
func (b *book) writeExamples(p *page) error {
	var body strings.Builder
	p.addHeading(heading{1, "", "Examples"})
	body.WriteString("<h1>Examples</h1>\n<p>Whole programs. A button above runs one here, " +
		"compiled for the browser, and shows what it prints.</p>\n")
	readme, err := fs.ReadFile(b.Tree, "README.md")
	if err != nil {
		return err
	}
	for _, name := range listed.FindAllSubmatch(readme, -1) {
		text, err := fs.ReadFile(b.Tree, path.Join("cmd/examples", string(name[1]), "main.go"))
		if err != nil {
			return err
		}
		if err := b.writeExample(p, &body, string(name[1]), string(text)); err != nil {
			return err
		}
	}
	p.Body = template.HTML(body.String())
	return nil
}

// writeExample writes what a program says of itself, and its source.
func (b *book) writeExample(p *page, body *strings.Builder, name, source string) error {
	says, _, _ := strings.Cut(source, "\npackage main")
	var text strings.Builder
	for line := range strings.Lines(says) {
		text.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	p.addHeading(heading{2, name, name})
	p.sections[len(p.sections)-1].Text = text.String()
	fmt.Fprintf(body, "<h2 id=%q>%s</h2>\n", name, html.EscapeString(name))
	var parser comment.Parser
	var printer comment.Printer
	body.Write(printer.HTML(parser.Parse(text.String())))
	return b.writeCode(body, p, source, "go")
}
