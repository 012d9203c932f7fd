package world_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

func TestSeed_D1_MaxUIDCountsUp(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 100}))
	assert.Zero(t, tool.MaxUID(s))
	s, ids := worldtest.Create(s, 80)
	for want, id := range ids {
		assert.Equal(t, uint32(want), id.Index(), "0, 1, 2, …")
	}
	assert.Equal(t, 80, tool.MaxUID(s))
	assert.Equal(t, ids, slices.Collect(world.GameObjects(s)))
	s = world.Must(world.Dispose(s, ids[0], ids[64], ids[79]))
	assert.Equal(t, slices.Concat(ids[1:64], ids[65:79]), slices.Collect(world.GameObjects(s)),
		"every live one, ascending")
	assert.Equal(t, 80, tool.MaxUID(s), "disposing leaves it")
}

func TestSeed_D2_CountsSizeEveryManagerOnce(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(7), heroes.Instance.Count(8),
	)}))
	size, start := len(world.Bytes(s)), address(world.Bytes(s))
	for _, c := range []struct {
		kind        layout.Kind
		rows, bytes int
	}{{heroes.Position.Kind(), 10, 120}, {heroes.Velocity.Kind(), 7, 28}, {heroes.Instance, 8, 0}} {
		assert.Equal(t, c.rows, tool.Cap(s, c.kind), c.kind)
		assert.Len(t, tool.Buffer(s, c.kind), c.bytes, c.kind)
		for row := range c.rows { // all of it is used
			var got layout.Row
			s, got = world.Must2(world.CreateComponent(s, c.kind))
			assert.Equal(t, layout.Row(row), got)
		}
		_, _, err := world.CreateComponent(s, c.kind)
		require.ErrorIs(t, err, world.ErrFull)
	}
	s, _ = worldtest.Create(s, 10) // as many objects as the largest of the other counts
	assert.Len(t, world.Bytes(s), size)
	assert.Equal(t, start, address(world.Bytes(s)), "nothing was allocated again")
}

func TestSeed_D4_CreateComponentCountsUpAndAllocatesNothing(t *testing.T) {
	const rows = 200
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(rows), heroes.Instance.Count(rows),
	)}))
	var next layout.Row
	assert.Zero(t, testing.AllocsPerRun(rows-2, func() {
		var p, i layout.Row
		s, p = world.Must2(world.CreateComponent(s, heroes.Position))
		s, i = world.Must2(world.CreateComponent(s, heroes.Instance))
		if next++; p+1 != next || i+1 != next || tool.MaxIndex(s, heroes.Position.Kind()) != int(next) {
			t.Fail()
		}
	}))
	assert.Equal(t, layout.Row(rows-1), next)
}

func TestSeed_D5_MountHasGet(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(4), heroes.Instance.Count(4),
	)}))
	s, ids := worldtest.Create(s, 2)
	for _, k := range []layout.Kind{heroes.Position.Kind(), heroes.Instance} {
		t.Run(k.String(), func(t *testing.T) {
			var first, second layout.Row
			s, first = world.Must2(world.CreateComponent(s, k))
			s, second = world.Must2(world.CreateComponent(s, k))
			assert.False(t, world.Has(s, ids[0], k), "created, not mounted")
			_, err := world.RowOf(s, ids[0], k)
			require.ErrorIs(t, err, world.ErrAbsent)

			s = world.Must(world.Mount(s, ids[0], k, second))
			assert.True(t, world.Has(s, ids[0], k))
			s, err = world.Mount(s, ids[0], k, first)
			require.ErrorIs(t, err, world.ErrTwice, "at most one of a kind per object")
			s, err = world.Mount(s, ids[1], k, second)
			require.ErrorIs(t, err, world.ErrTwice, "at most one object per component")
			assert.Equal(t, second, world.Must(world.RowOf(s, ids[0], k)))
			assert.False(t, world.Has(s, ids[1], k))
		})
	}
}

func TestSeed_D14_BuffersNeverGrow(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Kinds: layout.Kinds(heroes.Position.Count(2), heroes.Instance.Count(2)),
	}))
	s, ids := worldtest.Create(s, 5)
	for _, k := range []layout.Kind{heroes.Position.Kind(), heroes.Instance} {
		for i := range 2 {
			s = world.Must(world.Add(s, ids[i], k))
		}
		before := bytes.Clone(world.Bytes(s))
		var err error
		for id, full := range map[world.GameObject]func() error{
			ids[4]: func() error { s, err = world.Add(s, ids[4], k); return err },
			0:      func() error { s, _, err = world.CreateComponent(s, k); return err },
		} {
			require.ErrorIs(t, full(), world.ErrFull)
			require.ErrorContains(t, err,
				"flatecs: "+k.String()+": all 2 rows in use; raise its Count in Counts.Kinds at creation")
			var named *world.Error
			require.ErrorAs(t, err, &named)
			assert.Equal(t, world.Error{Err: named.Err, Kind: k.String(), ID: id, Count: 2}, *named)
			assert.Equal(t, before, world.Bytes(s), "it left the world as it was")
		}
	}
}

var (
	d16Spot  = layout.NewField("spot", [3]float32{-1, -2, -3})
	d16Team  = layout.NewField[uint8]("team", 7)
	d16Glow  = layout.NewField("glow", float16.Fromfloat32(0.5))
	d16Mass  = layout.NewField[float64]("mass", 1e-300)
	d16Mixed = layout.NewKind("d16", d16Spot, d16Team, d16Glow, d16Mass)
)

// The listing counts N*(B1*(s1+B2*s2)) bytes, takes the second field's element size for the first
// field's length, and does not align. Here columns follow each other, each aligned to 64 bytes, of
// its own element type, and as long as its rows; writing a column to its last byte changes no
// other.
func TestSeed_D16_FieldsDoNotOverlap(t *testing.T) {
	for _, n := range []int{1, 2, 7, 63, 64, 65, 100, 1000} {
		s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d16Mixed.Count(n)}}))
		require.Equal(t, repeat([3]float32{-1, -2, -3}, n), world.View(s, d16Spot))
		require.Equal(t, repeat[uint8](7, n), world.View(s, d16Team))
		require.Equal(t, repeat(float16.Fromfloat32(0.5), n), world.View(s, d16Glow))
		require.Equal(t, repeat(1e-300, n), world.View(s, d16Mass))

		buffer, end := tool.Buffer(s, d16Mixed), 0
		for i, at := range []uintptr{
			address(world.View(s, d16Spot)), address(world.View(s, d16Team)),
			address(world.View(s, d16Glow)), address(world.View(s, d16Mass)),
		} {
			size, start := n*[]int{12, 1, 2, 8}[i], (end+63)&^63
			require.Equal(t, address(buffer)+uintptr(start), at)
			require.Zero(t, at%64)
			end = start + size
			copy(buffer[start:end], repeat(byte(i+1), size))
		}
		require.Len(t, buffer, end)
		for column, want := range map[byte]int{1: 12 * n, 2: n, 3: 2 * n, 4: 8 * n} {
			require.Equal(t, want, bytes.Count(buffer, []byte{column}), "column %d of %d rows", column, n)
		}
	}
}

// The listing's add has three forms: Ensure, Reset, and Add.
func TestSeed_A7_AddReturnsTheOneThereIs(t *testing.T) {
	s, id := with(worldA(2), aX)
	s, row := world.Must2(world.Ensure(s, id, aA))
	s = world.Must(world.Set(s, id, aValue, [2]float32{3, 8}))
	before := slices.Clone(world.Bytes(s))
	s, again := world.Must2(world.Ensure(s, id, aA))
	assert.Equal(t, row, again)
	assert.Equal(t, before, world.Bytes(s), "idempotent")
	assert.Equal(t, [2]float32{3, 8}, world.Must(world.Get(s, id, aValue)), "the one it has")
	s, again = world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, row, again, "there is but one row")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)), "as new")

	for text, kinds := range map[string][]layout.Kind{
		"A of game object 0: Component added to same entity more than once. Remove it first": {aB, aA},
		"B is given twice in one call": {aB, aC, aB}, "Y is given twice in one call": {aY, aY},
	} {
		s = refuses(t, s, world.ErrTwice, func(s world.State) (world.State, error) {
			return addKinds(s, id, kinds...)
		}, text)
	}
	for text, kinds := range map[string][]layout.Kind{
		"B of game object 0: Removing non-existent component. Ask with Has first": {aA, aB},
		"A is given twice in one call":                                            {aA, aX, aA},
	} {
		s = refuses(t, s, world.ErrAbsent, func(s world.State) (world.State, error) {
			return world.Remove(s, id, kinds[0], anyKinds(kinds[1:])...)
		}, text)
	}
	s = world.Must(world.Remove(s, id, aX, aA))
	assert.Equal(t, mask.New(), world.Must(tool.MaskOf(s, id)))
}

func TestSeed_A8_RemoveKeepingTheData(t *testing.T) {
	s, id := with(worldA(1), aA)
	s = world.Must(world.Set(s, id, aValue, [2]float32{1, 2}))
	s = world.Must(world.Suspend(s, id, aA))
	assert.False(t, world.Has(s, id, aA))
	_, err := world.Get(s, id, aValue)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Add(s, id, aA)) // the kind is full
	assert.Equal(t, [2]float32{1, 2}, world.Must(world.Get(s, id, aValue)),
		"the next add has the old value")
	s = world.Must(world.Suspend(s, id, aA))
	s, _ = world.Must2(world.Reset(s, id, aA))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, id, aValue)), "renewed, it is new")

	s = world.Must(world.Set(s, id, aValue, [2]float32{3, 4}))
	s = world.Must(world.Dispose(world.Must(world.Suspend(s, id, aA)), id))
	s, next := world.Must2(world.CreateWith(s, aA))
	assert.Equal(t, id.Index(), next.Index(), "the next owner of that id")
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, next, aValue)), "sees defaults")
	require.NoError(t, tool.Verify(s))
}

func TestSeed_A9_EntityPool(t *testing.T) {
	s, ids := worldtest.Create(worldA(4), 4)
	assert.Equal(t, []uint32{0, 1, 2, 3}, indexes(ids), "the first is 0")
	for _, i := range []int{1, 3, 0} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	assert.Equal(t, 1, world.Len(s))
	s, again := worldtest.Create(s, 3)
	assert.Equal(t, []uint32{0, 3, 1}, indexes(again), "the last removed first")
	assert.Equal(t, 4, world.Len(s))
	for _, id := range again {
		assert.NotContains(t, ids, id, "a new id of an old index")
		assert.Equal(t, id, world.Must(tool.GameObjectAt(s, id.Index())), "look up by id")
	}
	// The listings pool an entity twice when it is removed twice, and one id then has two owners.
	refuses(t, s, world.ErrDead, func(s world.State) (world.State, error) {
		return world.Dispose(s, ids[0])
	}, "game object 0")
}

var d9Names = layout.NewValues("d9 name", "nobody")

func TestSeed_D9_OtherComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d9Names.Count(3)}}))
	s, ids := worldtest.Create(s, 2)
	_, err := world.ValueOf(s, ids[0], d9Names)
	require.ErrorIs(t, err, world.ErrAbsent)
	for want, id := range ids {
		var uid layout.Row
		s, uid = world.Must2(world.Ensure(s, id, d9Names))
		assert.Equal(t, layout.Row(want), uid)
		assert.Equal(t, "nobody", world.Must(world.ValueOf(s, id, d9Names)))
	}
	copied := world.Must(world.Clone(s))
	copied = world.Must(world.SetValue(copied, ids[1], d9Names, "copy"))
	s = world.Must(world.SetValue(s, ids[0], d9Names, "original"))
	for i, want := range [][2]string{{"original", "nobody"}, {"nobody", "copy"}} {
		got := [2]string{
			world.Must(world.ValueOf(s, ids[i], d9Names)), world.Must(world.ValueOf(copied, ids[i], d9Names)),
		}
		assert.Equal(t, want, got, "each world has its own")
	}
	s = world.Must(world.Remove(s, ids[0], d9Names))
	s, uid := world.Must2(world.Ensure(s, ids[0], d9Names))
	assert.Zero(t, uid)
	assert.Equal(t, "nobody", world.Must(world.ValueOf(s, ids[0], d9Names)), "back to the default")
}

// Without InOrder the last disposed is next: A9.
func TestSeed_C1_EntityManager(t *testing.T) {
	const most = 5000 // the document's MAX_ENTITIES, one choice of many
	s := world.Must(world.CreateState(world.Counts{GameObjects: most, InOrder: true}))
	s, ids := worldtest.Create(s, most-2)
	for _, i := range []int{77, 3, 4000} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	assert.Equal(t, most-5, world.Len(s), "living count")
	s, late := worldtest.Create(s, 5)
	assert.Equal(t, []uint32{4998, 4999, 77, 3, 4000}, indexes(late),
		"the first disposed is next, after those never used")
	s = refuses(t, s, world.ErrTooMany, func(s world.State) (world.State, error) {
		s, _, err := world.Create(s)
		return s, err
	}, "Too many entities in existence. All 5000 are in use", "raise Counts.GameObjects")
	_, err := tool.MaskOf(s, ids[0]+most)
	require.ErrorIs(t, err, world.ErrOutOfRange)
	require.ErrorContains(t, err, "Entity out of range.")
}

var (
	cLetter = layout.NewField[uint8]("letter", '-')
	cArray  = layout.NewKind("letters", cLetter)
)

// letters returns what the first n rows hold.
func letters(s world.State, n int) string { return string(world.View(s, cLetter)[:n]) }

// lettersA is a world in which entities 0 to 3 have A to D.
func lettersA() (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Kinds: []layout.Count{{Kind: cArray, Rows: 5, Packed: true}},
	}))
	s, ids := worldtest.Create(s, 5)
	for i := range 4 {
		s = addLetter(s, ids[i], 'A'+byte(i))
	}
	return s, ids
}

func addLetter(s world.State, id world.GameObject, letter byte) world.State {
	s = world.Must(world.Add(s, id, cArray))
	s = world.Must(world.Set(s, id, cLetter, letter))
	return s
}

func TestSeed_C2_ArrayThatStaysPacked(t *testing.T) {
	s, ids := lettersA()
	size := func() int { return tool.Mounted(s, cArray) }
	holds := func(want string, rows map[int]layout.Row) {
		t.Helper()
		assert.Equal(t, want, letters(s, size()))
		assert.Equal(t, len(want), size())
		assert.Equal(t, len(want), tool.MaxIndex(s, cArray), "no holes")
		for i, row := range rows {
			assert.Equal(t, row, world.Must(world.RowOf(s, ids[i], cArray)), "entity %d to row", i)
			owner, ok := world.ObjectOf(s, cArray, row)
			assert.True(t, ok)
			assert.Equal(t, ids[i], owner, "row %d to entity", row)
		}
		assert.Equal(t, len(rows), size())
		require.NoError(t, tool.Verify(s))
	}
	holds("ABCD", map[int]layout.Row{0: 0, 1: 1, 2: 2, 3: 3})
	s = world.Must(world.Remove(s, ids[1], cArray))
	holds("ADC", map[int]layout.Row{0: 0, 3: 1, 2: 2})
	s = world.Must(world.Remove(s, ids[3], cArray))
	holds("AC", map[int]layout.Row{0: 0, 2: 1})
	s = addLetter(s, ids[4], 'E')
	holds("ACE", map[int]layout.Row{0: 0, 2: 1, 4: 2})
	s = world.Must(world.Dispose(s, ids[0])) // destroying an entity packs too
	holds("EC", map[int]layout.Row{4: 0, 2: 1})
	assert.Equal(t, "EC---", letters(s, 5), "rows not in use hold the default")
}

func TestSeed_C3_Messages(t *testing.T) {
	s, id := with(worldA(2), aA)
	_, added := world.Add(s, id, aA)
	_, removed := world.Remove(s, id, aB)
	_, retrieved := world.RowOf(s, id, aB)
	_, registered := world.CreateState(world.Counts{
		Kinds: []layout.Count{aA.Count(1), aA.Count(1)},
	})
	_, unregistered := world.Add(s, id, aUnknown)
	for _, c := range []struct {
		message  string
		err      error
		sentinel error
		kind     string
	}{
		{"Component added to same entity more than once.", added, world.ErrTwice, "A"},
		{"Removing non-existent component.", removed, systems.ErrRemove, "B"},
		{"Retrieving non-existent component.", retrieved, world.ErrAbsent, "B"},
		{"Registering component type more than once.", registered, systems.ErrKindTwice, "A"},
		{"Component not registered before use.", unregistered, world.ErrNoKind, "unknown"},
	} {
		t.Run(c.message, func(t *testing.T) {
			assert.Equal(t, c.message, c.sentinel.Error(), "word for word")
			require.ErrorIs(t, c.err, c.sentinel)
			require.ErrorContains(t, c.err, c.message)
			var e *world.Error
			require.ErrorAs(t, c.err, &e)
			assert.Equal(t, c.kind, e.Kind)
			assert.Equal(t, c.sentinel, e.Err)
		})
	}
	assert.Equal(t, mask.New(0), world.Must(tool.MaskOf(s, id)), "nothing changed")
}

// named returns the objects of a name.
func named(s world.State, name string) []world.GameObject {
	return slices.Collect(world.Named(s, name))
}

// Names need not be unique.
func TestSeed_E1_EntitiesMayHaveAName(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 6, Names: 6}))
	s, ids := worldtest.Create(s, 6)
	s = world.Must(world.Dispose(s, ids...))
	var pipes [3]world.GameObject
	for i := range pipes { // indexes are used again, the last disposed first
		s, pipes[i] = world.Must2(worldtest.CreateNamed(s, "pipe"))
	}
	s, nobody := world.Must2(world.Create(s))
	s, empty := world.Must2(worldtest.CreateNamed(s, ""))
	assert.Equal(t, "pipe", world.Must(world.NameOf(s, pipes[0])))
	_, err := world.NameOf(s, nobody)
	require.ErrorIs(t, err, world.ErrAbsent)
	assert.Equal(t, []world.GameObject{empty}, named(s, ""), "no name is not the empty name")
	assert.Equal(t, pipes[:], named(s, "pipe"), "in creation order")

	s = world.Must(world.SetName(s, pipes[0], "tube"))
	s = world.Must(world.Remove(s, pipes[1], world.NameKind))
	assert.Equal(t, pipes[2:], named(s, "pipe"))
	s = world.Must(world.SetName(s, pipes[0], "pipe"))
	assert.Equal(t, []world.GameObject{pipes[0], pipes[2]}, named(s, "pipe"))
	require.NoError(t, tool.Verify(s))
}

// The user data of the document's world. Flat data are in the world's bytes, pictures outside.
var (
	birdOver     = layout.NewField[uint8]("game over")
	birdSpeed    = layout.NewField[float32]("speed", 2) // pixels per frame
	birdGame     = world.NewResource("flappy bird", birdOver, birdSpeed)
	birdPictures = world.NewShared("pictures", map[string]string(nil))
)

func TestSeed_E5_UserData(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Resources: []world.ResourceKind{birdGame, birdPictures.Kind()},
	}))
	pictures := map[string]string{"bird": "bird.png", "pipe": "pipe.png"}
	s = birdPictures.Set(s, pictures)
	assert.Zero(t, world.Resource(s, birdOver), "game over is false")
	copied := world.Must(world.Clone(s))
	s = world.SetResource(s, birdOver, 1)
	s = world.SetResource(s, birdSpeed, world.Resource(s, birdSpeed)*1.5)
	s = birdPictures.Set(s, nil)
	assert.Equal(t, uint8(1), world.Resource(s, birdOver))
	assert.Equal(t, float32(3), world.Resource(s, birdSpeed))
	assert.Zero(t, world.Resource(copied, birdOver), "the copy goes its own way")
	assert.Equal(t, pictures, birdPictures.Of(copied))
}
