package book

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// relink turns links between files of the tree into links between files of the site.
func (b *book) relink(p *page, root ast.Node) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(b.target(p, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(b.picture(p, string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// target returns where a link of a page leads.
func (b *book) target(p *page, link string) string {
	u, err := url.Parse(link)
	if err != nil || u.IsAbs() || u.Path == "" {
		return link
	}
	source := path.Join(path.Dir(p.source), u.Path)
	if to := b.pageOf(source); to != nil {
		u.Path = relative(p.name, to.name)
		return u.String()
	}
	info, err := fs.Stat(b.Tree, source)
	switch {
	case err != nil:
		b.fail("%s: %s leads nowhere", p.source, link)
		return link
	case info.IsDir():
		return repository + "/tree/main/" + source
	}
	return repository + "/blob/main/" + source
}

// picture returns where a page's picture is, and takes it into the site.
func (b *book) picture(p *page, link string) string {
	source := path.Join(path.Dir(p.source), link)
	content, err := fs.ReadFile(b.Tree, source)
	if err != nil {
		b.fail("%s: there is no picture %s", p.source, link)
		return link
	}
	name := strings.TrimPrefix(source, "docs/")
	b.files[name] = content
	return relative(p.name, name)
}
