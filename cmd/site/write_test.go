package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWritingASite(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "new", "site")
	require.NoError(t, os.CopyFS(root, small()))
	said := 0
	s := site{root: root, dir: dir, say: func(string, ...any) { said++ }}
	require.NoError(t, s.write(t.Context(), false))
	assert.FileExists(t, filepath.Join(dir, "index.html"))
	assert.FileExists(t, filepath.Join(dir, "pkg", "layout.html"))
	assert.Positive(t, said)
}

func TestFoldersOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.html")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	s := site{root: "../..", dir: dir, say: func(string, ...any) {}}
	require.ErrorContains(t, s.write(t.Context(), false), "mine.html")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}
