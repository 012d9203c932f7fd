package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
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

// What a world knows of its objects, its rows and its marks is in its bytes: each change shows there.
func TestEveryChangeShowsInTheBytes(t *testing.T) {
	s, ids := busyWorld()
	seen := map[string]string{string(world.Bytes(s)): "the beginning"}
	for _, c := range []struct {
		name string
		run  func(world.State) world.State
	}{
		{"create an object", func(s world.State) world.State { s, _ = world.Must2(world.CreateGameObject(s)); return s }},
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
		{"dispose an object", func(s world.State) world.State { return world.Must(world.DisposeGameObject(s, ids[99])) }},
		{"advance the tick", world.Advance},
	} {
		s = c.run(s)
		before, again := seen[string(world.Bytes(s))]
		assert.False(t, again, "%s: the bytes are those of %s", c.name, before)
		seen[string(world.Bytes(s))] = c.name
	}
}
