//go:build amd64

package manager

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

const (
	sharedRows  = 100
	workerOfD21 = "FLATECS_TEST_RESULT"
)

// An emulator of another processor starts no second process, hence the tag.

// mapped maps a file of a manager's size, which every process that maps it sees.
func mapped(t *testing.T, name string) *Manager {
	t.Helper()
	size := sure(Size(positionKind, sharedRows, sharedRows))
	f := sure(os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600))
	require.NoError(t, f.Truncate(int64(size)))
	b := sure(syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED))
	require.NoError(t, f.Close())
	t.Cleanup(func() { assert.NoError(t, syscall.Munmap(b)) })
	return sure(View(b, positionKind, sharedRows, sharedRows))
}

// A worker in another process reads one mapped buffer and writes its results to another, which the
// main side copies when the worker is done.
func TestSeed_D21_AWorkerProcessWritesAResultBuffer(t *testing.T) {
	if dir := os.Getenv(workerOfD21); dir != "" {
		in, out := mapped(t, filepath.Join(dir, "in")), mapped(t, filepath.Join(dir, "out"))
		for row := range in.Rows.Each {
			x, y := layout.Flat[float32](Position, Column(in, Position))[3*row:][:3], layout.Flat[float32](Position, Column(out, Position))[3*row:][:3]
			y[0], y[1], y[2] = 2*x[0], x[1], x[2]
		}
		return
	}
	dir := t.TempDir()
	in, out := mapped(t, filepath.Join(dir, "in")), mapped(t, filepath.Join(dir, "out"))
	own := sure(New(positionKind, sharedRows, sharedRows))
	for o := range uint32(10) {
		_ = sure(in.Add(o))
		_ = sure(own.Add(o))
		layout.Flat[float32](Position, Column(in, Position))[3*o] = float32(o)
	}
	worker := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	worker.Env = append(os.Environ(), workerOfD21+"="+dir)
	said, err := worker.CombinedOutput()
	require.NoError(t, err, "%s", said)

	copy(own.Data.Buffer(), out.Data.Buffer()) // the sync point
	for o := range uint32(10) {
		row := sure(own.Get(o))
		assert.InDelta(t, 2*float32(o), layout.Flat[float32](Position, Column(own, Position))[3*row], 0)
		assert.InDelta(t, float32(o), layout.Flat[float32](Position, Column(in, Position))[3*o], 0, "what the worker read stays")
	}
	assert.Equal(t, layout.Row(0), layout.Row(out.Rows.High()), "the result is values alone")
}
