package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A source is the files from which a program is built, except files of other modules.
type source struct {
	folders []string
	files   map[string]stamp
}

// A stamp distinguishes versions of a file.
type stamp struct {
	size int64
	at   time.Time
}

// newSource finds the source of a package.
func newSource(ctx context.Context, pkg string) (*source, error) {
	s := &source{}
	if err := s.list(ctx, pkg); err != nil {
		return nil, err
	}
	s.files = s.look()
	return s, nil
}

// list finds the folders of packages in the modules of the workspace.
func (s *source) list(ctx context.Context, pkg string) error {
	const format = `{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}`
	out, err := goTool(ctx, "", "list", "-deps", "-f", format, pkg)
	if err != nil {
		return fmt.Errorf("go list %s: %w\n%s", pkg, err, strings.TrimSpace(out))
	}
	s.folders = strings.Split(strings.TrimSpace(out), "\n")
	return nil
}

// renew finds new and removed packages. After an error it keeps the previous list.
func (s *source) renew(ctx context.Context, pkg string) {
	if s.list(ctx, pkg) == nil {
		for name, at := range s.look() {
			if _, known := s.files[name]; !known {
				s.files[name] = at
			}
		}
	}
}

// changed reports whether a file was added, removed or changed since the last call.
func (s *source) changed() bool {
	now := s.look()
	same := len(now) == len(s.files)
	for name, at := range now {
		same = same && s.files[name] == at
	}
	s.files = now
	return !same
}

// look returns the current files, without tests.
func (s *source) look() map[string]stamp {
	all := make(map[string]stamp, len(s.files))
	for _, folder := range s.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
				strings.HasSuffix(name, "_test.go") {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode()&fs.ModeType == 0 {
				all[filepath.Join(folder, name)] = stamp{info.Size(), info.ModTime()}
			}
		}
	}
	return all
}

// goTool returns the output of a go command; a killed one leaves its files in temp, if it is set.
func goTool(ctx context.Context, temp string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // go
	cmd.Env = append(os.Environ(), "GOTMPDIR="+cmp.Or(temp, os.Getenv("GOTMPDIR")))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = interrupted(ctx)
	}
	return string(out), err
}
