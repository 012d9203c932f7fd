package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/site/book"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// A site is one that is being written.
type site struct {
	root string // of the checkout
	dir  string // of the site
	say  func(format string, args ...any)
}

// manifest lists the files of a site, so that the next one knows which are its own.
const manifest = ".flatecs-site"

const scenes = "scenes" // the folder of their page, which lists itself

// write makes the pages, and with them what runs in them.
func (s *site) write(ctx context.Context, runs bool) error {
	old, err := s.old()
	if err != nil {
		return err
	}
	source := book.Source{Tree: os.DirFS(s.root)}
	var app server.Program
	if runs {
		source.Others = []string{scenes + "/index.html"}
		for _, sc := range gallery.All() {
			source.Scenes = append(source.Scenes, book.Scene{Name: sc.Name, About: sc.About})
		}
		if app, err = s.compile(ctx, &source); err != nil {
			return err
		}
	}
	files, err := book.Write(source)
	if err != nil {
		return err
	}
	if err := s.replace(old, files); err != nil {
		return err
	}
	s.say("%d pages and %d other files in %s", pages(files), len(files)-pages(files), s.dir)
	if !runs {
		return nil
	}
	first := server.Start{Scene: "heroes", Seed: 1}
	_, err = server.Export(app, first, filepath.Join(s.dir, scenes))
	return err
}

func pages(files map[string][]byte) (n int) {
	for name := range files {
		if strings.HasSuffix(name, ".html") {
			n++
		}
	}
	return n
}

// old returns the files that an earlier site wrote into the folder, and refuses a folder with
// anything else in it, and a list of files elsewhere.
func (s *site) old() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, manifest))
	if err == nil {
		names := strings.Fields(string(text))
		for _, name := range names {
			if !filepath.IsLocal(name) {
				return nil, fmt.Errorf("%s: %s lists %q, which is elsewhere", s.dir, manifest, name)
			}
		}
		return names, nil
	}
	entries, err := os.ReadDir(s.dir)
	if err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s: there are other files in this folder, such as %s; "+
			"give one that is empty or new", s.dir, entries[0].Name())
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}

// replace removes the files of an earlier site and writes those of this one.
func (s *site) replace(old []string, files map[string][]byte) error {
	for _, name := range old {
		err := os.Remove(filepath.Join(s.dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := writeFile(path, files[name]); err != nil {
			return err
		}
	}
	list := strings.Join(names, "\n") + "\n"
	return writeFile(filepath.Join(s.dir, manifest), []byte(list))
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
