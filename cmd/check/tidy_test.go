package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTidy looks at a copy of each module's go.mod that finds the tree's other modules: go mod tidy
// reads no go.work.
func TestTidy(t *testing.T) {
	if os.Getenv("FLATECS_TIDY") == "" {
		t.Skip("downloads what the tests of dependencies need")
	}
	root := must(findRoot())
	c := &check{root: root, temp: t.TempDir()}
	modules := must(c.modules())
	name := must(c.ask("GOWORK=off go list -m"))
	replace := ""
	for _, dir := range modules {
		replace += fmt.Sprintf("\nreplace %s => %q", path.Join(strings.TrimSpace(name), dir),
			filepath.Join(root, dir))
	}
	for _, dir := range modules {
		mod := must(os.ReadFile(filepath.Join(root, dir, "go.mod")))
		sum, _ := os.ReadFile(filepath.Join(root, dir, "go.sum")) // if there is one
		mod = append(mod, replace...)
		require.NoError(t, os.WriteFile(filepath.Join(c.temp, "tidy.mod"), mod, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(c.temp, "tidy.sum"), sum, 0o600))
		c.out.Reset()
		assert.NoError(t, c.command("cd "+dir+" && GOWORK=off go mod tidy -diff -modfile=$TEMP/tidy.mod"), &c.out)
	}
}
