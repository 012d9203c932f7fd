//go:build linux || darwin

package kernel

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/unsafeutil"
)

// fenced returns bytes between two inaccessible pages.
func fenced(t *testing.T) []byte {
	t.Helper()
	const access = syscall.PROT_READ | syscall.PROT_WRITE
	page := os.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 4*page, access, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(all)) })
	require.NoError(t, syscall.Mprotect(all[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(all[3*page:], syscall.PROT_NONE))
	return all[page : 3*page]
}

// within runs the kernel on slices that end, then on slices that begin, where the fence is. A read
// beyond a slice would end the program.
func (s subject[F]) within(t *testing.T) {
	t.Helper()
	whole := unsafeutil.Slice[F](fenced(t))
	reads := make([][]F, s.others)
	for i := range reads {
		reads[i] = unsafeutil.Slice[F](fenced(t))
	}
	from := make([][]F, s.others)
	for n := range maxLength + 1 {
		for i, r := range reads {
			from[i] = r[len(r)-n:]
		}
		s.run(whole[len(whole)-s.lanes*n:], from, 1, 2)
		for i, r := range reads {
			from[i] = r[:n]
		}
		s.run(whole[:s.lanes*n], from, 1, 2)
	}
}

func TestNothingBeyondTheSlices(t *testing.T) {
	onSubjects(t, subject[float32].within, subject[float64].within)
}
