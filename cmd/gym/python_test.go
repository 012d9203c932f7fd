//go:build tools

package gym

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPythonPlays runs the scripts of testdata, each with the folder of flatecs_gym.py, a folder of
// programs that play games, and an empty one. A line of a recording's name and a digest is what each
// machine must come to that plays it again: this one, and wasm under Node.js, as in a browser.
func TestPythonPlays(t *testing.T) {
	const python = "/usr/bin/python3" // Debian's, with python3-numpy: another may be first in $PATH
	here, _ := os.Getwd()
	games := t.TempDir()
	build := exec.Command("go", "build", "-o", games+"/", "./testdata/cartpole", "./testdata/duel",
		"./testdata/again")
	said(t, build)
	wasm := exec.Command("go", "build", "-o", games+"/again.wasm", "./testdata/again")
	wasm.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said(t, wasm)
	node := filepath.Join(strings.TrimSpace(said(t, exec.Command("go", "env", "GOROOT"))),
		"lib", "wasm", "go_js_wasm_exec")
	scripts, _ := filepath.Glob("testdata/*.py")
	require.Len(t, scripts, 4)
	recorded, plays := regexp.MustCompile(`(?m)^(/\S+) (\d+)$`), 0
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			run := exec.Command(python, script, here, games, t.TempDir())
			run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			for _, line := range recorded.FindAllStringSubmatch(said(t, run), -1) {
				again := exec.Command(node, games+"/again.wasm", line[1])
				again.Env = []string{"PATH=" + os.Getenv("PATH")} // a longer one is more than wasm takes
				require.Equal(t, line[2]+"\n", said(t, again))
				require.Equal(t, line[2]+"\n", said(t, exec.Command(games+"/again", line[1])))
				plays++
			}
		})
	}
	require.Equal(t, 2, plays)
}

// said runs a program, and returns what it wrote.
func said(t *testing.T, program *exec.Cmd) string {
	t.Helper()
	out, err := program.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
