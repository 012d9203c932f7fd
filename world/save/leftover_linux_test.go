package save

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
)

// What a killed save of another user left behind can be neither opened nor removed.
func TestALeftoverThatStaysIsOfNoMatter(t *testing.T) {
	s := small(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	left := filepath.Join(dir, ".a.flat.12.saving")
	require.NoError(t, os.WriteFile(left, nil, 0o600))
	require.NoError(t, os.Chmod(left, 0))
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // for another user
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	asNobody(t, func() {
		assert.ErrorContains(t, Sweep(path), "permission denied")
		assert.NoError(t, Save(path, s, smallOptions()))
		v, err := NewSaver(path, s, smallOptions())
		if assert.NoError(t, err) {
			assert.NoError(t, v.Close())
		}
	})
	require.FileExists(t, left)
	loaded, _, err := Load(path, smallCounts(), smallOptions())
	require.NoError(t, err)
	assert.Equal(t, systems.Digest(s), systems.Digest(loaded))
}

// asNobody calls f by a thread that may do no more with files than a user without rights.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		const nobody = 65534
		_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		f()
	}()
	<-done
}
