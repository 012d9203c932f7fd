//go:build tools

package slim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/slim"
)

// TestAProgramRecoversAsBefore runs a program with Node.js, as it is compiled and made smaller.
func TestAProgramRecoversAsBefore(t *testing.T) {
	_, err := exec.LookPath("node")
	require.NoError(t, err, "install Node.js 20, Debian's nodejs")
	plain := filepath.Join(t.TempDir(), "recover.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", plain,
		"./testdata/recover")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	wasm, err := os.ReadFile(plain)
	require.NoError(t, err)
	small := filepath.Join(t.TempDir(), "small.wasm")
	require.NoError(t, os.WriteFile(small, slim.Program(wasm), 0o644))
	for _, name := range []string{plain, small} {
		assert.Equal(t, `a function: fell, then <nil>
a function that it calls: <nil>, then fell
a method: fell, then <nil>
of a pointer: fell, then <nil>
of a part: fell, then <nil>
a function that a method calls: <nil>, then fell
`, runs(t, name))
	}
}

// runs returns what a program prints.
func runs(t *testing.T, wasm string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	run := exec.Command(script, wasm)
	run.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}
