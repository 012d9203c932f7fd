package term

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// openTerminal returns both ends of a pseudo-terminal: what the program sees, and what the window
// that shows it does, 40 × 12 characters large.
func openTerminal(t *testing.T) (program, window *os.File) {
	t.Helper()
	window = must(os.OpenFile("/dev/ptmx", os.O_RDWR, 0))
	require.NoError(t, unix.IoctlSetPointerInt(int(window.Fd()), unix.TIOCSPTLCK, 0))
	n := must(unix.IoctlGetUint32(int(window.Fd()), unix.TIOCGPTN))
	program = must(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))
	t.Cleanup(func() { program.Close(); window.Close() })
	setSize(t, window, 40, 12)
	return program, window
}

func setSize(t *testing.T, window *os.File, cols, rows int) {
	t.Helper()
	size := &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}
	require.NoError(t, unix.IoctlSetWinsize(int(window.Fd()), unix.TIOCSWINSZ, size))
}

// isRaw says whether a terminal hands on every key at once, without showing it.
func isRaw(t *testing.T, f *os.File) bool {
	t.Helper()
	state := must(unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS))
	return state.Lflag&(unix.ICANON|unix.ECHO) == 0
}
