package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

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

// The user data of the document's world. What is flat lies in the world's bytes, pictures beside.
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
