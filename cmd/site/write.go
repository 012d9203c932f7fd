package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// A site is the destination of the generated files.
type site struct {
	root string // of the checkout
	dir  string // of the site
	left string // folder with the output of cmd/same on other machines; "": none
	say  func(format string, args ...any)
}

// write creates the pages, and if runs is set, their programs.
func (s *site) write(ctx context.Context, runs bool) error {
	if _, err := server.CheckFolder(s.dir); err != nil {
		return err
	}
	b := newBook(os.DirFS(s.root))
	if s.left != "" {
		var err error
		if b.Left, err = readLeft(s.left); err != nil {
			return err
		}
	}
	var app server.Program
	if runs {
		var err error
		if app, err = s.compile(ctx, b); err != nil {
			return err
		}
	}
	if err := b.make(); err != nil {
		return err
	}
	if err := server.WriteFolder(s.dir, b.files); err != nil {
		return err
	}
	s.say("%d pages and %d other files in %s", len(b.pages), len(b.files)-len(b.pages), s.dir)
	if !runs {
		return nil
	}
	s.say("packing the scenes")
	first := server.Start{Scene: "heroes", Seed: 1}
	_, err := server.Export(app, first, filepath.Join(s.dir, "scenes")) // it lists its own files
	return err
}
