package world_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// The document's words for a mask are set, delete, has, clear, or, and: here Set, Unset, Has,
// Clear, Intersects, SubsetOf.
func TestSeed_A4_Mask(t *testing.T) {
	bits := []int{0, 30, 31, 62, 63, 64, 99}
	for _, n := range bits {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var m mask.Mask
			assert.False(t, m.Has(n))
			m.Set(n)
			for i := range 130 {
				assert.Equal(t, i == n, m.Has(i), i)
			}
			other := mask.New(n+1, n+64)
			assert.False(t, m.Intersects(other), "or")
			assert.False(t, m.SubsetOf(other), "and")
			other.Set(n)
			assert.True(t, m.Intersects(other))
			assert.True(t, other.Intersects(m), "either way")
			assert.True(t, m.SubsetOf(other))
			assert.False(t, other.SubsetOf(m), "one way")
			m.Unset(n)
			assert.False(t, m.Has(n))
			assert.False(t, m.Intersects(other))
			assert.True(t, m.SubsetOf(other), "nothing is a subset of everything")
			other.Clear()
			assert.Zero(t, other.Len())
		})
	}
	all := mask.New(bits...)
	assert.Equal(t, bits, slices.Collect(all.All()))
	for _, n := range bits {
		assert.True(t, mask.New(n).SubsetOf(all))
		assert.True(t, all.Intersects(mask.New(n)))
	}
	all.Unset(63)
	assert.Equal(t, []int{0, 30, 31, 62, 64, 99}, slices.Collect(all.All()))
}

// The listing sizes a mask by the kinds there are when it is made, and loses the later ones.
func TestSeed_A4_KindsRegisteredAfterTheMask(t *testing.T) {
	early, small := mask.New(3), mask.New(3)
	for n := 40; n < 1000; n += 37 {
		early.Set(n)
		assert.True(t, early.Has(n), n)
		assert.True(t, small.SubsetOf(early), "masks of unequal size")
		assert.False(t, early.SubsetOf(small))
		assert.True(t, early.Intersects(small))
	}
	assert.Equal(t, 27, early.Len())
}

func TestSeed_A4_MaskOfAnObject(t *testing.T) {
	kinds := make([]layout.Count, 100)
	for i := range kinds {
		if i%2 == 0 {
			kinds[i] = layout.NewKind(fmt.Sprint("kind ", i)).Count(3)
		} else {
			kinds[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
		}
	}
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Kinds: append(kinds, heroes.Position.Count(3))}))
	s, ids := worldtest.Create(s, 3)
	want := mask.New()
	for _, n := range []int{0, 30, 31, 62, 63, 64, 99} {
		assert.Equal(t, n, world.Must(tool.NumberOf(s, kinds[n].Kind)))
		s = world.Must(world.Add(s, ids[1], kinds[n].Kind))
		want.Set(n)
		s = world.Must(world.Add(s, ids[2], kinds[n+1-n%2*2].Kind)) // its neighbour's
		assert.Equal(t, want, world.Must(tool.MaskOf(s, ids[1])))
	}
	s = world.Must(world.Add(s, ids[1], heroes.Position))
	want.Set(100)
	assert.Equal(t, want, world.Must(tool.MaskOf(s, ids[1])), "other kinds follow")
	assert.Empty(t, world.Must(tool.MaskOf(s, ids[0])))
	assert.False(t, want.Intersects(world.Must(tool.MaskOf(s, ids[0]))))

	s = world.Must(world.Remove(s, ids[1], kinds[64].Kind))
	mask := mask.New(500)
	require.NoError(t, tool.FillMask(&mask, s, ids[1]))
	want.Unset(64)
	assert.True(t, mask.Equal(want), "whatever it held before")
	assert.Equal(t, "0-30-31-62-63-99-100", mask.String())
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		if tool.FillMask(&mask, s, ids[1]) != nil {
			t.Fail()
		}
	}))

	s = world.Must(world.DisposeGameObject(s, ids[1]))
	before := slices.Clone(mask)
	require.ErrorIs(t, tool.FillMask(&mask, s, ids[1]), world.ErrDead)
	assert.Equal(t, before, mask)
	_, err := tool.MaskOf(s, ids[2]+3)
	require.ErrorIs(t, err, world.ErrOutOfRange)
}
