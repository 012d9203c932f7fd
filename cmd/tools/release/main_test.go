package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersioned(t *testing.T) {
	const text = `module github.com/flatecs/flatecs/cmd

go 1.26.0

require github.com/flatecs/flatecs v0.0.0

require (
	github.com/alecthomas/kong v0.0.0
	github.com/flatecs/flatecs/world/shard v0.1.0-rc.1 // indirect
)

replace github.com/flatecs/flatecs v0.0.0 => ../..
`
	got := string(versioned([]byte(text), "v1.2.3"))
	assert.Equal(t, 3, strings.Count(got, "v1.2.3"))
	assert.Contains(t, got, "\trequire github.com/flatecs/flatecs v1.2.3\n"[1:])
	assert.Contains(t, got, "shard v1.2.3 // indirect\n")
	assert.Contains(t, got, "flatecs v1.2.3 => ../..\n")
	assert.Contains(t, got, "kong v0.0.0\n")
}

// plant writes files into a folder.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	return root
}

func TestModulesThatCannotBePublished(t *testing.T) {
	const mod = "module github.com/flatecs/flatecs\n\ngo 1.26.0\n"
	for want, files := range map[string]map[string]string{
		"a replace line":        {"go.mod": mod + "\nreplace a => ../a\n", "LICENSE": ""},
		"there is no LICENSE":   {"go.mod": mod, "a.go": "package a\n"},
		"go.mod: no such file ": {"LICENSE": ""},
	} {
		require.ErrorContains(t, pack(plant(t, files), t.TempDir(), "v0.1.0"), want)
	}
	for _, version := range []string{"", "0.1.0", "v1", "v0.1"} {
		require.ErrorContains(t, run(t.TempDir(), "", version), "is no version of a module")
	}
}

func TestEveryModuleIsPublishedOrNot(t *testing.T) {
	const root = "../../.."
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	require.NoError(t, err)
	kept := append([]string{"bench", "cmd/tools"}, published...)
	var found []string
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" && !strings.Contains(name, "testdata") {
			within, err := filepath.Rel(root, filepath.Dir(name))
			require.NoError(t, err)
			found = append(found, filepath.ToSlash(within))
			own, err := os.ReadFile(filepath.Join(filepath.Dir(name), "LICENSE"))
			require.NoError(t, err)
			assert.Equal(t, string(license), string(own), within)
		}
		return nil
	}))
	assert.ElementsMatch(t, kept, found)
}
