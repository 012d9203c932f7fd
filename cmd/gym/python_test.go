//go:build tools

package gym

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPythonPlays runs the scripts of testdata, each with the folder of flatecs_gym.py, a folder of
// programs that play games, and an empty one.
func TestPythonPlays(t *testing.T) {
	const python = "/usr/bin/python3" // Debian's, with python3-numpy: another may be first in $PATH
	here, _ := os.Getwd()
	games := t.TempDir()
	build := exec.Command("go", "build", "-o", games+"/", "./testdata/cartpole", "./testdata/duel")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	scripts, _ := filepath.Glob("testdata/*.py")
	require.Len(t, scripts, 3)
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			run := exec.Command(python, script, here, games, t.TempDir())
			run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}
