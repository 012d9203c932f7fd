package world_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModuleOutsideTheRepository builds and runs a module as a user has it: it imports layout,
// systems and world alone, and needs no network. Each program ends with "ok" once it has checked
// every cell of its world.
func TestModuleOutsideTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/outside\n\ngo 1.26\n\n"+
		"require github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+strconv.Quote(root)+"\n")
	write(t, dir, "cells/main.go", outsideCells)
	write(t, dir, "kinds/main.go", outsideKinds)
	write(t, dir, "allocs/main.go", outsideAllocs)
	for _, c := range []struct{ name, program, flag string }{
		{"cells", "./cells", "-tags="},
		{"cells under ecsdebug", "./cells", "-tags=ecsdebug"},
		{"cells, pointers checked", "./cells", "-gcflags=all=-d=checkptr"},
		{"300 kinds", "./kinds", "-tags="},
		{"300 kinds under ecsdebug", "./kinds", "-tags=ecsdebug"},
		{"allocations", "./allocs", "-tags="},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "run", c.flag, c.program)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), // what this module needs was loaded for this test
				"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "ok\n", string(out))
		})
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
