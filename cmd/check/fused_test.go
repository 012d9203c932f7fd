package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
			for _, host := range fusing {
				line, err := fused(dir, append(host, "GOWORK=off"), []string{"."})
				require.NoError(t, err)
				assert.Equal(t, c.found, line != "", "%v: %s", host, line)
			}
		})
	}
}
