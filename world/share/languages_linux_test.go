//go:build tools

package share_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/share"
)

// TestOtherLanguagesReadAColumn runs the programs of docs/FORMAT.md.
func TestOtherLanguagesReadAColumn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	const rows = 128
	s := made(rows)
	p := world.Must(share.Publish(path, s, share.Options{}))
	for range 5 {
		s = step(s)
	}
	require.NoError(t, p.Offer(s))
	python := "/usr/bin/python3" // Debian's, with numpy; another may be first in $PATH
	if _, err := os.Stat(python); err != nil {
		python = installed(t, "python3", "install python3-numpy")
	}
	run := exec.Command(python, "-c", program(t, "```python\nimport mmap", 25), path, "place", "place")
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, strings.TrimSpace(strings.Repeat("6.0 ", rows)), strings.TrimSpace(string(out)))

	source := filepath.Join(t.TempDir(), "read.c")
	text := program(t, "```c\n#include", 40)
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	binary := strings.TrimSuffix(source, ".c")
	gcc := installed(t, "gcc", "install gcc and libc6-dev")
	out, err = exec.Command(gcc, "-Wall", "-Werror", "-o", binary, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(binary, path, "place", "place").CombinedOutput() //nolint:gosec // ours
	require.NoError(t, err, "%s", out)
	assert.Equal(t, strings.Repeat("6 ", rows), string(out))
	require.NoError(t, p.Close())
}

func installed(t *testing.T, name, cure string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, cure)
	return path
}

// program returns the program of docs/FORMAT.md with this beginning, and with at most the given
// number of lines.
func program(t *testing.T, begin string, most int) string {
	t.Helper()
	page := world.Must(os.ReadFile("../../docs/FORMAT.md"))
	_, rest, ok := strings.Cut(string(page), begin)
	require.True(t, ok, strconv.Quote(begin))
	_, first, _ := strings.Cut(begin, "\n")
	text, _, _ := strings.Cut(rest, "```")
	require.LessOrEqual(t, strings.Count(text, "\n"), most)
	return first + text
}
