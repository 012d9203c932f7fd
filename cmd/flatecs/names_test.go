package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

const hostile = "\x1b[2J\u009b1m\u202e\x7f\xff\r\nforged: ok, tick 1"

var (
	hostileField  = layout.NewField[uint8]("field" + hostile)
	hostileKind   = layout.NewKind("kind"+hostile, hostileField)
	hostileMark   = layout.NewMark("mark" + hostile)
	hostileRecipe = world.NewRecipe("recipe"+hostile, hostileKind)
	hostileRules  = world.NewWatcher(world.NewQuery(world.With(hostileMark)))
)

// hostileFile saves a world whose every name is hostile.
func hostileFile(t *testing.T, value uint8, more ...layout.Count) string {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: append([]layout.Count{
			hostileKind.Count(64), hostileMark.Count(0),
		}, more...),
		Recipes: []world.Recipe{hostileRecipe}, Watchers: []world.Watcher{hostileRules},
	}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.Spawn(s, hostileRecipe))
	s = world.Must(world.Set(s, id, hostileField, value))
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	return path
}

func TestNamesOutOfAFileAreQuotedInEveryCommand(t *testing.T) {
	a, b := hostileFile(t, 1), hostileFile(t, 2)
	c := hostileFile(t, 1, layout.NewMark("other"+hostile).Count(0))
	damaged := hostileFile(t, 3)
	bytes := world.Must(os.ReadFile(damaged))
	at := strings.Index(string(bytes), "kind"+hostile)
	require.Positive(t, at)
	bytes[len(bytes)-4096] ^= 1 // in the last part
	require.NoError(t, os.WriteFile(damaged, bytes, 0o600))
	for _, args := range [][]string{
		{"verify", a},
		{"diff", a, b},
		{"diff", a, c},
		{"run", "cubes", "--count", "100", "--frames", "1", "--load", a},
		{"verify", damaged},
		{"verify", a + "\x1b[2J"},
	} {
		r := playArgs(args...)
		all := r.out + r.err
		assert.True(t, utf8.ValidString(all), "%q: %q", args, all)
		assert.NotContains(t, all, "\nforged", "%q", args)
		for _, char := range all {
			assert.True(t, char == '\n' || unicode.IsPrint(char), "%q: %q in %q", args, char, all)
		}
		assert.NotEmpty(t, all, "%q", args)
	}
}

// One file has many kinds, and the other many objects.
func TestDiffRefusesWhatWouldBeFarLargerThanTheFiles(t *testing.T) {
	counts := []world.Counts{{GameObjects: 1}, {GameObjects: 1 << 20}}
	for i := range 300 {
		counts[0].Kinds = append(counts[0].Kinds, layout.NewMark(fmt.Sprint("mark ", i)).Count(0))
	}
	var paths []string
	for _, c := range counts {
		s := world.Must(world.CreateState(c))
		for range c.GameObjects {
			s, _ = world.Must2(world.Create(s))
		}
		path := filepath.Join(t.TempDir(), "a.flat")
		require.NoError(t, save.Save(path, s, save.Options{Compress: true}))
		world.Close(s)
		paths = append(paths, path)
	}
	r := playArgs("diff", paths[0], paths[1])
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "too large to compare")
}
