package world_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestModuleOutsideTheRepository builds and runs a module as a user has it: it imports layout,
// systems and world alone, and needs no network. The program ends with "ok" once it has checked
// every cell of its world. Tests that build more of them have the tag tools.
func TestModuleOutsideTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := outside(t)
	write(t, dir, "cells/main.go", outsideCells)
	require.Equal(t, "ok\n", run(t, dir, "run", "./cells"))
}

// outside returns the directory of a module that uses this one.
func outside(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/outside\n\ngo 1.26.0\n\n"+
		"require github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+strconv.Quote(root)+"\n")
	return dir
}

// run runs the go command in the module outside, and returns what it prints.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := goIn(t, dir, args...)
	require.NoError(t, err, "%s", out)
	return out
}

// goIn is run for what may fail.
func goIn(t *testing.T, dir string, args ...string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), worldtest.Go(), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), // what this module needs was loaded for this test
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
	b, err := cmd.CombinedOutput()
	return string(b), err
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
