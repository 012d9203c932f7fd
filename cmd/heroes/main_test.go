package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const asProgram = "HEROES_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// heroes runs the program, whose stdout is a pipe.
func heroes(t *testing.T, args ...string) (out, problems string, err error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var text, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &log
	err = cmd.Run()
	return text.String(), log.String(), err
}

func TestAPipeGetsOnePicture(t *testing.T) {
	out, problems, err := heroes(t, "-count", "20000")
	require.NoError(t, err, problems)
	assert.Equal(t, 25, strings.Count(out, "\n"))
	assert.Contains(t, out, "20,060 objects")
	assert.Empty(t, problems)
	assert.Greater(t, len(strings.Join(strings.Fields(out), "")), 200, "signs of light")
	assert.NotContains(t, out, "\x1b")
	again, _, err := heroes(t, "-count", "20000")
	require.NoError(t, err)
	assert.Equal(t, out, again)
}

// New users compile this program first: it must link little.
func TestFewPackagesAreCompiled(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	assert.LessOrEqual(t, bytes.Count(list, []byte("\n")), 122)
	assert.NotContains(t, string(list), "net/http")
}
