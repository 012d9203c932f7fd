package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// decisive are the packages whose arithmetic decides what is in a world.
var decisive = []string{
	"./layout", "./buffer", "./buffer/kernel", "./gameobject", "./manager", "./systems/...",
	"./world", "./world/exact", "./world/exact/double", "./world/exact/internal/core", "./world/lab",
	"./world/network", "./world/pose", "./world/random", "./world/session", "./world/space",
	"./cmd/scene/...",
}

// fusedOp matches instructions that multiply and add with one rounding, of amd64 and arm64, in the
// assembly that the compiler prints.
var fusedOp = regexp.MustCompile(`\t(VFN?M(ADD|SUB)\w*|FN?M(ADD|SUB)[SD])\t`)

// fusing are hosts that have such instructions, and the packages that are compiled for them. The
// same products are fused on both, so amd64 adds only what has sources of its own, unless all is
// asked for: nothing else wants the standard library of this level.
var fusing = []struct{ host, packages []string }{
	{[]string{"GOOS=linux", "GOARCH=arm64"}, decisive},
	{[]string{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v3"}, []string{"./buffer/kernel"}},
}

// TestFused looks for products and sums that are fused. They are rounded once where other hosts
// round twice, so the bytes would differ between machines.
func TestFused(t *testing.T) {
	asked := os.Getenv("FLATECS_FUSED")
	if asked == "" {
		t.Skip("compiles the library for two hosts; FLATECS_FUSED=1 does, FLATECS_FUSED=all at length")
	}
	root, err := findRoot()
	require.NoError(t, err)
	for _, f := range fusing {
		packages := f.packages
		if asked == "all" {
			packages = decisive
		}
		line, err := fused(root, f.host, packages)
		require.NoError(t, err)
		assert.Empty(t, line, "%v: a product and a sum are fused; write float32(a*b) + c", f.host)
	}
}

// fused returns the first line of the packages' assembly that fuses, or nothing.
func fused(dir string, host, packages []string) (line string, err error) {
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, packages...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), host...)
	listing, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", host, err, listing)
	}
	for line := range bytes.Lines(listing) {
		if fusedOp.Match(line) {
			return string(bytes.TrimSpace(line)), nil
		}
	}
	return "", nil
}

func TestFusedFindsFusedProducts(t *testing.T) {
	for _, c := range []struct {
		name, code string
		found      bool
	}{
		{"float32", "func F(a, b, c float32) float32 { return a*b + c }", true},
		{"float64", "func F(a, b, c float64) float64 { return a*b + c }", true},
		{"through a variable", "func F(a, b, c float32) float32 { p := a * b; return p + c }", true},
		{"rounded", "func F(a, b, c float32) float32 { return float32(a*b) + c }", false},
		{"integers", "func F(a, b, c int) int { return a*b + c }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			write("go.mod", "module fused\n\ngo 1.26\n")
			write("f.go", "package fused\n\n"+c.code+"\n")
			for _, f := range fusing {
				line, err := fused(dir, append(f.host, "GOWORK=off"), []string{"."})
				require.NoError(t, err)
				assert.Equal(t, c.found, line != "", "%v: %s", f.host, line)
			}
		})
	}
}
