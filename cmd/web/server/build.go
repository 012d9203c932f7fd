package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Program is what the browser runs.
type Program struct {
	Wasm   []byte
	Script []byte // wasm_exec.js of the toolchain that made Wasm
}

// App is the package of the page's program.
const App = "github.com/flatecs/flatecs/cmd/web/app"

// ErrBuild is the error of a program that cannot be built here.
var ErrBuild = errors.New("the page's program cannot be built")

// flags are how programs of pages are built: States of scenes are checked where they are tested.
var flags = []string{"-trimpath", "-tags=ecsrelease", "-ldflags=-s -w", "-buildvcs=false"}

// Stale returns how many packages Build will compile of programs, or 0 where nobody can tell.
func Stale(ctx context.Context, programs ...string) int {
	list, err := run(ctx, nil, "go", slices.Concat([]string{"list", "-deps"}, flags,
		[]string{"-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, programs)...)
	if err != nil {
		return 0
	}
	return len(bytes.Fields(list))
}

// Build builds a program, which is a package's name or a file's, with the go command, from the
// source that this one was built from, or else from the module in the working directory. If
// compiled is not nil, it is called for each package that is compiled, with its name; those that
// were before are not.
func Build(ctx context.Context, program string, compiled func(pkg string)) (Program, error) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return Program{}, fmt.Errorf(
			"server: %w: there is no go command; install Go, or put it on the PATH", ErrBuild)
	}
	dir, err := os.MkdirTemp("", "flatecs-")
	if err != nil {
		return Program{}, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "app.wasm")
	if _, err := run(ctx, compiled, goCommand, slices.Concat([]string{"build", "-v"}, flags,
		[]string{"-o", out, program})...); err != nil {
		return Program{}, err
	}
	root, err := run(ctx, nil, goCommand, "env", "GOROOT")
	if err != nil {
		return Program{}, err
	}
	var p Program
	if p.Wasm, err = os.ReadFile(out); err != nil {
		return Program{}, err
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	if p.Script, err = os.ReadFile(script); err != nil {
		return Program{}, fmt.Errorf("server: %w: this Go has no wasm_exec.js: %w", ErrBuild, err)
	}
	return p, nil
}

// run runs a command for js/wasm and returns what it prints. What it says on stderr is an error's
// reason, but for names of packages, which are told while it runs.
func run(
	ctx context.Context, compiled func(pkg string), name string, args ...string,
) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it has files to remove
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = source()
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	problems := &said{compiled: compiled}
	cmd.Stderr = problems
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("server: %w; run this in a checkout of flatecs: go %s: %w\n%s",
		ErrBuild, args[0], err, bytes.TrimSpace(problems.rest.Bytes()))
}

// A said is what the go command says on stderr.
type said struct {
	compiled func(pkg string)
	line     []byte
	rest     bytes.Buffer // what names no package
}

// Write hands on the names of packages, and keeps other lines.
func (s *said) Write(text []byte) (int, error) {
	for _, b := range text {
		if s.line = append(s.line, b); b != '\n' {
			continue
		}
		if name := string(bytes.TrimSpace(s.line)); packageName.MatchString(name) {
			if s.compiled != nil {
				s.compiled(name)
			}
		} else {
			_, _ = s.rest.Write(s.line)
		}
		s.line = s.line[:0]
	}
	return len(text), nil
}

var packageName = regexp.MustCompile(`^[a-z0-9][\w.~/-]*$`)

// source returns the directory that this file was compiled in, if it is still there; otherwise
// nothing, which is the working directory.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return filepath.Dir(file)
}
