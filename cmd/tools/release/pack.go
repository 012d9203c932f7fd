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
	".", "cmd", "cmd/arrow", "cmd/ebiten", "cmd/shard", "cmd/vet", "world/shard",
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
	files, err := filesOf(filepath.Join(root, m), text)
	if err != nil {
		return err
	}
	name := path.Join(library, m)
	var zipped bytes.Buffer
	err = zip.Create(&zipped, module.Version{Path: name, Version: version}, files)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(name), "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	put := func(end string, content []byte) error {
		return os.WriteFile(filepath.Join(to, end), content, 0o644)
	}
	return errors.Join(
		put("list", []byte(version+"\n")),
		put(version+".info", fmt.Appendf(nil, "{%q:%q}\n", "Version", version)),
		put(version+".mod", text),
		put(version+".zip", zipped.Bytes()),
	)
}

// filesOf returns the files of a module, with another go.mod.
func filesOf(dir string, mod []byte) ([]zip.File, error) {
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
			f.text = mod
		}
		files = append(files, f)
	}
	if !slices.ContainsFunc(files, func(f zip.File) bool { return f.Path() == "LICENSE" }) {
		return nil, errors.New("there is no LICENSE; each module has a copy")
	}
	return files, nil
}

// A file is one of a module. Where it has a text, that is its content.
type file struct {
	path, name string
	text       []byte
}

// Path returns the path from the module's root.
func (f file) Path() string { return f.path }

// Lstat describes the file.
func (f file) Lstat() (fs.FileInfo, error) {
	info, err := os.Lstat(f.name)
	if err == nil && f.text != nil {
		info = longer{info, int64(len(f.text))}
	}
	return info, err
}

// longer is a file with another size.
type longer struct {
	fs.FileInfo
	size int64
}

// Size returns it.
func (l longer) Size() int64 { return l.size }

// Open returns a reader of the content.
func (f file) Open() (io.ReadCloser, error) {
	if f.text != nil {
		return io.NopCloser(bytes.NewReader(f.text)), nil
	}
	return os.Open(f.name)
}
