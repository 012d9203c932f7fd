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

// Build builds a program, which is a package's name or a file's, with the go command, from the
// source that this one was built from, or else from the module in the working directory.
func Build(ctx context.Context, program string) (Program, error) {
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
	if _, err := run(ctx, goCommand, slices.Concat([]string{"build"}, flags,
		[]string{"-o", out, program})...); err != nil {
		return Program{}, err
	}
	root, err := run(ctx, goCommand, "env", "GOROOT")
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
// reason.
func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it has files to remove
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = source()
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("server: %w; run this in a checkout of flatecs: go %s: %w\n%s",
		ErrBuild, args[0], err, bytes.TrimSpace(problems.Bytes()))
}

// source returns the directory that this file was compiled in, if it is still there; otherwise
// nothing, which is the working directory.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return filepath.Dir(file)
}
