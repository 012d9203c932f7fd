package main

import (
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/source"
)

// repository is where files of the tree are shown that are no pages.
const repository = "https://github.com/flatecs/flatecs/"

// target returns where a link of a page leads.
func (b *book) target(p *page, link string) string {
	u, err := url.Parse(strings.Replace(link, "https://pkg.go.dev/"+source.Module+"/", "/", 1))
	if err != nil || u.IsAbs() || u.Path == "" {
		return link
	}
	source := inTree(p, u.Path)
	if to := b.pageOf(source); to != nil {
		u.Path = p.Root() + to.Name
		return u.String()
	}
	info, err := fs.Stat(b.tree, source)
	switch {
	case err != nil:
		b.fail("%s: %s leads nowhere", p.Source, link)
		return link
	case info.IsDir():
		return repository + "tree/main/" + source
	}
	return repository + "blob/main/" + source
}

// inTree returns which file of the tree a page's link means.
func inTree(p *page, link string) string {
	if path.IsAbs(link) {
		return path.Clean(link)[1:]
	}
	return path.Join(path.Dir(p.Source), link)
}

// picture returns where a page's picture is, and takes it into the site.
func (b *book) picture(p *page, link string) string {
	source := inTree(p, link)
	content, err := fs.ReadFile(b.tree, source)
	if err != nil {
		b.fail("%s: there is no picture %s", p.Source, link)
		return link
	}
	name := strings.TrimPrefix(source, "docs/")
	b.files[name] = content
	return p.Root() + name
}

var (
	linked = regexp.MustCompile(`<[a-z]+\s[^>]*?\b(href|src|data-program|data-scene)="([^"]*)"`)
	named  = regexp.MustCompile(`<[a-z0-9]+\s[^>]*?\bid="([^"]*)"`)
)

// deadLinks returns what is wrong with the links of pages: links to files that are not there, to
// headings that the page does not have, and files that a page would load from another server.
func (b *book) deadLinks() (dead []string) {
	ids := map[string]bool{} // "page.html#heading"
	pages := slices.DeleteFunc(slices.Sorted(maps.Keys(b.files)),
		func(name string) bool { return path.Ext(name) != ".html" || name == lost })
	for _, name := range pages {
		for _, m := range named.FindAllStringSubmatch(string(b.files[name]), -1) {
			ids[name+"#"+html.UnescapeString(m[1])] = true
		}
	}
	for _, name := range pages {
		for _, m := range linked.FindAllStringSubmatch(string(b.files[name]), -1) {
			link := html.UnescapeString(m[2])
			if why := b.deadLink(name, m[1], link, ids); why != "" {
				dead = append(dead, fmt.Sprintf("%s: %s=%q: %s", name, m[1], link, why))
			}
		}
	}
	return dead
}

// deadLink says why a link leads nowhere, or nothing.
func (b *book) deadLink(from, attribute, link string, ids map[string]bool) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "no address"
	case u.IsAbs() || u.Host != "":
		if attribute != "href" || u.Scheme != "https" && u.Scheme != "mailto" {
			return "loaded from elsewhere"
		}
		return ""
	case path.IsAbs(link):
		return "not relative"
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if b.files[to] == nil && (to != sceneProgram || len(b.Scenes) == 0) {
		return "there is no such file"
	}
	if u.Fragment != "" && !ids[to+"#"+u.Fragment] {
		return "there is no such heading"
	}
	return ""
}
