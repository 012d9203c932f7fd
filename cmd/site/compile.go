package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// whole is a program in the README.
var whole = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// compile adds to a book what runs in its pages: the examples and the README's program. It returns
// the program that shows the scenes.
func (s *site) compile(ctx context.Context, b *book) (server.Program, error) {
	s.say("compiling the scenes for the browser")
	app, err := server.Build(ctx, server.App, func(string) {})
	if err != nil {
		return app, err
	}
	b.Scenes = gallery.All()
	b.files["programs/wasm_exec.js"] = app.Script
	// What an example prints is tested, but of one that goes on until it is ended.
	tests, _ := fs.Glob(b.tree, "cmd/examples/*/main_test.go")
	for _, test := range tests {
		dir := path.Dir(test)
		source, err := fs.ReadFile(b.tree, dir+"/main.go")
		if err != nil {
			return app, err
		}
		if err := s.add(ctx, b, path.Base(dir), source); err != nil {
			return app, err
		}
	}
	readme, err := fs.ReadFile(b.tree, "README.md")
	if err != nil {
		return app, err
	}
	found := whole.FindSubmatch(readme)
	if found == nil {
		return app, errors.New("README.md has no program")
	}
	return app, s.add(ctx, b, "balloons", found[1])
}

// add compiles a program, and adds it to a book.
func (s *site) add(ctx context.Context, b *book, name string, source []byte) error {
	s.say("compiling %s", name)
	dir, err := os.MkdirTemp("", "flatecs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, name+".go")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return err
	}
	p, err := server.Build(ctx, file, func(string) {})
	b.addProgram(name, string(source), p.Wasm)
	return err
}
