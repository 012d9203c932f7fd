package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWritingASite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	said := 0
	s := site{root: "../..", dir: dir, say: func(string, ...any) { said++ }}
	require.NoError(t, s.write(t.Context(), false))
	assert.FileExists(t, filepath.Join(dir, "index.html"))
	assert.FileExists(t, filepath.Join(dir, "pkg", "world", "save.html"))
	assert.Positive(t, said)

	if testing.Short() {
		return // writing takes long under the race detector, and is one goroutine's
	}
	// Another takes its place, and leaves what it did not write.
	lost, other := filepath.Join(dir, "lost.html"), filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(lost, nil, 0o600))
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	list := filepath.Join(dir, manifest)
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(list, append(text, "lost.html\n"...), 0o600))
	require.NoError(t, s.write(t.Context(), false))
	assert.NoFileExists(t, lost)
	assert.FileExists(t, other)

	require.NoError(t, os.WriteFile(list, []byte("../../x\n"), 0o600))
	require.ErrorContains(t, s.write(t.Context(), false), "elsewhere")
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
