package columns_test

import (
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arrow/columns"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
)

type loot struct {
	What  uint32
	Worth float32
	Rare  [4]bool
}

var (
	loots = layout.NewListField[loot]("loots")
	path  = layout.NewListField[[2]float32]("path")
	bag   = layout.NewKind("bag", loots, path)
	title = layout.NewText("title")
)

// Lists are lists of as many values as the world has, in rows that are on objects, and texts are
// strings.
func TestListsAreLists(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 20, Kinds: layout.Kinds(bag, title),
	}))
	titles := []string{"", "a", "Löwe\n", ""}
	var second world.GameObject
	for n, text := range titles {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, bag, title))
		if n == 1 {
			second = id
		}
		for i := range n {
			s = world.Must(list.Append(s, id, loots, loot{
				uint32(i), float32(n), [4]bool{true, false, i == 1},
			}))
			s = world.Must(list.Append(s, id, path, [2]float32{float32(i), float32(n)}))
		}
		s = world.Must(list.SetText(s, id, title, text))
	}
	s = world.Must(world.Dispose(s, second))
	for _, compress := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "world.flat")
		require.NoError(t, save.Save(name, s, save.Options{Compress: compress}))
		f := world.Must(save.Open(name))
		require.NoError(t, f.Verify())
		checkLists(t, s, f)
		require.NoError(t, f.Close())
	}
}

func checkLists(t *testing.T, s world.State, f *save.File) {
	t.Helper()
	r := world.Must(columns.Of(f, "bag"))
	all := r.Column(1).(*array.List)
	values := all.ListValues().(*array.Struct)
	paths := r.Column(2).(*array.List)
	points := paths.ListValues().(*array.FixedSizeList)
	x := points.ListValues().(*array.Float32)
	texts := world.Must(columns.Of(f, "title")).Column(1).(*array.String)
	assert.True(t, arrow.TypeEqual(arrow.BinaryTypes.String, texts.DataType()))
	ids := onRows(s, bag)
	require.Len(t, ids, 3)
	for row := range int(r.NumRows()) {
		id, ok := ids[layout.Row(row)]
		require.Equal(t, ok, all.IsValid(row))
		require.Equal(t, ok, texts.IsValid(row))
		if !ok {
			continue
		}
		require.Equal(t, world.Must(list.Text(s, id, title)), texts.Value(row))
		from, end := all.ValueOffsets(row)
		want := world.Must(list.Of(s, id, loots))
		require.Len(t, want, int(end-from))
		for i, item := range want {
			at := int(from) + i
			require.Equal(t, item.What, values.Field(0).(*array.Uint32).Value(at))
			require.InDelta(t, item.Worth, values.Field(1).(*array.Float32).Value(at), 0)
			rare := values.Field(2).(*array.FixedSizeList).ListValues().(*array.Boolean)
			require.Equal(t, item.Rare[2], rare.Value(4*at+2))
		}
		from, end = paths.ValueOffsets(row)
		steps := world.Must(list.Of(s, id, path))
		require.Len(t, steps, int(end-from))
		for i, p := range steps {
			require.Equal(t, p[:], x.Float32Values()[2*(int(from)+i):][:2])
		}
	}
}
