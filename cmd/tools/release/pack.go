package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const library = "github.com/flatecs/flatecs"

// published are the modules that others get, by their directories.
var published = []string{
	".", "cmd", "cmd/arrow", "cmd/ebiten", "cmd/shard", "cmd/vet",
	"world/link/udp", "world/link/web", "world/link/webtransport", "world/shard",
}

// ours is a module of this tree and its version, in a line of go.mod or go.work.
var ours = regexp.MustCompile(
	`(?m)^(\s*(?:require |replace )?` + regexp.QuoteMeta(library) + `\S*) v[0-9]\S*`)

// versioned returns a go.mod or a go.work in which the modules of this tree have a version.
func versioned(text []byte, version string) []byte {
	return ours.ReplaceAll(text, []byte("${1} "+version))
}

// pack writes all modules into a folder that has the form of a module proxy.
func pack(root, dir, version string) error {
	for _, m := range published {
		if err := packModule(root, m, dir, version); err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
	}
	return nil
}

func packModule(root, m, dir, version string) error {
	text, err := os.ReadFile(filepath.Join(root, m, "go.mod"))
	if err != nil {
		return err
	}
	if bytes.Contains(text, []byte("\nreplace ")) {
		return errors.New("go.mod has a replace line, which go install refuses; go.work may")
	}
	text = versioned(text, version)
	name := path.Join(library, m)
	to := filepath.Join(dir, filepath.FromSlash(name), "@v")
	mod := filepath.Join(to, version+".mod")
	if err = os.MkdirAll(to, 0o755); err == nil {
		err = os.WriteFile(mod, text, 0o644)
	}
	if err != nil {
		return err
	}
	files, err := filesOf(filepath.Join(root, m), mod)
	if err != nil {
		return err
	}
	var zipped bytes.Buffer
	err = zip.Create(&zipped, module.Version{Path: name, Version: version}, files)
	if err != nil {
		return err
	}
	put := func(end string, content []byte) error {
		return os.WriteFile(filepath.Join(to, end), content, 0o644)
	}
	return errors.Join(
		put("list", []byte(version+"\n")),
		put(version+".info", fmt.Appendf(nil, "{%q:%q}\n", "Version", version)),
		put(version+".zip", zipped.Bytes()),
	)
}

// filesOf returns the files of a module, with the file mod as its go.mod.
func filesOf(dir, mod string) ([]zip.File, error) {
	checked, err := zip.CheckDir(dir)
	if err == nil {
		err = checked.Err()
	}
	if err != nil {
		return nil, err
	}
	var files []zip.File
	for _, name := range checked.Valid {
		within, err := filepath.Rel(dir, name)
		if err != nil {
			return nil, err
		}
		f := file{path: filepath.ToSlash(within), name: name}
		if f.path == "go.mod" {
			f.name = mod
		}
		files = append(files, f)
	}
	if !slices.ContainsFunc(files, func(f zip.File) bool { return f.Path() == "LICENSE" }) {
		return nil, errors.New("there is no LICENSE; each module has a copy")
	}
	return files, nil
}

// A file is one of a module.
type file struct {
	path string // from the module's root
	name string // of the file that has the content
}

// Path returns the path from the module's root.
func (f file) Path() string { return f.path }

// Lstat describes the file.
func (f file) Lstat() (fs.FileInfo, error) { return os.Lstat(f.name) }

// Open returns a reader of the content.
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.name) }
