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
	python := "/usr/bin/python3" // Debian's, which has numpy where another may be first in $PATH
	if _, err := os.Stat(python); err != nil {
		python, err = exec.LookPath("python3")
		require.NoError(t, err, "install python3 and python3-numpy")
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	games := t.TempDir()
	out, err := exec.Command("go", "build", "-o", games+"/", "./testdata/cartpole").CombinedOutput()
	require.NoError(t, err, "%s", out)
	scripts, _ := filepath.Glob("testdata/*.py")
	require.Len(t, scripts, 2)
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			run := exec.Command(python, script, here, games, t.TempDir())
			run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}
