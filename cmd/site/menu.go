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

	Title    string
	Body     template.HTML
	Sections []section
}

// Root returns how the page's links to files of the site begin.
func (p *page) Root() string { return strings.Repeat("../", strings.Count(p.Name, "/")) }

// A group is a part of the menu, and the sources of its pages.
type group struct{ name, sources string }

var menu = []group{
	{"Start", "README.md docs/GUIDE.md docs/HOWTO.md docs/COMING-FROM.md docs/SIMULATIONS.md"},
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
			name = "index"
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
