package save_test

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// TestFilesOfEveryVersion loads what each format has written.
func TestFilesOfEveryVersion(t *testing.T) {
	counts, o := busyCounts(), options()
	crowded := world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(3000), heroes.Velocity.Count(3000),
	), Recipes: []world.Recipe{mover}}
	for _, test := range []struct {
		path   string
		counts world.Counts
		tick   uint64
		digest uint64
	}{
		{"testdata/v1.flat", counts, 901, 0xd7b261a61ddf291b},
		{"testdata/v1zstd.flat", crowded, 2, 0x285c87b3c9ff08b3},
		{"testdata/v1parts.flat", tankCounts(), 3, 0x4ae65211a11b5e10},
	} {
		t.Run(test.path, func(t *testing.T) {
			s, report := world.Must2(save.Load(test.path, test.counts, o))
			require.NoError(t, tool.Verify(s))
			assert.Empty(t, slices.Concat(report.Kept, report.New, report.Dropped))
			assert.Equal(t, test.tick, report.Tick)
			assert.Equal(t, test.digest, world.Digest(s))
			v := world.Must(save.Open(test.path))
			require.NoError(t, v.Verify())
			require.NoError(t, v.Close())
		})
	}
	paths := world.Must(filepath.Glob("testdata/v*.flat"))
	assert.Len(t, paths, 3, "each has a line above")
}

var writeFiles = flag.Bool("save.write", false, "write testdata of this format anew")

func TestWriteFilesOfThisVersion(t *testing.T) {
	if !*writeFiles {
		return
	}
	s, _ := busy(t)
	require.NoError(t, save.Save("testdata/v1.flat", s, options()))
	s = crowd(t, 3000)
	require.NoError(t, save.Save("testdata/v1zstd.flat", s, save.Options{Compress: true}))
	s, _ = tanks(t)
	require.NoError(t, save.Save("testdata/v1parts.flat", s, save.Options{}))
}
