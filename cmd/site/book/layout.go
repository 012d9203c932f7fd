package book

import (
	"bytes"
	"embed"
	"html/template"
	"path"
	"slices"
	"strings"
)

//go:embed theme
var theme embed.FS

var pageTemplate = template.Must(template.ParseFS(theme, "theme/page.html"))

// addTheme adds the files that all pages share.
func (b *book) addTheme() error {
	entries, err := theme.ReadDir("theme")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if path.Ext(e.Name()) == ".html" {
			continue
		}
		if b.files[e.Name()], err = theme.ReadFile("theme/" + e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// An entry of the menu.
type entry struct {
	Short, Link string
	Here        bool
}

// A group of the menu.
type group struct {
	Name    string
	Entries []entry
}

// layOut puts a page's body between the menu and the list of its headings.
func (b *book) layOut(p *page) ([]byte, error) {
	var out bytes.Buffer
	at := slices.Index(b.pages, p)
	err := pageTemplate.Execute(&out, map[string]any{
		"Page":     p,
		"Root":     strings.Repeat("../", strings.Count(p.name, "/")),
		"Menu":     b.menu(p),
		"Contents": contents(p),
		"Source":   sourceOf(p),
		"Before":   b.neighbour(p, at-1),
		"After":    b.neighbour(p, at+1),
	})
	return out.Bytes(), err
}

func (b *book) menu(here *page) (menu []group) {
	for _, p := range b.pages {
		if len(menu) == 0 || menu[len(menu)-1].Name != p.group {
			menu = append(menu, group{Name: p.group})
		}
		last := &menu[len(menu)-1]
		last.Entries = append(last.Entries, entry{p.short, relative(here.name, p.name), p == here})
	}
	return menu
}

// contents are the headings that are listed beside a page.
func contents(p *page) (list []heading) {
	for _, h := range p.headings {
		if h.Level <= 3 && h.ID != "" {
			list = append(list, h)
		}
	}
	return list
}

// neighbour returns the page before or after a page, or nil.
func (b *book) neighbour(p *page, at int) *entry {
	if at < 0 || at >= len(b.pages) {
		return nil
	}
	return &entry{Short: b.pages[at].short, Link: relative(p.name, b.pages[at].name)}
}

// sourceOf returns where a page's source is shown.
func sourceOf(p *page) string {
	switch {
	case p.source == "":
		return repository
	case path.Ext(p.source) == ".md":
		return repository + "/blob/main/" + p.source
	}
	return repository + "/tree/main/" + p.source
}
