package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNotEmpty is the error of a folder that contains files that WriteFolder did not write.
var ErrNotEmpty = errors.New("there are other files in this folder")

// manifest lists the files that WriteFolder wrote, so that the next call can remove them.
const manifest = ".flatecs-site"

// CheckFolder returns the files that WriteFolder wrote into a folder. It refuses a folder that
// contains only other files, and a list with files outside of the folder. A missing folder counts
// as empty.
func CheckFolder(dir string) (old []string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if len(entries) > 0 {
			return nil, fmt.Errorf("server: %s: %w, such as %s; give one that is empty or new", dir,
				ErrNotEmpty, entries[0].Name())
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	old = strings.Fields(string(text))
	for _, name := range old {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("server: %s: %s lists %q, which is elsewhere",
				dir, manifest, name)
		}
	}
	return old, err
}

// WriteFolder writes files into a folder, which it creates if needed, and removes files that it
// wrote there before. It returns the errors of [CheckFolder].
func WriteFolder(dir string, files map[string][]byte) error {
	old, err := CheckFolder(dir)
	if err != nil {
		return err
	}
	for _, name := range old {
		err := os.Remove(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	put := func(name string, content []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		return cmp.Or(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o644))
	}
	names := slices.Sorted(maps.Keys(files))
	err = put(manifest, []byte(strings.Join(names, "\n")+"\n"))
	for _, name := range names {
		if err == nil {
			err = put(name, files[name])
		}
	}
	return err
}
