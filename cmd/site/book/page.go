package book

import (
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A page is one of the site.
type page struct {
	name   string // of its file: pkg/world.html
	group  string // of the menu
	short  string // in the menu
	source string // in the tree

	write func(*book, *page) error // sets the rest

	Title    string
	Body     template.HTML
	headings []heading
	sections []section
}

// A heading is one of a page.
type heading struct {
	Level    int
	ID, Text string
}

// A section is what is found by searching: a heading and what stands below it.
type section struct {
	Page  string `json:"p"` // name of its file
	ID    string `json:"a"` // of the heading; empty at the top of a page
	Title string `json:"t"`
	Text  string `json:"b"`
}

// The groups of the menu.
const (
	start    = "Start"
	look     = "Try it"
	tools    = "Tools"
	depth    = "In depth"
	project  = "Project"
	programs = "Packages for programs"
	below    = "Packages below"
)

// written are the pages that somebody wrote, in the order of the menu; those that are made stand
// where their source is empty.
var written = []page{
	{source: "README.md", name: "index.html", group: start, short: "What it is"},
	{source: "docs/GUIDE.md", group: start, short: "Guide"},
	{source: "docs/HOWTO.md", group: start, short: "How to"},
	{source: "docs/COMING-FROM.md", group: start, short: "Coming from …"},
	{source: "docs/SIMULATIONS.md", group: start, short: "Simulations"},
	{name: "scenes.html", group: look, short: "Scenes", write: (*book).writeScenes},
	{name: "examples.html", group: look, short: "Examples", write: (*book).writeExamples},
	{source: "docs/INSPECTOR.md", group: tools, short: "Inspector"},
	{source: "docs/PROFILING.md", group: tools, short: "Profiling"},
	{source: "docs/RESTART.md", group: tools, short: "Restarting"},
	{source: "docs/BROWSER.md", group: tools, short: "In the browser"},
	{source: "docs/EBITENGINE.md", group: tools, short: "Ebitengine"},
	{source: "docs/SCALE.md", group: depth, short: "Several machines"},
	{source: "docs/PERFORMANCE.md", group: depth, short: "Performance"},
	{source: "docs/ARCHITECTURE.md", group: depth, short: "Architecture"},
	{source: "docs/FORMAT.md", group: depth, short: "Save files"},
	{source: "docs/RATIONALE.md", group: depth, short: "Rationale"},
	{source: "docs/FOUNDING.md", group: depth, short: "Founding documents"},
	{source: "docs/GLOSSARY.md", group: depth, short: "Glossary"},
	{source: "CHANGELOG.md", group: project, short: "Changes"},
	{source: "CONTRIBUTING.md", group: project, short: "Contributing"},
	{source: "SECURITY.md", group: project, short: "Security"},
}

// list lists the pages, and what is missing among them.
func (b *book) list(packages []*pkg) {
	for _, p := range written {
		if p.name == "scenes.html" && !slices.Contains(b.Others, sceneProgram) {
			continue // there is nothing to look at
		}
		if p.source != "" {
			p.write = (*book).writeMarkdown
		}
		if p.name == "" {
			p.name = strings.ToLower(strings.TrimSuffix(path.Base(p.source), ".md")) + ".html"
		}
		b.pages = append(b.pages, &p)
	}
	for _, group := range []string{programs, below} {
		for _, p := range packages {
			if p.group == group {
				b.pages = append(b.pages, p.page())
			}
		}
	}
	docs, _ := fs.Glob(b.Tree, "docs/*.md")
	for _, source := range docs {
		if b.pageOf(source) == nil {
			b.fail("%s has no place in the menu; see written in cmd/site/book/page.go", source)
		}
	}
}

// pageOf returns the page that is made of a file or folder of the tree, or nil.
func (b *book) pageOf(source string) *page {
	i := slices.IndexFunc(b.pages, func(p *page) bool { return p.source == source })
	if source == "" || i < 0 {
		return nil
	}
	return b.pages[i]
}
