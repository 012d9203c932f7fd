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
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
)

type crew struct {
	Pay   float64
	Ranks [2]uint32
	Awake [3]bool
	Deck  [5]uint8
}

var (
	speed  = layout.NewField[[3]float32]("speed")
	team   = layout.NewField[uint8]("team")
	target = layout.NewField[world.GameObject]("target")
	up     = layout.NewField[bool]("up")
	body   = layout.NewKind("body", speed, team, target, up)
	crews  = layout.NewComponent[crew]("crew / 1")
	frozen = layout.NewMark("frozen")
	disc   = world.NewRecipe("disc", body, crews)
)

// saved returns a world of n discs, a fifth of which was disposed, and its file.
func saved(t *testing.T, n int, compress bool) (world.State, *save.File) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(body, crews, frozen), Recipes: []world.Recipe{disc},
	}))
	i := 0
	s = world.Must(world.SpawnN(s, disc, n, func(b world.Batch) {
		for j := range b.Len() {
			x := float32(i)
			world.Column(b, speed)[j] = [3]float32{x, x / 2, -x}
			world.Column(b, team)[j], world.Column(b, up)[j] = uint8(i), i%3 == 0
			world.Column(b, target)[j] = b.ID(0)
			world.Column(b, crews)[j] = crew{
				float64(x), [2]uint32{uint32(i), 7}, [3]bool{i%2 == 0, true, false}, [5]uint8{1, 2},
			}
			i++
		}
	}))
	var dead []world.GameObject
	for id := range world.GameObjects(s) {
		if len(dead)*5 < i && int(id)%5 == 2 {
			dead = append(dead, id)
		}
	}
	s = world.Must(world.Dispose(s, dead...))
	path := filepath.Join(t.TempDir(), "world.flat")
	require.NoError(t, save.Save(path, s, save.Options{Compress: compress}))
	f := world.Must(save.Open(path))
	t.Cleanup(func() {
		_ = f.Close()
		world.Close(s)
	})
	return s, f
}

// onRows returns the objects of a kind by row.
func onRows(s world.State, k layout.Kind) map[layout.Row]world.GameObject {
	all := map[layout.Row]world.GameObject{}
	for row := range world.All(s, k) {
		if id, ok := world.ObjectOf(s, k, row); ok {
			all[row] = id
		}
	}
	return all
}

// Every value of every row equals the world's, and rows on no object are null.
func TestBatchesAreTheWorlds(t *testing.T) {
	for _, compress := range []bool{false, true} {
		for _, n := range []int{1, 7, 64, 1000} {
			s, f := saved(t, n, compress)
			r := world.Must(columns.Of(f, "body"))
			require.Equal(t, int64(f.Rows("body")), r.NumRows())
			objects := r.Column(0).(*array.Uint64)
			speeds := r.Column(1).(*array.FixedSizeList)
			numbers := speeds.ListValues().(*array.Float32)
			ids := onRows(s, body)
			for row := range int(r.NumRows()) {
				id, ok := ids[layout.Row(row)]
				for i := range int(r.NumCols()) {
					require.Equal(t, ok, r.Column(i).IsValid(row), "row %d, column %d", row, i)
				}
				if !ok {
					continue
				}
				require.Equal(t, uint64(id), objects.Value(row))
				want := world.GetRow(s, speed, layout.Row(row))
				require.Equal(t, want[:], numbers.Float32Values()[3*row:3*row+3])
				require.Equal(t, world.GetRow(s, team, layout.Row(row)),
					r.Column(2).(*array.Uint8).Value(row))
				require.Equal(t, uint64(world.GetRow(s, target, layout.Row(row))),
					r.Column(3).(*array.Uint64).Value(row))
				require.Equal(t, world.GetRow(s, up, layout.Row(row)),
					r.Column(4).(*array.Boolean).Value(row))
			}
			require.Equal(t, world.Len(s), int(r.NumRows())-objects.NullN())
		}
	}
}

// Columns are the memory of the file.
func TestColumnsAreWrapped(t *testing.T) {
	_, f := saved(t, 100, false)
	r := world.Must(columns.Of(f, "body"))
	bytes, _ := world.Must2(f.Bytes("body", "speed"))
	values := r.Column(1).(*array.FixedSizeList).ListValues().(*array.Float32).Float32Values()
	assert.Same(t, &bytes[0], &unsafeutil.Bytes(values)[0])
}

func TestFieldsOfSeveralTypesAreStructs(t *testing.T) {
	s, f := saved(t, 100, false)
	r := world.Must(columns.Of(f, "crew / 1"))
	all := r.Column(1).(*array.Struct)
	names := all.DataType().(*arrow.StructType)
	require.Equal(t, "Pay", names.Field(0).Name)
	for row := range world.All(s, crews) {
		want, row := world.GetRow(s, crews, row), int(row)
		require.Equal(t, want.Pay, all.Field(0).(*array.Float64).Value(row))
		ranks := all.Field(1).(*array.FixedSizeList).ListValues().(*array.Uint32)
		require.Equal(t, want.Ranks[:], ranks.Uint32Values()[2*row:2*row+2])
		awake := all.Field(2).(*array.FixedSizeList).ListValues().(*array.Boolean)
		for i, is := range want.Awake {
			require.Equal(t, is, awake.Value(3*row+i))
		}
	}
}

func TestKindsWithoutColumnsAreRefused(t *testing.T) {
	_, f := saved(t, 5, false)
	_, err := columns.Of(f, "frozen")
	require.ErrorIs(t, err, columns.ErrNoRows)
	_, err = columns.Of(f, "nothing")
	require.ErrorContains(t, err, "no kind nothing")
}

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
