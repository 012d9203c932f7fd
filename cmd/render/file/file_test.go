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

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	for _, e := range must(os.ReadDir(dir)) {
		found = append(found, e.Name())
	}
	return found
}

func TestCommitReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f := must(file.Create(path))
	must(f.Write([]byte("new")))
	assert.Equal(t, "old", string(must(os.ReadFile(path))), "until Commit")
	require.NoError(t, f.Commit())
	assert.Equal(t, "new", string(must(os.ReadFile(path))))
	status := must(os.Stat(path))
	assert.Equal(t, os.FileMode(0o600), status.Mode().Perm(), "who may read it stays")
	assert.Equal(t, []string{"a"}, names(t, dir))
}

// An error of writing names the place of the file, not where it is until then.
func TestErrorsNameThePlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := file.Create(path)
	require.NoError(t, err)
	defer f.Discard()
	require.NoError(t, f.Close())
	_, err = f.Write([]byte("new"))
	require.EqualError(t, err, "write "+path+": file already closed")
}

func TestNamesOf255Bytes(t *testing.T) {
	for _, letter := range []string{"a", "ü", "界"} {
		dir := t.TempDir()
		name := strings.Repeat(letter, 255/len(letter))
		for range 2 {
			f := must(file.Create(filepath.Join(dir, name)))
			require.NoError(t, f.Commit())
		}
		assert.Equal(t, []string{name}, names(t, dir))
	}
}

func TestDiscardLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f := must(file.Create(path))
	must(f.Write([]byte("new")))
	f.Discard()
	assert.Equal(t, "old", string(must(os.ReadFile(path))))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestFailedWritesAreNotCommitted(t *testing.T) {
	dir := t.TempDir()
	f := must(file.Create(filepath.Join(dir, "a")))
	require.NoError(t, f.Close()) // every write fails from now on
	_, err := f.Write([]byte("lost"))
	require.Error(t, err)
	require.ErrorIs(t, f.Commit(), os.ErrClosed)
	assert.Empty(t, names(t, dir))
}

func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	first := must(file.Create(path))
	second := must(file.Create(path))
	must(first.Write([]byte("first")))
	must(second.Write([]byte("second")))
	require.NoError(t, second.Commit())
	require.NoError(t, first.Commit())
	assert.Equal(t, "first", string(must(os.ReadFile(path))))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestDevicesAreWrittenDirectly(t *testing.T) {
	f := must(file.Create(os.DevNull))
	must(f.Write([]byte("a")))
	require.NoError(t, f.Commit())
	status := must(os.Stat(os.DevNull))
	assert.False(t, status.Mode().IsRegular())
}
