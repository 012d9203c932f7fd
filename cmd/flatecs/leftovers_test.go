package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Folders of processes that have ended are removed, and no others.
func TestLeftoversAreRemoved(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("no signal tells here whether a process runs")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ended := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^$")
	require.NoError(t, ended.Run())
	names := []string{
		fmt.Sprintf("%s%d-1", devFolder, ended.Process.Pid),
		fmt.Sprintf("%s%d-2", devFolder, os.Getpid()),
		devFolder + "mine-3", devFolder + "0-4", "flatecs-1-5",
	}
	for _, name := range names {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, "deep"), 0o755))
	}
	removeLeftovers()
	assert.NoDirExists(t, filepath.Join(dir, names[0]))
	for _, name := range names[1:] {
		assert.DirExists(t, filepath.Join(dir, name))
	}
}
