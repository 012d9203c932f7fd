package main

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sync/atomic"

	"github.com/flatecs/flatecs/cmd/site/book"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// compile compiles what runs in the pages: the scenes, the examples, and the README's program.
func (s *site) compile(ctx context.Context, source *book.Source) (server.Program, error) {
	app, err := s.build(ctx, "the scenes", server.App)
	if err != nil {
		return app, err
	}
	source.Script = app.Script
	// What an example prints is tested, but of one that goes on until it is ended.
	tests, err := filepath.Glob(filepath.Join(s.root, "cmd", "examples", "*", "main_test.go"))
	if err != nil {
		return app, err
	}
	for _, test := range tests {
		file := filepath.Join(filepath.Dir(test), "main.go")
		text, err := os.ReadFile(file)
		if err != nil {
			return app, err
		}
		name := filepath.Base(filepath.Dir(file))
		p, err := s.build(ctx, name, path.Join(module, "cmd", "examples", name))
		if err != nil {
			return app, err
		}
		source.Programs = append(source.Programs, book.Program{
			Name: name, Source: string(text), Wasm: p.Wasm,
		})
	}
	first, err := s.first(ctx)
	source.Programs = append(source.Programs, first)
	return app, err
}

const module = "github.com/flatecs/flatecs"

// program is a whole one in the README.
var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// first compiles the program that stands in the README.
func (s *site) first(ctx context.Context) (book.Program, error) {
	readme, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		return book.Program{}, err
	}
	found := program.FindSubmatch(readme)
	if found == nil {
		return book.Program{}, errors.New("README.md has no program")
	}
	dir, err := os.MkdirTemp("", "flatecs-")
	if err != nil {
		return book.Program{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "balloons.go")
	if err := os.WriteFile(file, found[1], 0o600); err != nil {
		return book.Program{}, err
	}
	p, err := s.build(ctx, "the README's program", file)
	return book.Program{Name: "balloons", Source: string(found[1]), Wasm: p.Wasm}, err
}

// build compiles a program for the browser, and tells how far it is.
func (s *site) build(ctx context.Context, what, program string) (server.Program, error) {
	total := server.Stale(ctx, program)
	if total > 0 {
		s.say("compiling %s for js/wasm: %d packages", what, total)
	}
	var done atomic.Int64
	p, err := server.Build(ctx, program, func(name string) {
		if n := done.Add(1); n%20 == 0 {
			s.say("compiling %s: %d of %d, %s", what, n, total, name)
		}
	})
	if err == nil {
		s.say("%s: %.1f MB", what, float64(len(p.Wasm))/1e6)
	}
	return p, err
}
