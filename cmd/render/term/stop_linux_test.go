package term

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A session is a program that draws in a terminal of its own.
type session struct {
	*watcher
	*emulator
	program *os.File
	cmd     *exec.Cmd
}

// begin starts what TestChild is, by a command line in which "$@" stands for it, in a session of
// which the terminal is.
func begin(t *testing.T, script string) *session {
	t.Helper()
	program, window := openTerminal(t)
	s := &session{watch(window), newEmulator(t, 40, 12), program, nil}
	s.cmd = exec.Command("sh", "-c", script, "sh", os.Args[0], "-test.run", "^TestChild$")
	s.cmd.Env = append(os.Environ(), childKind+"=stop", "GORACE=atexit_sleep_ms=0")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = program, program, program
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // others hear that the terminal hangs up
		_ = s.cmd.Wait()
	})
	s.drawn(t)
	return s
}

func (s *session) drawn(t *testing.T) {
	t.Helper()
	s.until(t, s.emulator, "drawn", func() bool {
		return s.alternate && !s.cursor && strings.Contains(s.line(1), "score 12")
	})
	assert.True(t, isRaw(t, s.program))
}

// givenBack waits until the terminal is.
func (s *session) givenBack(t *testing.T) {
	t.Helper()
	s.until(t, s.emulator, "given back", func() bool { return !s.alternate && s.cursor })
}

// isStopped says whether the system has stopped the process.
func (s *session) isStopped() bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	_, state, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(state, "T")
}

func TestStoppedBySignals(t *testing.T) {
	s := begin(t, `exec "$@"`)
	for range 3 {
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGTSTP))
		s.givenBack(t)
		require.Eventually(t, s.isStopped, time.Minute, time.Millisecond)
		assert.False(t, isRaw(t, s.program))
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGCONT))
		s.drawn(t)
	}
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGSTOP)) // cannot be caught
	require.Eventually(t, s.isStopped, time.Minute, time.Millisecond)
	s.clear()
	s.alternate, s.cursor = false, true
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGCONT))
	s.drawn(t)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTSTP))
	s.givenBack(t)
	require.Eventually(t, s.isStopped, time.Minute, time.Millisecond)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGCONT))
	require.Error(t, s.cmd.Wait())
	assert.Equal(t, syscall.SIGTERM, s.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
	assert.False(t, isRaw(t, s.program))
}

// A shell gets the terminal when its job is stopped by Ctrl-Z, and gives it back by fg; in the
// background the job stops itself.
func TestStoppedByKeys(t *testing.T) {
	s := begin(t, `set -m; "$@"; echo once; read -r x; bg; fg; echo twice; read -r x; fg; kill %1`)
	for _, said := range []string{"once", "twice"} {
		s.press(t, "\x1a")
		s.givenBack(t)
		s.until(t, s.emulator, "the shell's", func() bool { return strings.Contains(s.log, said) })
		assert.False(t, isRaw(t, s.program))
		s.press(t, "\n")
		s.drawn(t)
	}
}

// Where no shell could let the program go on, Ctrl-Z does not stop it.
func TestNotStoppedForEver(t *testing.T) {
	s := begin(t, `exec "$@"`)
	s.log = ""
	s.press(t, "\x1a")
	s.until(t, s.emulator, "back", func() bool {
		_, after, _ := strings.Cut(s.log, leave)
		return strings.Contains(after, enter)
	})
	s.drawn(t)
}

func (s *session) press(t *testing.T, keys string) {
	t.Helper()
	must(s.window.WriteString(keys))
}

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
	return must(unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)).Lflag&(unix.ICANON|unix.ECHO) == 0
}
