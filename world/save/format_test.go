//go:build tools

package save_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// TestPythonReadsThePositions runs the program of docs/FORMAT.md.
func TestPythonReadsThePositions(t *testing.T) {
	page := world.Must(os.ReadFile("../../docs/FORMAT.md"))
	_, program, ok := strings.Cut(string(page), "```python\n")
	require.True(t, ok)
	program, _, _ = strings.Cut(program, "```")
	require.LessOrEqual(t, strings.Count(program, "\n"), 20)
	s, _ := busy(t)
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, options()))
	python, err := exec.LookPath("python3")
	require.NoError(t, err, "install python3")
	out, err := exec.Command(python, "-c", program, path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var want strings.Builder
	for _, p := range world.View(s, heroes.Position)[:tool.MaxIndex(s, heroes.Position.Kind())] {
		fmt.Fprintln(&want, float(p[0]), float(p[1]), float(p[2]))
	}
	assert.Equal(t, want.String(), string(out))
}

// float prints a number as Python does.
func float(x float32) string {
	s := fmt.Sprint(float64(x))
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
