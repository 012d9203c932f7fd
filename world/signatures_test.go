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

func TestSeed_C4_Signature(t *testing.T) {
	s, ids := worldtest.Create(worldA(4), 2)
	s = world.Must(addKinds(s, ids[1], aA, aB, aX))
	assert.Equal(t, mask.Mask{0b111}, world.Must(tool.MaskOf(s, ids[1])), "{0,1,2}")
	assert.Empty(t, world.Must(tool.MaskOf(s, ids[0])))

	system := world.NewQuery(world.With(aB, aA)) // made after the entities, and sees them
	signature := world.Must(system.Kinds(s))
	assert.Equal(t, mask.Mask{0b011}, signature)
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(addKinds(s, ids[0], aA, aB, aC))
	assert.Equal(t, ids, matching(t, s, system), "contains it, and may have more")
	assert.True(t, signature.SubsetOf(world.Must(tool.MaskOf(s, ids[0]))))
	other := system.And(world.With(aC)) // a signature is changed by making another
	assert.Equal(t, mask.Mask{0b10011}, world.Must(other.Kinds(s)))
	assert.Equal(t, ids[:1], matching(t, s, other))

	s = world.Must(world.Remove(s, ids[0], aB))
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(world.Dispose(s, ids[1]))
	assert.Empty(t, matching(t, s, system))
}

// The state is the coordinator: entities, components and systems are reached through it.
func TestSeed_C5_Coordinator(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 2, InOrder: true,
		Kinds: []layout.Count{
			{Kind: cArray, Rows: 2, Packed: true}, heroes.Position.Count(2), heroes.Velocity.Count(2),
		},
	}))
	everything := []layout.Kind{cArray, heroes.Position.Kind(), heroes.Velocity.Kind()}
	s, gone := with(s, everything...)
	s, stays := with(s, everything...)
	s = world.Must(world.Set(s, gone, cLetter, 'z'))
	s = heroes.MoveAll(s) // a system
	assert.Equal(t, [3]float32{1, 1, 1}, world.Must(world.Get(s, stays, heroes.Position)))

	s = world.Must(world.Dispose(s, gone))
	for _, k := range everything {
		assert.Equal(t, []world.GameObject{stays}, matching(t, s, world.NewQuery(world.With(k))))
		assert.Equal(t, 1, tool.Mounted(s, k), k)
	}
	s, next := with(s, everything...)
	assert.Equal(t, gone.Index(), next.Index())
	assert.Equal(t, uint8('-'), world.Must(world.Get(s, next, cLetter)), "it starts with the defaults")
	assert.Equal(t, [3]float32{}, world.Must(world.Get(s, next, heroes.Position)))
	require.NoError(t, tool.Verify(s))
}

// One type of component too many is 65,536 of them; the document has 32.
func TestOneKindTooMany(t *testing.T) {
	const most = 65_535
	marks := make([]layout.Count, most)
	for i := range marks {
		marks[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
	}
	s := world.Must(world.CreateState(world.Counts{GameObjects: 1, Kinds: marks}))
	s, id := with(s, marks[0].Kind, marks[64].Kind, marks[most-1].Kind)
	assert.Equal(t, "0-64-65534", world.Must(tool.MaskOf(s, id)).String())
	world.Close(s)

	_, err := world.CreateState(world.Counts{GameObjects: 1, Kinds: append(marks, aX.Count(0))})
	require.ErrorIs(t, err, systems.ErrKinds)
	assert.ErrorContains(t, err, "65536 kinds or recipes; name 65535 at most")
}

// What is refused of several objects or kinds is refused of all.
func TestSeed_C8_ErrorsChangeNothing(t *testing.T) {
	s, ids := worldtest.Create(worldA(3), 3)
	s = world.Must(addKinds(s, ids[1], aA, aX))
	dead := ids[2]
	s = world.Must(world.Dispose(s, dead))
	for name, try := range map[string]change{
		"disposed": func(s world.State) (world.State, error) {
			return world.Dispose(s, ids[0], dead)
		},
		"added": func(s world.State) (world.State, error) {
			return addKinds(s, dead, aA, aX)
		},
		"removed": func(s world.State) (world.State, error) {
			return world.Remove(s, dead, aA, aX)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s = refuses(t, s, world.ErrDead, try, "game object 2", "was disposed")
		})
	}
	assert.Equal(t, 2, world.Len(s))
}
