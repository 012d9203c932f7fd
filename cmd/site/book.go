package main

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/source"
)

//go:embed templates
var templates embed.FS

//go:embed theme
var theme embed.FS // files that do not depend on the pages

var pageTemplate = template.Must(template.ParseFS(templates, "templates/page.html"))

// A book is a site under construction.
type book struct {
	tree     fs.FS             // a checkout
	files    map[string][]byte // of the site, by name
	programs map[string]string // file names of the programs that pages run, by their source
	Scenes   []*scene.Scene    // shown by the page in folder scenes
	Left     [][2]string       // name and digest of each machine with output of cmd/same
	pages    []*page           // in menu order
	symbols  map[string]string // "world.Spawn" to "pkg/world.html#Spawn"
	ids      map[string]bool   // "readme.html#limits"
	links    [][2]string       // from a page's source to one of ids
	problems []error
}

func newBook(tree fs.FS) *book {
	return &book{
		tree: tree, files: map[string][]byte{}, ids: map[string]bool{},
		programs: map[string]string{}, symbols: map[string]string{},
	}
}

// make creates all files of the site. The error joins all problems: missing pages, and links
// without a target.
func (b *book) make() error {
	packages, err := source.ReadAll(b.tree)
	if err != nil {
		return err
	}
	b.list(packages)
	for _, p := range slices.Backward(b.pages) { // packages first: pages link to their names
		if err := b.render(p); err != nil {
			return fmt.Errorf("%s: %w", p.Source, err)
		}
	}
	var all []entry
	for _, p := range b.pages {
		all = append(all, entry{p.Title, p.Name, p.Sections})
		var out bytes.Buffer
		data := map[string]any{"Page": p, "All": b.pages}
		if err := pageTemplate.Execute(&out, data); err != nil {
			return err
		}
		b.files[p.Name] = out.Bytes()
	}
	if err := b.machines(); err != nil {
		return err
	}
	shared, _ := fs.Glob(theme, "theme/*")
	for _, name := range shared {
		b.files[path.Base(name)], _ = theme.ReadFile(name)
	}
	if b.files["search.json"], err = json.Marshal(all); err != nil {
		return err
	}
	for _, link := range b.links {
		if !b.ids[link[1]] {
			b.fail("%s: %s leads to no heading", link[0], link[1])
		}
	}
	return errors.Join(b.problems...)
}

// fail records a problem.
func (b *book) fail(format string, args ...any) {
	b.problems = append(b.problems, fmt.Errorf(format, args...))
}

// list lists the pages, and records missing ones.
func (b *book) list(packages []*source.Package) {
	b.pages = slices.DeleteFunc(menuPages(), func(p *page) bool {
		return p.Source == "cmd/scene" && len(b.Scenes) == 0 ||
			p.Source == "cmd/same" && b.files[sameFile] == nil
	})
	slices.SortStableFunc(packages, func(a, b *source.Package) int {
		return -cmp.Compare(pkg{a}.group(), pkg{b}.group())
	})
	for _, p := range packages {
		b.pages = append(b.pages, &page{
			Name: "pkg/" + p.Dir + ".html", Group: pkg{p}.group(), Source: p.Dir,
			template: "package.md", pkg: p,
		})
	}
	docs, _ := fs.Glob(b.tree, "docs/*.md")
	for _, source := range docs {
		if b.pageOf(source) == nil {
			b.fail("%s has no place in the menu; see cmd/site/menu.go", source)
		}
	}
}

// pageOf returns the page for a file or folder of the tree, or nil.
func (b *book) pageOf(source string) *page {
	i := slices.IndexFunc(b.pages, func(p *page) bool { return p.Source == source })
	if i < 0 {
		return nil
	}
	return b.pages[i]
}

// addProgram adds a program. Pages show a button above its source.
func (b *book) addProgram(e example, wasm []byte) {
	b.files["programs/"+e.Name+".wasm"] = wasm
	b.programs[strings.TrimSpace(e.Source)] = e.Name
}
