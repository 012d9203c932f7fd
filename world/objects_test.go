package world_test

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSeed_C1_EntityManager(t *testing.T) {
	const most = 5000 // the document's MAX_ENTITIES, one choice of many
	s := world.Must(world.CreateState(world.Counts{GameObjects: most, InOrder: true}))
	s, ids := worldtest.Create(s, most-10)
	for i, id := range ids {
		require.Equal(t, uint32(i), id.Index(), "0 … MAX-1 come first")
	}
	for i, index := range []int{77, 3, 4000} {
		s = world.Must(world.Dispose(s, ids[index]))
		assert.Equal(t, most-11-i, world.Len(s), "living count")
	}
	s, late := worldtest.Create(s, 13)
	assert.Equal(t,
		[]uint32{4990, 4991, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 4999, 77, 3, 4000},
		indexes(late), "the first disposed is next, after those never used")
	assert.Equal(t, most, world.Len(s))
	s = refuses(t, s, world.ErrTooMany, func(s world.State) (world.State, error) {
		s, _, err := world.Create(s)
		return s, err
	}, "Too many entities in existence. All 5000 are in use", "raise Counts.GameObjects")
	for _, id := range []world.GameObject{ids[0] + most, 1<<32 | 1<<31} {
		s = refuses(t, s, world.ErrOutOfRange, func(s world.State) (world.State, error) {
			return world.Dispose(s, id)
		}, "Entity out of range.", "This world has 5000")
		_, err := tool.MaskOf(s, id)
		require.ErrorIs(t, err, world.ErrOutOfRange, "no signature either")
	}
	s = world.Must(world.Dispose(s, late[0]))
	s = world.Must(world.Dispose(s, late[1]))
	_, last := worldtest.Create(s, 2)
	assert.Equal(t, []uint32{4990, 4991}, indexes(last))
}

// Without InOrder the last disposed is next: A9.
func TestSeed_C1_FirstInFirstOutIsAChoice(t *testing.T) {
	for inOrder, want := range map[bool][]uint32{true: {1, 2, 0}, false: {0, 2, 1}} {
		s := world.Must(world.CreateState(world.Counts{GameObjects: 3, InOrder: inOrder}))
		s, ids := worldtest.Create(s, 3)
		s = world.Must(world.Dispose(s, ids[1], ids[2], ids[0]))
		_, again := worldtest.Create(s, 3)
		assert.Equal(t, want, indexes(again), "in order: %v", inOrder)
	}
}

var (
	cLetter = layout.NewField[uint8]("letter", '-')
	cArray  = layout.NewKind("letters", cLetter)
)

// letters returns what the first n rows hold.
func letters(s world.State, n int) string { return string(world.View(s, cLetter)[:n]) }

// lettersA is a world in which entities 0 to 3 have A to D.
func lettersA(packed bool) (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Kinds: []layout.Count{{Kind: cArray, Rows: 5, Packed: packed}},
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
	s, ids := lettersA(true)
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
	assert.Equal(t, 3, size())

	s = world.Must(world.Dispose(s, ids[0])) // destroying an entity packs too
	holds("EC", map[int]layout.Row{4: 0, 2: 1})
	assert.Equal(t, "EC---", letters(s, 5), "rows not in use hold the default")
}

// A row that a packed kind gave up is refused; an id finds its component wherever it moved.
func TestSeed_C2_ReferencesThatWentStale(t *testing.T) {
	s, ids := lettersA(true)
	reader, last := world.ReaderOf(s, cLetter), world.Must(world.RowOf(s, ids[3], cArray))
	s = world.Must(world.Remove(s, ids[0], cArray))
	worldtest.PanicsWith(t, func() { world.GetRow(s, cLetter, last) },
		"row 3 of letters is not in use, 3 of 5 rows are")
	letter, ok := reader.Get(ids[3])
	assert.True(t, ok)
	assert.Equal(t, byte('D'), letter)
	_, ok = reader.Get(ids[0])
	assert.False(t, ok)
}

// The same steps with rows that stay where they are: the default.
func TestSeed_C2_PackedIsAChoice(t *testing.T) {
	s, ids := lettersA(false)
	s = world.Must(world.Remove(s, ids[1], cArray))
	s = world.Must(world.Remove(s, ids[3], cArray))
	assert.Equal(t, "A-C-", letters(s, 4))
	s = addLetter(s, ids[4], 'E')
	assert.Equal(t, "A-CE", letters(s, 4), "the row disposed last")
	assert.Equal(t, layout.Row(2), world.Must(world.RowOf(s, ids[2], cArray)))
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

// Nobody is what a reference holds before it is set, and what clears it.
func TestNobodyIsTheZeroID(t *testing.T) {
	aim := layout.NewComponent[world.GameObject]("nobody aim")
	gunner := world.NewRecipe("nobody gunner", aim)
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(aim), Recipes: []world.Recipe{gunner},
	}))
	defer func() { world.Close(s) }()
	s, first, err := world.Spawn(s, gunner)
	require.NoError(t, err)
	s, second, err := world.Spawn(s, gunner)
	require.NoError(t, err)
	s = world.Must(world.Set(s, second, aim, first))
	assert.Equal(t, world.Nobody, world.Must(world.Get(s, first, aim)))
	assert.Equal(t, first, world.Must(world.Get(s, second, aim)))
	s = world.Must(world.Set(s, second, aim, world.Nobody))
	assert.Equal(t, world.Nobody, world.Must(world.Get(s, second, aim)))
	assert.False(t, world.Alive(s, world.Nobody))
	assert.Equal(t, "nobody", fmt.Sprint(world.Nobody))
}

// Disposing an object disposes all that it has, whatever kinds those are, and nothing of others.
func TestDisposeTakesAllKindsOfOneObject(t *testing.T) {
	const many = 130 // three words of kinds per block
	kinds := make([]layout.Kind, many)
	counts := world.Counts{GameObjects: 3, Kinds: layout.Kinds(
		heroes.Position.Count(3), heroes.Velocity.Count(3), heroes.MaxVelocity.Count(3), heroes.Instance.Count(3),
	)}
	for i := range kinds {
		if kinds[i] = layout.NewKind(fmt.Sprint("kind ", i)); i%5 == 0 {
			kinds[i] = layout.NewMark(fmt.Sprint("mark ", i))
		}
		counts.Kinds = append(counts.Kinds, kinds[i].Count(3*min(i%5, 1)))
	}
	kinds = append(kinds, heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance)
	s := world.Must(world.CreateState(counts))
	s, ids := worldtest.Create(s, 3)
	for _, k := range kinds {
		for _, id := range ids {
			s = world.Must(world.Add(s, id, k))
		}
	}
	assert.Len(t, world.Must(tool.KindsOf(s, ids[1])), len(kinds))

	s = world.Must(world.Dispose(s, ids[1]))
	for _, k := range kinds {
		require.Equal(t, 2, tool.Mounted(s, k), "%s is gone with the object", k)
		require.False(t, world.Has(s, ids[1], k), k)
		require.True(t, world.Has(s, ids[0], k), "others keep %s", k)
		require.True(t, world.Has(s, ids[2], k), "others keep %s", k)
	}
	s, next := worldtest.Create(s, 1)
	assert.Equal(t, ids[1].Index(), next[0].Index())
	assert.Empty(t, world.Must(tool.KindsOf(s, next[0])), "the next owner of the index has nothing")
	assert.Equal(t, ids[1].Generation()+1, next[0].Generation())
	world.Close(s)
}
