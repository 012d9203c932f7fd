//go:build tools

package hunt_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestTheTestThatIsWritten, in another module: it compiles, fails as long as the bug is there, and
// passes without it. It uses the example's game.
func TestTheTestThatIsWritten(t *testing.T) {
	f := hunted(t, Game, hunt.Options{}).Failure
	require.NotNil(t, f)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("go.mod", "module example.com/purses\n\ngo 1.26.0\n\nrequire github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+strconv.Quote(root)+"\n")
	write("found_test.go", "package hunt_test\n\nimport (\n\t\"testing\"\n\n\t\"github.com/flatecs/flatecs/world/hunt\"\n)\n\n"+
		f.Test("TestCoins", "Game"))
	game, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	write("game_test.go", string(game))
	run := func() (string, error) {
		c := exec.Command(worldtest.Go(), "test", "-mod=mod", "-run=TestCoins", ".")
		c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := run()
	require.Error(t, err)
	assert.Contains(t, out, "--- FAIL: TestCoins")
	assert.Contains(t, out, "hunt: coins, after 1 of 1 ticks: it is 410, and was 400")
	write("game_test.go", strings.Replace(string(game), "c[from], c[to] = less, more",
		"_, _ = less, more\n\t\tc[from] -= 10\n\t\tc[to] += 10", 1))
	out, err = run()
	require.NoError(t, err, out)
	assert.Contains(t, out, "ok")
}
