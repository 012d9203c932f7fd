package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

func TestNewRefusesFolders(t *testing.T) {
	there, none := t.TempDir(), filepath.Join(t.TempDir(), "none")
	require.NoError(t, os.WriteFile(filepath.Join(there, "mine.txt"), nil, 0o600))
	for dir, want := range map[string]string{
		there:                                  "is not empty; name a new folder",
		"game":                                 "name a folder outside, such as ../mygame",
		filepath.Join(t.TempDir(), "a b"):      `"a b" is not a name for a module`,
		filepath.Join(t.TempDir(), "-", "..."): "use letters, digits, - and _",
	} {
		r := playArgs("new", dir)
		assert.Equal(t, 1, r.code, dir)
		assert.Empty(t, r.out)
		assert.Contains(t, r.err, want)
		assert.NoDirExists(t, "game")
		assert.NoDirExists(t, none)
	}
}

// A game's folder may be called as anything that Go has, and the checkout may lie anywhere.
func TestNewWritesGoMod(t *testing.T) {
	root := world.Must(filepath.Abs("../.."))
	for _, name := range []string{"mygame", "time", "go"} {
		text := world.Must(moduleFor(t.Context(), filepath.Join(filepath.Dir(root), name)))
		assert.Contains(t, text, "module example.com/"+name+"\n")
		assert.Contains(t, text, "\t"+library+" => ../"+filepath.Base(root)+"\n")
		assert.Contains(t, text, "\t"+vetTool+" => ../"+filepath.Base(root)+"/cmd/vet\n")
	}
	assert.Equal(t, "\ta => \"../my games/flatecs\"\n", replaced("a", "/b/c", "/b/my games/flatecs"))
	agents := world.Must(balloons.ReadFile("balloons/AGENTS.md"))
	assert.LessOrEqual(t, strings.Count(string(agents), "\n"), 60)
	test := world.Must(balloons.ReadFile("balloons/main_test.go"))
	assert.Contains(t, string(test), library+"/world/save", "docs/START.md saves, without go mod tidy")
}
