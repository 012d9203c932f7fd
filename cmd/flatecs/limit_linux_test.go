package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// More than a limit leaves is refused in one line, before anything is made.
func TestALimitOfMemory(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --count 16000000 --frames 1":                  "flatecs: world: ",
		"run heroes --count 40000000 --frames 1":                 "flatecs: world: ",
		"run heroes --act 1 --count 2000000000 --render none":    "flatecs: act 1: ",
		"run heroes --act 2 --count 40000000 --render none":      "flatecs: act 2: ",
		"run heroes --count 40000000 --render none --state none": "flatecs: world: ",
	} {
		whole := program(t, strings.Fields(line)...)
		has := addresses(t)
		limit := strconv.Itoa((has + 1<<30) >> 10) // a GB more than it begins with
		cmd := exec.Command("sh", append([]string{
			"-c", `ulimit -v "$0"; exec "$@"`, limit,
		}, whole.Args...)...)
		cmd.Env = whole.Env
		out, err := cmd.CombinedOutput()
		text := string(out)
		if code := codeOf(t, err); code != 1 || strings.Count(text, "\n") != 1 ||
			!strings.HasPrefix(text, want) || !strings.Contains(text, "has for this program") {
			t.Errorf("%s: exit code %d, %q", line, code, text)
		}
	}
}

// addresses returns how many bytes of addresses the program has at its beginning: about as many
// as the test.
func addresses(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[0])
	require.NoError(t, err)
	return pages * os.Getpagesize()
}
