package world_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inside reports whether part lies in the bytes of the world.
func inside(s world.State, at uintptr, size int) bool {
	whole := world.Bytes(s)
	return at >= address(whole) && at+uintptr(size) <= address(whole)+uintptr(len(whole))
}

// lies checks that the column of a field is a part of the world, on a cache line.
func lies[T any](t *testing.T, s world.State, k layout.Kind, f layout.Field[T]) {
	t.Helper()
	spec, view := f.Spec(), world.View(s, f)
	name := k.String() + "." + spec.Name
	assert.Len(t, view, tool.Cap(s, k), name)
	assert.True(t, inside(s, address(view), len(view)*spec.Stride), "%s lies in the world", name)
	assert.Zero(t, address(view)%64, "%s is aligned", name)
	assert.Equal(t, len(view), cap(view), "%s does not reach beyond", name)
}

func TestEveryColumnLiesInTheOneAllocation(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 1000, 100_000} {
		s := world.Must(world.CreateState(world.Counts{
			Kinds: layout.Kinds(
				busyMixed.Count(n), d16Mixed.Count(n), faultKind.Count(n),
				heroes.Position.Count(n), heroes.Velocity.Count(n), heroes.MaxVelocity.Count(n),
				heroes.Instance.Count(n),
			),
		}))
		assert.Zero(t, address(world.Bytes(s))%64)
		lies(t, s, heroes.Position.Kind(), heroes.Position)
		lies(t, s, heroes.Velocity.Kind(), heroes.Velocity)
		lies(t, s, heroes.MaxVelocity.Kind(), heroes.MaxVelocity)
		lies(t, s, busyMixed, busyPair)
		lies(t, s, busyMixed, busyCount)
		lies(t, s, d16Mixed, d16Spot)
		lies(t, s, d16Mixed, d16Team)
		lies(t, s, d16Mixed, d16Score)
		lies(t, s, d16Mixed, d16Glow)
		lies(t, s, d16Mixed, d16Seed)
		lies(t, s, d16Mixed, d16Mass)
		lies(t, s, faultKind, faultFlag)
		lies(t, s, faultKind, faultWide)
		lies(t, s, faultKind, faultSide)
		for _, k := range []layout.Kind{
			heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance, busyMixed,
		} {
			b := tool.Buffer(s, k)
			assert.True(t, len(b) == 0 || inside(s, address(b), len(b)), k)
			assert.Equal(t, len(b), cap(b), k)
		}
		world.Close(s)
	}
}

// What a world knows of its objects, its rows and its marks is in its bytes: each change shows there.
func TestEveryChangeShowsInTheBytes(t *testing.T) {
	s, ids := busyWorld()
	seen := map[string]string{string(world.Bytes(s)): "the beginning"}
	for _, c := range []struct {
		name string
		run  func(world.State) world.State
	}{
		{"create an object", func(s world.State) world.State { s, _ = world.Must2(world.Create(s)); return s }},
		{"add a mark", func(s world.State) world.State { s = world.Must(world.Add(s, ids[100], busyMark)); return s }},
		{"create a row", func(s world.State) world.State {
			s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
			return s
		}},
		{"add a row", func(s world.State) world.State {
			s = world.Must(world.Add(s, ids[100], heroes.Velocity))
			return s
		}},
		{"add an instance", func(s world.State) world.State {
			s = world.Must(world.Add(s, ids[100], heroes.Instance))
			return s
		}},
		{"remove a row", func(s world.State) world.State { return world.Must(world.Remove(s, ids[3], heroes.Velocity)) }},
		{"remove a mark", func(s world.State) world.State { return world.Must(world.Remove(s, ids[3], busyMark)) }},
		{"set a field", func(s world.State) world.State { return world.SetRow(s, heroes.Velocity, 9, 77) }},
		{"dispose an object", func(s world.State) world.State { return world.Must(world.Dispose(s, ids[99])) }},
		{"advance the tick", world.Advance},
	} {
		s = c.run(s)
		before, again := seen[string(world.Bytes(s))]
		assert.False(t, again, "%s: the bytes are those of %s", c.name, before)
		seen[string(world.Bytes(s))] = c.name
	}
}

// Nothing that a frame does allocates, once each query has found its columns.
func TestAllocsOfEveryOperation(t *testing.T) {
	s, ids := busyWorld()
	for _, o := range operations(ids) {
		t.Run(o.name, func(t *testing.T) {
			assert.Zero(t, testing.AllocsPerRun(20, func() { s = o.run(s) }))
		})
	}
}

// wideKinds are n kinds of the widest components that there can be, without counts.
func wideKinds(n int) (counts []layout.Count) {
	for i := range n {
		name := "wide" + strconv.Itoa(i)
		page := layout.NewField[[layout.MaxStride]uint8](name)
		counts = append(counts, layout.Kinds(layout.NewKind(name, page))...)
	}
	return counts
}

// likings are n relations, of few objects.
func likings(n int) (counts []layout.Count) {
	for i := range n {
		likes := layout.NewRelation("likes"+strconv.Itoa(i), layout.Relation{Tree: true})
		counts = append(counts, likes.Kind().Count(10))
	}
	return counts
}

// TestFreeRoomBeyondTheAddresses: room without counts is addresses, of which there are few where
// an address has 32 bits.
func TestFreeRoomBeyondTheAddresses(t *testing.T) {
	refused := map[string]world.Counts{
		"of all": {GameObjects: 1<<30 - 64, Kinds: wideKinds(40)},
	}
	if math.MaxInt == math.MaxInt32 {
		refused["by default"] = world.Counts{Kinds: wideKinds(1)}
		refused["small objects"] = world.Counts{GameObjects: 150_000_000, Kinds: layout.Kinds(Position)}
		refused["relations"] = world.Counts{
			GameObjects: 40_000_000, Kinds: append(likings(6), layout.Kinds(Velocity)...),
		}
	}
	for name, counts := range refused {
		t.Run(name, func(t *testing.T) {
			_, err := world.CreateState(counts)
			require.ErrorIs(t, err, systems.ErrMemory)
			assert.Regexp(t, `\d{10,} bytes in all; set Counts.GameObjects, or count the kinds`, err)
			counts.GameObjects = 100
			state, err := world.CreateState(counts)
			require.NoError(t, err)
			world.Close(state)
		})
	}
}
