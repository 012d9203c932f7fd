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
		assert.Len(t, world.Bytes(s), world.Size(s))
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
