package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render/file"
)

func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func TestCommitReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := file.Create(path)
	require.NoError(t, err)
	_, err = f.Write([]byte("new"))
	require.NoError(t, err)
	was, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "old", string(was), "until Commit")
	require.NoError(t, f.Commit())
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "new", string(is))
	status, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), status.Mode().Perm(), "who may read it stays")
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestNamesOf255Bytes(t *testing.T) {
	for _, letter := range []string{"a", "ü", "界"} {
		dir := t.TempDir()
		name := strings.Repeat(letter, 255/len(letter))
		for range 2 {
			f, err := file.Create(filepath.Join(dir, name))
			require.NoError(t, err)
			require.NoError(t, f.Commit())
		}
		assert.Equal(t, []string{name}, names(t, dir))
	}
}

func TestDiscardLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := file.Create(path)
	require.NoError(t, err)
	_, err = f.Write([]byte("new"))
	require.NoError(t, err)
	f.Discard()
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "old", string(is))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestFailedWritesAreNotCommitted(t *testing.T) {
	dir := t.TempDir()
	f, err := file.Create(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.NoError(t, f.Close()) // every write fails from now on
	_, err = f.Write([]byte("lost"))
	require.Error(t, err)
	require.ErrorIs(t, f.Commit(), os.ErrClosed)
	assert.Empty(t, names(t, dir))
}

func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	first, err := file.Create(path)
	require.NoError(t, err)
	second, err := file.Create(path)
	require.NoError(t, err)
	_, err = first.Write([]byte("first"))
	require.NoError(t, err)
	_, err = second.Write([]byte("second"))
	require.NoError(t, err)
	require.NoError(t, second.Commit())
	require.NoError(t, first.Commit())
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "first", string(is))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestDevicesAreWrittenDirectly(t *testing.T) {
	f, err := file.Create(os.DevNull)
	require.NoError(t, err)
	_, err = f.Write([]byte("a"))
	require.NoError(t, err)
	require.NoError(t, f.Commit())
	status, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, status.Mode().IsRegular())
}
