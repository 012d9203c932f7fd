// Package release tests release.sh, which writes a version into all modules, or packs them.
package release

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// root is the root of the tree.
const root = "../../.."

// release runs the script of a tree, and returns what it prints.
func release(root string, args ...string) (string, error) {
	script := filepath.Join(root, "cmd", "tools", "release", "release.sh")
	out, err := exec.Command(script, args...).CombinedOutput()
	return string(out), err
}

// plant makes a repository of one published module, of files, and returns what it holds.
func plant(t *testing.T, files map[string]string) (root string, held func() map[string]string) {
	t.Helper()
	root = t.TempDir()
	script, err := os.ReadFile("release.sh")
	require.NoError(t, err)
	begin, rest, _ := strings.Cut(string(script), "published=(")
	_, rest, _ = strings.Cut(rest, ")\n")
	write := func(name, text string) {
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o700)) //nolint:gosec // a script
	}
	write("cmd/tools/release/release.sh", begin+"published=(.)\n"+rest)
	for name, text := range files {
		write(name, text)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		require.NoError(t, exec.Command("git", append([]string{"-C", root}, args...)...).Run())
	}
	return root, func() map[string]string {
		all := map[string]string{}
		require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, err := os.ReadFile(name)
				require.NoError(t, err)
				all[name] = string(text)
			}
			return err
		}))
		return all
	}
}

const module = `module github.com/flatecs/flatecs/cmd

go 1.26.0

require github.com/flatecs/flatecs v0.0.0

require (
	github.com/alecthomas/kong v0.0.0
	github.com/flatecs/flatecs/world/shard v0.1.0-rc.1 // indirect
)
`

func TestTheVersionIsWritten(t *testing.T) {
	root, held := plant(t, map[string]string{
		"go.mod": module, "go.work": "replace github.com/flatecs/flatecs v0.0.0 => ../..\n",
	})
	before := held()
	said, err := release(root, "-n", "v1.2.3")
	require.NoError(t, err, said)
	assert.Equal(t, 3, strings.Count(said, "\n+"+"\t")+strings.Count(said, "\n+re"), said)
	assert.Equal(t, before, held(), "a dry run writes nothing")
	said, err = release(root, "v1.2.3")
	require.NoError(t, err, said)
	assert.Contains(t, said, "for tag in v1.2.3 ")
	got, work := held()[filepath.Join(root, "go.mod")], held()[filepath.Join(root, "go.work")]
	want := strings.NewReplacer("flatecs v0.0.0", "flatecs v1.2.3", "v0.1.0-rc.1", "v1.2.3")
	assert.Equal(t, want.Replace(module), got)
	assert.Equal(t, "replace github.com/flatecs/flatecs v1.2.3 => ../..\n", work)
}

func TestWhatIsNoReleaseWritesNothing(t *testing.T) {
	to := filepath.Join(t.TempDir(), "packed")
	for _, c := range []struct{ mod, license, args, want string }{
		{module, "", "--help", "usage: release.sh"},
		{module, "", "-h v0.1.0", "usage: release.sh"},
		{module, "", "", "'' is no version of a module"},
		{module, "", "0.1.0", "is no version of a module"},
		{module, "", "v1", "is no version of a module"},
		{module, "", "v0.1", "is no version of a module"},
		{module, "", "v0.01.0", "is no version of a module"},
		{module, "", "v0.1.0 v0.2.0", "give one version"},
		{module, "", "--pakc DIR v0.1.0", "unknown flag --pakc"},
		{module, "", "v0.1.0 --pack", "--pack: name a folder"},
		{module, "", "-n --pack " + to + " v0.1.0", "would pack ."},
		{module, "none", "--pack " + to + " v0.1.0", "there is no LICENSE"},
		{module + "\nreplace a => ../a\n", "", "--pack " + to + " v0.1.0", "has a replace line"},
	} {
		root, held := plant(t, map[string]string{"go.mod": c.mod, "LICENSE" + c.license: ""})
		before := held()
		said, err := release(root, strings.Fields(c.args)...)
		assert.Contains(t, said, c.want)
		shown := strings.Contains(c.args, "-h") || strings.HasPrefix(c.args, "-n")
		assert.Equal(t, shown, err == nil, c.args)
		assert.Equal(t, before, held(), c.args)
		assert.NoDirExists(t, to, c.args)
	}
}

func TestEveryModuleIsPublishedOrNot(t *testing.T) {
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	require.NoError(t, err)
	said, err := release(root, "-n", "v9.9.9")
	require.NoError(t, err, said)
	_, tags, _ := strings.Cut(said, "for tag in ")
	tags, _, _ = strings.Cut(tags, "; do")
	kept := []string{"bench", "cmd/tools"}
	for tag := range strings.FieldsSeq(tags) {
		kept = append(kept, filepath.ToSlash(filepath.Dir(tag)))
	}
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
