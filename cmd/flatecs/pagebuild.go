package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// pageFlags are the flags of commands that create the page.
type pageFlags struct {
	Scene   string `help:"Scene to begin with." default:"heroes" arg:"" optional:""`
	Count   *int   `help:"Objects to begin with; the page can change it." placeholder:"N"`
	Seed    uint64 `help:"${seed}"         default:"1"`
	Variant string `help:"Variant of the scene to begin with, as for run." placeholder:"NAME"`
}

// Validate refuses flags that do not apply to the scene.
func (f *pageFlags) Validate() error {
	sc, err := gallery.ByName(f.Scene)
	if err != nil {
		return err
	}
	if err := sc.CheckVariant(f.Variant); err != nil {
		return fmt.Errorf("--variant: %w", err)
	}
	if f.Count != nil && *f.Count < 0 {
		return fmt.Errorf("--count: %d objects; give 0 or more", *f.Count)
	}
	return nil
}

// start returns what the page opens first.
func (f *pageFlags) start() server.Start {
	return server.Start{Scene: f.Scene, Count: f.Count, Seed: f.Seed, Variant: f.Variant}
}

// buildPage builds the program of a page, and shows progress.
func buildPage(ctx context.Context, stderr io.Writer, app string) (server.Program, error) {
	begin := time.Now()
	_, _ = fmt.Fprintf(stderr, "building the page's program, %s, for js/wasm; the first time it "+
		"takes a minute\n", strings.TrimPrefix(app, "github.com/flatecs/flatecs/"))
	packages, built := waiting(stderr, "building")
	program, err := server.Build(ctx, app, packages)
	built()
	if ctx.Err() != nil {
		return program, interrupted(ctx)
	}
	if err == nil {
		_, _ = fmt.Fprintf(stderr, "built in %.1f s: %.2f MB of WebAssembly\n",
			time.Since(begin).Seconds(), float64(len(program.Wasm))/1e6)
	}
	return program, err
}
