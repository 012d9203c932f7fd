package main

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// maxFull limits the bytes of llms-full.txt, which an assistant reads at once.
const maxFull = 400_000

// mark matches Markdown that only serves links to headings.
var mark = regexp.MustCompile(`(?m)[ \t]*\{#[^}\n]*\}|<(span|dfn) id="[^"]*"></(span|dfn)>|\n{3,}`)

// machines adds two texts for assistants: llms.txt lists the pages, and llms-full.txt contains, up
// to its limit, what a program's author needs: the introduction, the guide, recipes, and the most
// used packages with their examples.
func (b *book) machines() error {
	list := bytes.NewBufferString("# flatecs\n\n> An entity component system for Go whose world " +
		"is one []byte. All of what an author needs is in [one file](llms-full.txt).\n")
	full := bytes.NewBufferString("flatecs, for machines that read\n")
	group := ""
	for _, p := range b.pages {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(list, "\n## %s\n\n", group)
		}
		fmt.Fprintf(list, "- [%s](%s)\n", cmp.Or(p.Title, p.Source), p.Name)
	}
	for _, p := range slices.SortedStableFunc(slices.Values(b.pages), func(x, y *page) int {
		return cmp.Compare(x.forAuthors(), y.forAuthors())
	}) {
		if p.forAuthors() == len(first) {
			break
		}
		text, err := b.markdown(p)
		if err != nil {
			return err
		}
		text = mark.ReplaceAll(text, []byte("\n"))
		if full.Len()+len(text) > maxFull {
			continue
		}
		fmt.Fprintf(full, "\n==== %s\n\n%s", p.Source, text)
	}
	b.files["llms.txt"], b.files["llms-full.txt"] = list.Bytes(), full.Bytes()
	return nil
}

// first are the sources of llms-full.txt, in order; a name that ends in / includes everything below
// it.
var first = strings.Fields("README.md docs/START.md docs/GUIDE.md docs/HOWTO.md cmd/examples " +
	"world layout docs/ASSISTANTS.md world/schedule world/hunt world/inspect world/")

// forAuthors returns the position of a page in llms-full.txt, or the number of positions.
func (p *page) forAuthors() int {
	for n, s := range first {
		if s == p.Source || strings.HasSuffix(s, "/") && strings.HasPrefix(p.Source, s) {
			return n
		}
	}
	return len(first)
}
