package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// whole matches a program in the README.
var whole = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// compile adds the programs of the pages to a book: the examples and the README's program. It
// returns the program that shows the scenes.
func (s *site) compile(ctx context.Context, b *book) (server.Program, error) {
	app, err := s.build(ctx, "the scenes for the browser", server.App)
	if err != nil {
		return app, err
	}
	b.Scenes = gallery.All()
	b.files["programs/wasm_exec.js"] = app.Script
	programs, err := b.Examples()
	if err != nil {
		return app, err
	}
	for _, p := range append(programs, example{"balloons", b.Program(), true}) {
		if p.Ends {
			if err := s.add(ctx, b, p); err != nil {
				return app, err
			}
		}
	}
	same, err := s.build(ctx, "same", sameProgram)
	b.files[sameFile] = same.Wasm
	return app, err
}

const sayEvery = 5 * time.Second // interval of progress messages

// build compiles a program, and reports progress.
func (s *site) build(ctx context.Context, name, program string) (server.Program, error) {
	s.say("compiling %s", name)
	next := time.Now().Add(sayEvery)
	return server.Build(ctx, program, func(done, total int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(sayEvery)
			s.say("compiling %s: %d of %d packages", name, done, total)
		}
	})
}

// Program returns the program in the README, or "".
func (b *book) Program() string {
	readme, _ := fs.ReadFile(b.tree, "README.md")
	if found := whole.FindSubmatch(readme); found != nil {
		return string(found[1])
	}
	return ""
}

// add compiles a program, and adds it to a book.
func (s *site) add(ctx context.Context, b *book, e example) error {
	dir, err := os.MkdirTemp("", "flatecs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, e.Name+".go")
	if err := os.WriteFile(file, []byte(e.Source), 0o600); err != nil {
		return err
	}
	p, err := s.build(ctx, e.Name, file)
	b.addProgram(e, p.Wasm)
	return err
}
