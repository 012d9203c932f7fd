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
	var errs [4]error
	asNobody(func() {
		errs[0] = Sweep(path)
		errs[1] = Save(path, s, smallOptions())
		var v *Saver
		if v, errs[2] = NewSaver(path, s, smallOptions()); v != nil {
			errs[3] = v.Close()
		}
	})
	require.ErrorContains(t, errs[0], "permission denied")
	for _, err := range errs[1:] {
		require.NoError(t, err)
	}
	require.FileExists(t, left)
	loaded, _, err := Load(path, smallCounts(), smallOptions())
	require.NoError(t, err)
	assert.Equal(t, systems.Digest(s), systems.Digest(loaded))
}

// asNobody calls f on a thread with the file rights of an ordinary user.
func asNobody(f func()) {
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
