package world_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
