package main

import (
	"html/template"
	"path"
	"strings"

	"github.com/flatecs/flatecs/cmd/source"
)

// A page is a page of the site.
type page struct {
	Name   string // of the file: pkg/world.html
	Group  string // in the menu
	Source string // in the tree: a Markdown file, or the folder that the template shows

	template string          // creates the Markdown; empty if Source is a file
	pkg      *source.Package // the documented package, if any

	Title    string
	Body     template.HTML
	Sections []section
}

// Root returns the prefix of the page's links to files of the site.
func (p *page) Root() string { return strings.Repeat("../", strings.Count(p.Name, "/")) }

// menu is the groups of pages, each with its name and the pages' sources.
var menu = [][2]string{
	{"Start", "cmd/site README.md docs/START.md docs/GALLERY.md docs/GUIDE.md docs/HOWTO.md " +
		"docs/COMING-FROM.md docs/SIMULATIONS.md"},
	{"Try it", "cmd/scene cmd/same cmd/examples"},
	{"Tools", "docs/INSPECTOR.md docs/ASSISTANTS.md docs/PROFILING.md docs/RESTART.md " +
		"docs/BROWSER.md docs/EBITENGINE.md docs/GYM.md"},
	{"In depth", "docs/SCALE.md docs/PERFORMANCE.md docs/ARCHITECTURE.md docs/FORMAT.md " +
		"docs/RATIONALE.md docs/QUALITY.md docs/FOUNDING.md docs/GLOSSARY.md"},
	{"Project", "CHANGELOG.md CONTRIBUTING.md SECURITY.md"},
}

// templated are the pages with generated Markdown: name of the file and of the template.
var templated = map[string][2]string{
	"cmd/site":     {"index.html", "front.md"},
	"cmd/scene":    {"scenes.html", "scenes.md"},
	"cmd/same":     {"same.html", "same.md"},
	"cmd/examples": {"examples.html", "examples.md"},
}

// menuPages returns the pages of the menu, except those of packages.
func menuPages() (all []*page) {
	for _, group := range menu {
		for source := range strings.FieldsSeq(group[1]) {
			p := &page{Group: group[0], Source: source}
			if made, is := templated[source]; is {
				p.Name, p.template = made[0], made[1]
			} else {
				p.Name = strings.ToLower(strings.TrimSuffix(path.Base(source), ".md")) + ".html"
			}
			if source == "README.md" {
				p.Title = "README" // its heading equals the front page's
			}
			all = append(all, p)
		}
	}
	return all
}
