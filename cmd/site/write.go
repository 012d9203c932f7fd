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

// write makes the pages, and with them what runs in them.
func (s *site) write(ctx context.Context, runs bool) error {
	old, err := s.old()
	if err != nil {
		return err
	}
	b := newBook(os.DirFS(s.root))
	var app server.Program
	if runs {
		if app, err = s.compile(ctx, b); err != nil {
			return err
		}
	}
	if err := b.make(); err != nil {
		return err
	}
	if err := s.replace(old, b.files); err != nil {
		return err
	}
	s.say("%d pages and %d other files in %s", len(b.pages), len(b.files)-len(b.pages), s.dir)
	if runs { // the scenes' folder lists its own files
		first := server.Start{Scene: "heroes", Seed: 1}
		_, err = server.Export(app, first, filepath.Join(s.dir, "scenes"))
	}
	return err
}

// old returns the files that an earlier site wrote into the folder, and refuses a folder with
// anything else in it, and a list of files elsewhere.
func (s *site) old() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, manifest))
	if errors.Is(err, fs.ErrNotExist) {
		if entries, _ := os.ReadDir(s.dir); len(entries) > 0 {
			return nil, fmt.Errorf("%s: there are other files in this folder, such as %s; "+
				"give one that is empty or new", s.dir, entries[0].Name())
		}
		return nil, nil
	}
	names := strings.Fields(string(text))
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s: %s lists %q, which is elsewhere", s.dir, manifest, name)
		}
	}
	return names, err
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
	files[manifest] = []byte(strings.Join(names, "\n") + "\n")
	for name, content := range files {
		file := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
