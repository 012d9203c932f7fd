package world_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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
	s := worldA(4)
	s, ids := worldtest.Create(s, 2)
	s = world.Must(addKinds(s, ids[1], aA, aB, aX))
	assert.Equal(t, mask.Mask{0b111}, world.Must(tool.MaskOf(s, ids[1])), "{0,1,2}")
	assert.Empty(t, world.Must(tool.MaskOf(s, ids[0])))

	system := world.NewQuery(world.With(aB, aA)) // made after the entities, and sees them
	signature := world.Must(system.Kinds(s))
	assert.Equal(t, mask.Mask{0b011}, signature)
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(addKinds(s, ids[0], aA, aB, aC))
	assert.Equal(t, ids, matching(t, s, system), "contains it, and may have more")
	for _, id := range ids {
		assert.True(t, signature.SubsetOf(world.Must(tool.MaskOf(s, id))))
	}
	other := system.And(world.With(aC)) // a signature is changed by making another
	assert.Equal(t, mask.Mask{0b10011}, world.Must(other.Kinds(s)))
	assert.Equal(t, ids[:1], matching(t, s, other))
	assert.Equal(t, ids, matching(t, s, system))

	// Adding a member or removing a non-member does nothing.
	s, _ = world.Must2(world.Ensure(s, ids[1], aA))
	s = refuses(t, s, world.ErrTwice, adding(ids[1], aA))
	s = refuses(t, s, world.ErrAbsent, func(s world.State) (world.State, error) {
		return world.Remove(s, ids[1], aC)
	})
	assert.Equal(t, ids, matching(t, s, system))
	assert.Equal(t, mask.Mask{0b111}, world.Must(tool.MaskOf(s, ids[1])))

	s = world.Must(world.Remove(s, ids[0], aB))
	assert.Equal(t, ids[1:], matching(t, s, system))
	s = world.Must(world.Dispose(s, ids[1]))
	assert.Empty(t, matching(t, s, system))

	// The listing's system without a signature matches everything; one that was never declared here
	// matches nothing, it panics.
	var unset world.Query
	assert.Panics(t, func() { unset.Count(s) })
}

// Sets follow every change, are unique and ascending: against sets of a map of masks.
func TestSeed_C4_SetsFollowEveryChange(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	systems := []world.Query{
		world.NewQuery(), world.NewQuery(world.With(aA)), world.NewQuery(world.With(aA, aB)),
		world.NewQuery(world.With(aX, aC)), world.NewQuery(world.With(kindList(aKinds)...)),
	}
	s := worldA(150)
	model := map[world.GameObject]*mask.Mask{}
	for op := range 5000 {
		s = changeSignature(s, r, model)
		i := op % len(systems)
		signature, want := world.Must(systems[i].Kinds(s)), []world.GameObject(nil)
		for id, mask := range model {
			if signature.SubsetOf(*mask) {
				want = append(want, id)
			}
		}
		slices.SortFunc(want, byIndex)
		got := slices.Collect(systems[i].Objects(s))
		require.Equal(t, want, got, "seed %d, operation %d", seed, op)
	}
	require.Equal(t, len(model), world.Len(s))
	for id, mask := range model {
		require.True(t, mask.Equal(world.Must(tool.MaskOf(s, id))), "seed %d, object %v", seed, id)
	}
	require.NoError(t, tool.Verify(s), "seed %d", seed)
}

func byIndex(a, b world.GameObject) int { return int(a.Index()) - int(b.Index()) }

// changeSignature creates or destroys an object, or toggles kinds of one.
func changeSignature(
	s world.State, r *rand.Rand, model map[world.GameObject]*mask.Mask,
) world.State {
	op := r.IntN(12)
	if len(model) == 0 || op < 2 && len(model) < 150 {
		s, id := world.Must2(world.Create(s))
		model[id] = &mask.Mask{}
		return s
	}
	ids := slices.Sorted(maps.Keys(model))
	id := ids[r.IntN(len(ids))]
	if op < 3 {
		delete(model, id)
		return world.Must(world.Dispose(s, id))
	}
	n := r.IntN(len(aKinds))
	if model[id].Has(n) {
		model[id].Unset(n)
		return world.Must(world.Remove(s, id, aKinds[n]))
	}
	model[id].Set(n)
	if op < 6 {
		s, _ = world.Must2(world.Reset(s, id, aKinds[n]))
		return s
	}
	return world.Must(addKinds(s, id, aKinds[n]))
}

// The state is the coordinator: entities, components and systems are reached through it.
func TestSeed_C5_Coordinator(t *testing.T) {
	names := layout.NewValues("label", "nobody")
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, InOrder: true,
		Kinds: []layout.Count{
			aA.Count(3), aX.Count(0), names.Count(3), {Kind: cArray, Rows: 3, Packed: true}, heroes.Position.Count(3), heroes.Velocity.Count(3),
		},
	}))
	everything := []layout.Kind{
		aA, aX, names.Kind(), cArray, heroes.Position.Kind(), heroes.Velocity.Kind(),
	}
	var ids []world.GameObject
	for range 3 {
		var id world.GameObject
		s, id = with(s, everything...)
		ids = append(ids, id)
		s = world.Must(world.Set(s, id, aValue, [2]float32{1, 2}))
		s = world.Must(world.Set(s, id, cLetter, 'z'))
		s = world.Must(world.SetValue(s, id, names, "somebody"))
	}
	s = heroes.MoveAll(s) // a system
	assert.Equal(t, [3]float32{1, 1, 1}, world.Must(world.Get(s, ids[2], heroes.Position)))

	gone := ids[1]
	readers := []world.Query{world.NewQuery()}
	for _, k := range everything {
		readers = append(readers, world.NewQuery(world.With(k)))
	}
	s = world.Must(world.Dispose(s, gone))
	for i, q := range readers {
		assert.Equal(t, []world.GameObject{ids[0], ids[2]}, matching(t, s, q), i)
	}
	for _, k := range everything {
		assert.Equal(t, 2, tool.Mounted(s, k), k)
		assert.False(t, world.Has(s, gone, k))
		_, err := world.RowOf(s, gone, k)
		require.ErrorIs(t, err, world.ErrDead)
	}
	_, err := tool.MaskOf(s, gone)
	require.ErrorIs(t, err, world.ErrDead)

	s, next := world.Must2(world.Create(s))
	assert.Equal(t, gone.Index(), next.Index())
	assert.Empty(t, world.Must(tool.MaskOf(s, next)), "the next owner of the id starts bare")
	s = world.Must(addKinds(s, next, everything...))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, next, aValue)), "with the defaults")
	assert.Equal(t, uint8('-'), world.Must(world.Get(s, next, cLetter)))
	assert.Equal(t, "nobody", world.Must(world.ValueOf(s, next, names)))
	assert.Equal(t, [3]float32{0, 0, 0}, world.Must(world.Get(s, next, heroes.Position)))
	require.NoError(t, tool.Verify(s))
}

// The document allows 5,000 entities and makes 10,000 cubes; it has 32 types of component.
func TestSeed_C8_EveryLimitIsConfigurable(t *testing.T) {
	counts := make([]layout.Count, 300)
	kinds := make([]layout.Kind, len(counts))
	for i := range counts {
		counts[i] = layout.NewKind(fmt.Sprint("kind ", i)).Count(i % 3)
		kinds[i] = counts[i].Kind
	}
	counts[299].Rows = 10_000
	s := world.Must(world.CreateState(world.Counts{GameObjects: 10_000, Kinds: counts}))
	s, ids := worldtest.Create(s, 10_000)
	for _, id := range ids {
		s = world.Must(addKinds(s, id, kinds[299]))
	}
	assert.Equal(t, 10_000, world.NewQuery(world.With(kinds[299])).Count(s))
	s = world.Must(addKinds(s, ids[9_999], kinds[1], kinds[298], kinds[64]))
	assert.Equal(t, "1-64-298-299", world.Must(tool.MaskOf(s, ids[9_999])).String())
	refuses(t, s, world.ErrFull, func(s world.State) (world.State, error) {
		return addKinds(s, ids[9_998], kinds[2], kinds[1])
	}, "kind 1: all 1 rows in use", "raise its Count")
}

// One type of component too many is 65,536 of them, the built-in ones included.
func TestSeed_C8_OneKindTooMany(t *testing.T) {
	const most, builtIn = 65_535, 4
	marks := make([]layout.Count, most-builtIn)
	for i := range marks {
		marks[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
	}
	marks = append(marks,
		heroes.Position.Count(1), heroes.Velocity.Count(1), heroes.MaxVelocity.Count(1), heroes.Instance.Count(1))
	s := world.Must(world.CreateState(world.Counts{GameObjects: 1, Kinds: marks}))
	s, id := with(s, marks[0].Kind, marks[most-builtIn-1].Kind)
	assert.Equal(t, "0-65530", world.Must(tool.MaskOf(s, id)).String())
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
