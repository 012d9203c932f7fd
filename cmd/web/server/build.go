package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Program is a compiled program for browsers.
type Program struct {
	Wasm   []byte
	Script []byte // wasm_exec.js of the toolchain that compiled Wasm
}

// App is the package of the page's program.
const App = "github.com/flatecs/flatecs/cmd/web/app"

// ErrBuild is the error of a program that cannot be built here.
var ErrBuild = errors.New("the page's program cannot be built")

// flags are the build flags of page programs. They exclude checks of States, which tests make.
var flags = []string{"-trimpath", "-tags=ecsrelease", "-ldflags=-s -w", "-buildvcs=false"}

// Build builds a program, given as a package or a file, with the go command, from the source of
// this program, or else from the module in the working directory. Unless told is nil, it is called
// with the numbers of compiled packages and of packages that are not in Go's cache. The calls come
// from another goroutine, one after the other, and end before Build returns.
func Build(ctx context.Context, program string, told func(done, total int)) (Program, error) {
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
	stale, err := run(ctx, nil, dir, goCommand, slices.Concat([]string{"list", "-deps"}, flags,
		[]string{"-f={{if .Stale}}{{.ImportPath}}{{end}}", program})...)
	if err != nil {
		return Program{}, err
	}
	m := &packageMeter{stale: strings.Fields(string(stale)), told: told}
	if _, err := run(ctx, m, dir, goCommand, slices.Concat([]string{"build", "-v"}, flags,
		[]string{"-o", out, program})...); err != nil {
		return Program{}, err
	}
	root, err := run(ctx, nil, dir, goCommand, "env", "GOROOT")
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

// A packageMeter parses the output of go build -v: it counts lines with a package, and stores other
// lines.
type packageMeter struct {
	stale []string // packages that remain to be compiled
	told  func(done, total int)
	done  int
	part  []byte // an incomplete line
	rest  []byte
}

func (m *packageMeter) Write(b []byte) (int, error) {
	m.part = append(m.part, b...)
	for {
		end := bytes.IndexByte(m.part, '\n') + 1
		if end == 0 {
			return len(b), nil
		}
		if name := string(m.part[:end-1]); !slices.Contains(m.stale, name) {
			m.rest = append(m.rest, m.part[:end]...)
		} else if m.done++; m.told != nil {
			m.told(m.done, len(m.stale))
		}
		m.part = m.part[end:]
	}
}

// run runs a command for js/wasm and returns its output. An error contains the command's stderr,
// without the lines that a meter counts. The caller removes temp, because a killed go leaves its
// files.
func run(ctx context.Context, m *packageMeter, temp, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = source()
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOTMPDIR="+temp)
	if m == nil {
		m = &packageMeter{}
	}
	cmd.Stderr = m
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("server: %w; run this in a checkout of flatecs: go %s: %w\n%s",
		ErrBuild, args[0], err, bytes.TrimSpace(append(m.rest, m.part...)))
}

// source returns the directory in which this file was compiled, if it still exists; otherwise "",
// the working directory.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return filepath.Dir(file)
}
