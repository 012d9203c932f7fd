package main

import (
	"html/template"
	"path"
	"strings"
)

// A page is one of the site.
type page struct {
	Name   string // of its file: pkg/world.html
	Group  string // of the menu
	Source string // in the tree: a file in Markdown, or the folder that the template shows

	template string // that makes its Markdown; empty if Source is a file
	pkg      *pkg   // that it is about, if any
	root     string // of the site, if the page is not at its own address

	Title    string
	About    string // its first paragraph
	Body     template.HTML
	Sections []section
}

// Root returns how the page's links to files of the site begin.
func (p *page) Root() string {
	if p.Name == lost {
		return p.root // it is shown at any address
	}
	return strings.Repeat("../", strings.Count(p.Name, "/"))
}

const lost = "404.html" // what servers show in place of a page that is not there

// A group is a part of the menu, and the sources of its pages.
type group struct{ name, sources string }

var menu = []group{
	{"Start", "cmd/site README.md docs/START.md docs/GALLERY.md docs/GUIDE.md docs/HOWTO.md " +
		"docs/COMING-FROM.md docs/SIMULATIONS.md"},
	{"Try it", "cmd/scene cmd/examples"},
	{"Tools", "docs/INSPECTOR.md docs/PROFILING.md docs/RESTART.md " +
		"docs/BROWSER.md docs/EBITENGINE.md"},
	{"In depth", "docs/SCALE.md docs/PERFORMANCE.md docs/ARCHITECTURE.md docs/FORMAT.md " +
		"docs/RATIONALE.md docs/FOUNDING.md docs/GLOSSARY.md"},
	{"Project", "CHANGELOG.md CONTRIBUTING.md SECURITY.md"},
}

// pages returns the pages of a group.
func (g group) pages() (all []*page) {
	for source := range strings.FieldsSeq(g.sources) {
		p := &page{Group: g.name, Source: source}
		name := strings.ToLower(strings.TrimSuffix(path.Base(source), ".md"))
		switch source {
		case "README.md":
			p.Title = "README" // its heading is the front page's, too
		case "cmd/site":
			name, p.template = "index", "front.md"
		case "cmd/scene":
			name, p.template = "scenes", "scenes.md"
		case "cmd/examples":
			p.template = "examples.md"
		}
		p.Name = name + ".html"
		all = append(all, p)
	}
	return all
}
