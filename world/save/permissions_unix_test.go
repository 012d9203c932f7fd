//go:build unix

package save

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestANewSaveHasThePermissionsThatTheUmaskLeaves(t *testing.T) {
	s := small(t)
	dir := t.TempDir()
	for umask, want := range map[int]os.FileMode{0o077: 0o600, 0o002: 0o664, 0o022: 0o644} {
		path := filepath.Join(dir, want.String())
		before := syscall.Umask(umask)
		err := Save(path, s, smallOptions())
		syscall.Umask(before)
		require.NoError(t, err)
		assert.Equal(t, want, permissions(t, path))
	}
}

// A pipe is not a file, and is refused without waiting for its other end.
func TestAPipeIsNamed(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.ErrorContains(t, Save(pipe, small(t), smallOptions()), "it is a pipe; name a file")
	_, err := Open(pipe)
	require.ErrorContains(t, err, "it is a pipe; name a file")
}

func TestASaveKeepsThePermissionsOfTheOneBefore(t *testing.T) {
	s := small(t)
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, Save(path, s, smallOptions()))
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666, 0o444} {
		require.NoError(t, os.Chmod(path, mode))
		for range 2 {
			require.NoError(t, Save(path, s, smallOptions()))
			assert.Equal(t, mode, permissions(t, path))
		}
		v, err := NewSaver(path, s, smallOptions())
		require.NoError(t, err)
		require.NoError(t, v.Offer(s))
		require.NoError(t, v.Close())
		assert.Equal(t, mode, permissions(t, path))
	}
}

func permissions(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode()
}
