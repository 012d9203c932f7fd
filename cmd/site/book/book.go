package book

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// A Source is what a site is made of.
type Source struct {
	Tree     fs.FS     // a checkout
	Programs []Program // those that run in the page
	Script   []byte    // wasm_exec.js of the toolchain that made them; nil if there are none
	Scenes   []Scene   // those that the program in scenes/ shows
	Others   []string  // files that others put beside the pages, and that pages link to
}

// A Program is one that runs in the page: it gets a button wherever its source stands.
type Program struct {
	Name   string // hello
	Source string // of its only file
	Wasm   []byte // compiled for js/wasm
}

// A Scene is one that runs in the page.
type Scene struct{ Name, About string }

// repository is where files of the tree are shown that are no pages.
const repository = "https://github.com/flatecs/flatecs"

// A book is a site that is being made.
type book struct {
	Source
	pages   []*page
	files   map[string][]byte // of the site, by name
	symbols map[string]string // "world.Spawn" to "pkg/world.html#Spawn"
	problem []error
}

// Write returns the files of the site, by their names.
//
// The error joins everything that is wrong: pages that are missing, links to nothing.
func Write(s Source) (map[string][]byte, error) {
	b := &book{Source: s, files: map[string][]byte{}, symbols: map[string]string{}}
	packages, err := b.readPackages()
	if err != nil {
		return nil, err
	}
	b.list(packages)
	for _, p := range b.pages {
		if err := p.write(b, p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.source, err)
		}
	}
	if err := b.addTheme(); err != nil {
		return nil, err
	}
	b.addPrograms()
	for _, p := range b.pages {
		html, err := b.layOut(p)
		if err != nil {
			return nil, err
		}
		b.files[p.name] = html
	}
	b.files["search.json"] = b.index()
	for _, dead := range DeadLinks(b.files, b.Others) {
		b.fail("%s", dead)
	}
	return b.files, errors.Join(b.problem...)
}

// fail remembers what is wrong.
func (b *book) fail(format string, args ...any) {
	b.problem = append(b.problem, fmt.Errorf(format, args...))
}

// addPrograms adds what programs are run by.
func (b *book) addPrograms() {
	for _, p := range b.Programs {
		b.files["programs/"+p.Name+".wasm"] = p.Wasm
	}
	if b.Script != nil {
		b.files["programs/wasm_exec.js"] = b.Script
	}
}

// relative returns how a page links to a file of the site.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(path.Clean(from), "/")) + to
}
