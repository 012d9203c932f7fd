package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// asProgram makes the test binary behave as the program.
const asProgram = "FLATECS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(mainCode())
	}
	os.Exit(m.Run())
}

// program prepares the program as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(world.Must(os.Executable()), args...)
	// Under the race detector a process otherwise waits a second before it ends.
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// sized returns how many objects or frames a test takes: with -short a tenth.
func sized(n int) string {
	if testing.Short() {
		n /= 10
	}
	return strconv.Itoa(n)
}

// few returns flags that make a scene's world small where its size does not matter.
func few(s *scene.Scene) string {
	if s.Defaults.Count > 2000 {
		return " --count 2000"
	}
	return ""
}

// oneGoroutine skips a test with -short under the race detector, which finds nothing where a single
// goroutine works and makes it ten times as long.
func oneGoroutine(t *testing.T) {
	t.Helper()
	raced := debug.BuildSetting{Key: "-race", Value: "true"}
	info, ok := debug.ReadBuildInfo()
	if testing.Short() && ok && slices.Contains(info.Settings, raced) {
		t.Skip("one goroutine: the race detector has nothing to find")
	}
}

type result struct {
	code     int
	out, err string
}

// play runs a command line, given as one string, within the test.
func play(t *testing.T, line string) result {
	t.Helper()
	return playArgs(strings.Fields(line)...)
}

func playArgs(args ...string) result { return playIn(context.Background(), args...) }

func playIn(ctx context.Context, args ...string) result {
	var out, err bytes.Buffer
	code := run(ctx, args, streams{strings.NewReader(""), &out, &err})
	return result{code, out.String(), err.String()}
}

// says checks the exit code of a run, and that it said each of some texts.
func (r result) says(t *testing.T, code int, texts ...string) {
	t.Helper()
	assert.Equal(t, code, r.code, "%+v", r)
	for _, text := range texts {
		assert.Contains(t, r.err, text)
	}
}

// played runs a command line that must succeed, and returns its output.
func played(t *testing.T, line string) string {
	t.Helper()
	r := play(t, line)
	require.Equal(t, result{out: r.out}, r, line)
	return r.out
}

// refused runs command lines. Each must end with a code, print nothing, and report the fix in one
// line.
func refused(t *testing.T, code int, lines map[string]string) {
	t.Helper()
	for line, want := range lines {
		r := play(t, line)
		start := map[bool]string{true: "flatecs: error: ", false: "flatecs: "}[code == 2]
		if r.code != code || r.out != "" || !strings.HasPrefix(r.err, start) ||
			!strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q; want %q", line, r.code, r.out, r.err, want)
		}
	}
}

// content returns what is in a file.
func content(path ...string) string {
	return string(world.Must(os.ReadFile(filepath.Join(path...))))
}

func golden(name string) string { return content("testdata", name) }
