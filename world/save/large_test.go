package save_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// TestLargeParts are read at the same time: none loses bytes, and a damaged one is named.
func TestLargeParts(t *testing.T) {
	const n = 70_000 // of 8 bytes: more than 512 KiB
	counts := world.Counts{GameObjects: n}
	var kinds []layout.AnyKind
	for i := range 3 {
		f := layout.NewComponent[uint64](fmt.Sprint("large", i))
		kinds, counts.Kinds = append(kinds, f), append(counts.Kinds, f.Count(n))
	}
	all := world.NewRecipe("large", kinds...)
	counts.Recipes = []world.Recipe{all}
	s := world.Must(world.CreateState(counts))
	s = world.Must(world.SpawnN(s, all, n, func(b world.Batch) {
		for i, k := range kinds {
			for at, column := 0, world.Column(b, k.(layout.Field[uint64])); at < len(column); at++ {
				column[at] = uint64(b.ID(at)) * uint64(i+3)
			}
		}
	}))
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	read := func() (world.State, error) {
		s, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), counts, save.Options{})
		return s, err
	}
	require.True(t, world.Equal(s, world.Must(read())))
	file.Bytes()[file.Len()/2] ^= 1
	_, err := read()
	require.ErrorIs(t, err, save.ErrDamaged)
	require.ErrorContains(t, err, "large")
}
