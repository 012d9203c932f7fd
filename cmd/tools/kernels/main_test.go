package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is checked in is what the command writes.
func TestCheckedIn(t *testing.T) {
	files, err := generate()
	require.NoError(t, err)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", packageDir, name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%s: GOWORK=off go -C cmd/tools run ./kernels", name)
	}
}
