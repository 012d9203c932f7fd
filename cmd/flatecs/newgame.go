package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	library = "github.com/flatecs/flatecs"
	vetTool = library + "/cmd/vet"
	vetLine = "go tool " + vetTool + " ./..."
)

// balloons is the initial program of a game: the README's first program, and instructions for
// assistants.
//
//go:embed balloons/main.go balloons/main_test.go balloons/AGENTS.md
var balloons embed.FS

// newGame is the command that creates a game.
type newGame struct {
	Dir string `arg:"" help:"Folder to create, outside the checkout: ../mygame."`
}

// Run writes a module.
func (c *newGame) Run(ctx context.Context, s streams) error {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	if err := free(dir); err != nil {
		return err
	}
	module, err := moduleFor(ctx, dir)
	if err != nil {
		return err
	}
	orderly(ctx)
	made := missing(dir)
	if err := c.write(dir, module); err != nil {
		return errors.Join(err, undo(dir, made))
	}
	tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
	tidy.Dir, tidy.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := tidy.CombinedOutput(); err != nil {
		err = fmt.Errorf("go mod tidy in %s, which is removed again: %w: %s", c.Dir, err, out)
		if ctx.Err() != nil {
			err = interrupted(ctx)
		}
		return errors.Join(err, undo(dir, made))
	}
	_, err = fmt.Fprintf(s.out, "cd %s\ngo run .\ngo test\n%s\n", c.Dir, vetLine)
	return err
}

// missing lists the missing folders of a path, itself first.
func missing(dir string) (list []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, dir)
		dir = filepath.Dir(dir)
	}
}

// undo removes files from a folder that was empty, and the folders created for it.
func undo(dir string, made []string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it was not created
	}
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	for _, folder := range made {
		_ = os.Remove(folder) // the folder may contain other files by now
	}
	return err
}

// free returns an error if a file or a non-empty folder is in the way.
func free(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty; name a new folder", dir)
	}
	return err
}

func (c *newGame) write(dir, module string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o644); err != nil {
		return err
	}
	for _, name := range []string{"main.go", "main_test.go", "AGENTS.md"} {
		text, err := balloons.ReadFile("balloons/" + name)
		if err != nil {
			return err
		}
		if at := bytes.Index(text, []byte("package main")); at >= 0 {
			text = text[at:] // without the comment of this package
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var (
	// nameable are the folders whose names are good names of modules.
	nameable = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

	// plainPath are the paths that go.mod takes without quotes.
	plainPath = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)
)

// moduleFor returns the go.mod of a game. It requires the published version of this program, or
// replaces the library by this program's checkout.
func moduleFor(ctx context.Context, dir string) (string, error) {
	name := filepath.Base(dir)
	if !nameable.MatchString(name) {
		return "", fmt.Errorf("%q is not a name for a module; use letters, digits, - and _", name)
	}
	version, replace := published(), ""
	if version == "" {
		checkout, err := checkout(ctx)
		if err != nil {
			return "", err
		}
		back, err := filepath.Rel(checkout, dir)
		if err == nil && back != ".." && !strings.HasPrefix(back, ".."+string(filepath.Separator)) {
			return "", fmt.Errorf("%s is in the checkout, but not in its go.work; "+
				"name a folder outside, such as ../mygame", dir)
		}
		version, replace = "v0.0.0", "\n// Nothing is published yet.\nreplace (\n"+
			replaced(library, dir, checkout)+
			replaced(vetTool, dir, filepath.Join(checkout, "cmd", "vet"))+")\n"
	}
	return "module example.com/" + name + "\n\ngo 1.26.0\n\n// Finds misuse: " + vetLine + "\n" +
		"tool " + vetTool + "\n\n" +
		"require (\n\t" + library + " " + version + "\n\t" + vetTool + " " + version + "\n)\n" +
		replace, nil
}

// replaced returns a line of go.mod.
func replaced(module, dir, by string) string {
	if near, err := filepath.Rel(dir, by); err == nil {
		by = near
	}
	if by = filepath.ToSlash(by); !plainPath.MatchString(by) {
		by = strconv.Quote(by)
	}
	return "\t" + module + " => " + by + "\n"
}

// published returns the version of the library in this program, or "" in a checkout.
func published() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range build.Deps {
		if m.Path == library && m.Sum != "" && m.Replace == nil {
			return m.Version
		}
	}
	return ""
}

// checkout returns the folder of the library.
func checkout(ctx context.Context) (string, error) {
	out, err := goTool(ctx, "", "list", "-m", "-f", "{{.Dir}}", library)
	if err != nil || strings.TrimSpace(out) == "" {
		return "", fmt.Errorf("no checkout of flatecs here, and nothing is published yet; "+
			"run it in a checkout: go run ./cmd/flatecs new ../mygame: %w: %s", err,
			strings.TrimSpace(out))
	}
	return strings.TrimSpace(out), nil
}
