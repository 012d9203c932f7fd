package world_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var wideKind = layout.NewKind("wide", layout.NewField[[layout.MaxStride]uint8]("page"))

func TestCountsThatAreRefused(t *testing.T) {
	const tooMany = manager.MaxRows + 1
	limit := fmt.Sprint("is not between 0 and ", manager.MaxRows)
	kinds := func(counts ...layout.Count) world.Counts {
		return world.Counts{GameObjects: 1, Kinds: counts}
	}
	for _, c := range []struct {
		name   string
		counts world.Counts
		want   world.Error
		cure   string
	}{
		{"negative objects", world.Counts{GameObjects: -1}, world.Error{Err: world.ErrCount, Kind: "game object", Count: -1}, "-1 is not between 0 and"},
		{"negative positions", world.Counts{Kinds: layout.Kinds(
			heroes.Position.Count(-2),
		)}, world.Error{Err: world.ErrCount, Kind: "position", Count: -2}, "-2 is not between 0 and"},
		{"negative velocities", world.Counts{Kinds: layout.Kinds(
			heroes.Velocity.Count(-3),
		)}, world.Error{Err: world.ErrCount, Kind: "velocity", Count: -3}, "-3 is not between 0 and"},
		{"negative flies", world.Counts{Kinds: layout.Kinds(
			heroes.MaxVelocity.Count(-4),
		)}, world.Error{Err: world.ErrCount, Kind: "fly", Count: -4}, "-4 is not between 0 and"},
		{"negative instances", world.Counts{Kinds: layout.Kinds(
			heroes.Instance.Count(-5),
		)}, world.Error{Err: world.ErrCount, Kind: "instance", Count: -5}, "-5 is not between 0 and"},
		{"negative rows", kinds(misuseBody.Count(-6)), world.Error{Err: world.ErrCount, Kind: "misuse body", Count: -6}, "-6 is not between 0 and"},
		{"negative marks", kinds(misuseMark.Count(-7)), world.Error{Err: world.ErrCount, Kind: "misuse mark", Count: -7}, "-7 is not between 0 and"},
		{"the least", world.Counts{Kinds: layout.Kinds(
			heroes.Position.Count(math.MinInt),
		)}, world.Error{Err: world.ErrCount, Kind: "position", Count: math.MinInt}, "is not between 0 and"},
		{"too many objects", world.Counts{GameObjects: tooMany}, world.Error{Err: world.ErrCount, Kind: "game object", Count: tooMany}, limit},
		{"too many rows", kinds(misuseBody.Count(tooMany)), world.Error{Err: world.ErrCount, Kind: "misuse body", Count: tooMany}, limit},
		{"the most", kinds(misuseBody.Count(math.MaxInt)), world.Error{Err: world.ErrCount, Kind: "misuse body", Count: math.MaxInt}, "is not between 0 and"},
		{"a kind twice", kinds(misuseBody.Count(2), misuseBody.Count(2)), world.Error{Err: systems.ErrKindTwice, Kind: "misuse body", Count: 2}, "Count each kind once, and give each a name of its own."},
		{"a mark twice", kinds(misuseMark.Count(0), misuseMark.Count(0)), world.Error{Err: systems.ErrKindTwice, Kind: "misuse mark"}, "Count each kind once"},
		{"a name twice", kinds(misuseBody.Count(1), layout.NewKind("misuse body").Count(3)), world.Error{Err: systems.ErrKindTwice, Kind: "misuse body", Count: 3}, "Count each kind once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := world.CreateState(c.counts)
			require.ErrorIs(t, err, c.want.Err)
			var got *world.Error
			require.ErrorAs(t, err, &got)
			assert.Equal(t, c.want, *got)
			assert.Contains(t, err.Error(), c.want.Kind)
			assert.Contains(t, err.Error(), c.cure)
		})
	}
}

func TestBuiltInKindsAreKindsLikeOthers(t *testing.T) {
	for _, k := range []layout.Kind{
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance,
	} {
		_, err := world.CreateState(world.Counts{Kinds: layout.Kinds(k.Count(1), k.Count(1))})
		require.ErrorIs(t, err, systems.ErrKindTwice, k)
		namesake := layout.NewMark(k.String())
		_, err = world.CreateState(world.Counts{Kinds: layout.Kinds(k.Count(1), namesake)})
		require.ErrorIs(t, err, systems.ErrKindTwice, "another kind of the same name, %s", k)
		s := world.Must(world.CreateState(world.Counts{GameObjects: 1, Kinds: layout.Kinds(namesake)}))
		assert.Equal(t, []string{k.String()}, tool.KindNames(s), "the name is free elsewhere")
	}
}

func TestWorldsThatNoMachineHolds(t *testing.T) {
	const most = manager.MaxRows
	for name, counts := range map[string]world.Counts{
		"a wide kind":  {GameObjects: 1, Kinds: []layout.Count{wideKind.Count(most)}},
		"sums up":      {GameObjects: 1, Kinds: manyWide(60, most)},
		"just too big": {GameObjects: 1, Kinds: []layout.Count{wideKind.Count(1 << 28)}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := world.CreateState(counts)
			require.ErrorIs(t, err, systems.ErrMemory)
			var got *world.Error
			require.ErrorAs(t, err, &got)
			assert.GreaterOrEqual(t, got.Count, min(1<<36, math.MaxInt), "the bytes that it would take")
			assert.Contains(t, err.Error(), "more than this machine has for this program; lower the counts")
		})
	}
}

// manyWide returns counts of n kinds of the widest components that there can be.
func manyWide(n, rows int) []layout.Count {
	counts := make([]layout.Count, n)
	for i := range counts {
		field := layout.NewField[[layout.MaxStride]uint8]("page")
		counts[i] = layout.NewKind(fmt.Sprint("wide", i), field).Count(rows)
	}
	return counts
}

func TestSmallestWorlds(t *testing.T) {
	empty := world.Must(world.CreateState(world.Counts{}))
	_, _, err := world.CreateGameObject(empty)
	require.ErrorIs(t, err, world.ErrTooMany)
	empty = heroes.RenderInstances(heroes.FlyAll(heroes.MoveAll(heroes.Update(empty))), silent{})
	assert.Zero(t, tool.MaxUID(empty))
	copied := world.Must(world.Clone(empty))
	assert.Equal(t, world.Bytes(empty), world.Bytes(copied))

	bare := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	bare, ids := worldtest.Create(bare, 1)
	_, err = world.Add(bare, ids[0], heroes.Position)
	require.ErrorIs(t, err, world.ErrNoKind)
}
