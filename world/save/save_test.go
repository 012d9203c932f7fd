package save_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// saved returns what Write writes.
func saved(t *testing.T, s world.State, o save.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, save.Write(&b, s, o))
	return b.Bytes()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, compress := range []bool{false, true} {
		s, counts := busy(t)
		o := options()
		o.Compress = compress
		file := saved(t, s, o)
		back, report, err := save.Read(bytes.NewReader(file), int64(len(file)), counts, o)
		require.NoError(t, err)
		require.NoError(t, tool.Verify(back))
		assert.Empty(t, report.Kept)
		assert.Empty(t, report.New)
		assert.Empty(t, report.Dropped)
		assert.Equal(t, world.Tick(s), report.Tick)
		d, differ, err := tool.FirstDifference(s, back)
		require.NoError(t, err)
		assert.False(t, differ, "%v", d)
		assert.True(t, world.Equal(s, back))
		assert.Equal(t, world.Digest(s), world.Digest(back))
		assert.Equal(t, file, saved(t, back, o), "and is written as before")
		same(t, s, back)
	}
}

// agrees checks a world, and that what is read of its file is the same.
func agrees(t *testing.T, s world.State, counts world.Counts) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	file := saved(t, s, save.Options{})
	back, _ := world.Must2(save.Read(bytes.NewReader(file), int64(len(file)), counts, save.Options{}))
	require.NoError(t, tool.Verify(back))
	assert.True(t, world.Equal(s, back))
}

func TestIndexesInTheirLastGenerationsAreReadBack(t *testing.T) {
	const last = uint32(1)<<31 - 1
	bare := world.NewRecipe("bare")
	begin := map[string]func(world.State) (world.State, world.GameObject, error){
		"loose": world.Create,
		"of a recipe": func(s world.State) (world.State, world.GameObject, error) {
			return world.Spawn(s, bare)
		},
	}
	for name, begin := range begin {
		t.Run(name, func(t *testing.T) {
			counts := world.Counts{GameObjects: 128, Recipes: []world.Recipe{bare}}
			s := world.Must(world.CreateState(counts))
			s, id := world.Must2(begin(s))
			generations := tool.Parts(s)[2]
			require.Equal(t, "generations", generations.Name)
			binary.LittleEndian.PutUint32(generations.Bytes[4*id.Index():], last-1)
			id = world.Must(tool.GameObjectAt(s, id.Index()))

			s = world.Must(world.Dispose(s, id))
			agrees(t, s, counts) // its last generation is to come
			s, id = world.Must2(begin(s))
			assert.Equal(t, last, id.Generation())
			agrees(t, s, counts)
			s = world.Must(world.Dispose(s, id))
			agrees(t, s, counts) // it is retired
			s, next := world.Must2(begin(s))
			assert.NotEqual(t, id.Index(), next.Index())
			agrees(t, s, counts)
		})
	}
}

// TestFilesOfCountedAndOfFreeRoom: a world without counts reads the file of a world with them, and
// the other way round; both go on as the world that was saved does.
func TestFilesOfCountedAndOfFreeRoom(t *testing.T) {
	counted, c := busy(t)
	free := c.Clone()
	for i := range free.Kinds {
		if k := &free.Kinds[i]; k.Kind != frozen {
			k.Rows, k.Free = 0, true
		}
	}
	o := options()
	file := saved(t, counted, o)
	open, report, err := save.Read(bytes.NewReader(file), int64(len(file)), free, o)
	require.NoError(t, err)
	assert.Empty(t, report.Kept)
	back := saved(t, open, o)
	again, _, err := save.Read(bytes.NewReader(back), int64(len(back)), c, o)
	require.NoError(t, err)
	for _, s := range []world.State{open, again} {
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, world.Digest(counted), world.Digest(s))
	}
	assert.True(t, world.Equal(counted, again))
	same(t, open, again)
}
