package main

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/flatecs/flatecs/cmd/source"
)

// repository is the URL for files of the tree that are not pages.
const repository = "https://github.com/flatecs/flatecs/"

// target returns the target of a page's link, and records the required heading.
func (b *book) target(p *page, link string) string {
	u, err := url.Parse(strings.Replace(link, "https://pkg.go.dev/"+source.Module+"/", "/", 1))
	if err != nil || u.IsAbs() {
		return link
	}
	if u.Path == "" {
		b.links = append(b.links, [2]string{p.Source, p.Name + "#" + u.Fragment})
		return link
	}
	source := inTree(p, u.Path)
	if to := b.pageOf(source); to != nil {
		if u.Fragment != "" {
			b.links = append(b.links, [2]string{p.Source, to.Name + "#" + u.Fragment})
		}
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

// inTree returns the file of the tree that a page's link names.
func inTree(p *page, link string) string {
	if path.IsAbs(link) {
		return path.Clean(link)[1:]
	}
	return path.Join(path.Dir(p.Source), link)
}

// picture returns the target of a page's picture, and adds the picture to the site.
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
