package systems

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestSpawnRefusesValues(t *testing.T) {
	s, ids := forest(t, 1, 30)
	dead := ids[29]
	s = sure(Dispose(s, dead))
	before := bytes.Clone(Bytes(s))
	recorded := Record(sure(Clone(s))).Create()
	for _, to := range []GameObject{dead, 1<<32 | 1<<20, Member(0), recorded} {
		_, set := Set(s, ids[25], childOf, to)
		require.Error(t, set)
		next, id, err := Spawn(s, node, local.Value([3]float32{1}), childOf.Value(to), childOf.Value(0))
		s = next
		assert.Zero(t, id)
		for _, is := range []error{ErrDead, ErrOutOfRange} {
			assert.Equal(t, errors.Is(set, is), errors.Is(err, is), "%v", to)
		}
		require.ErrorContains(t, err, "flatecs: childOf of a new game object: ")
	}
	for range posing.In(s) {
		_, _, err := Spawn(s, rootless, local.Value([3]float32{1}))
		require.ErrorIs(t, err, ErrWalking)
		break
	}
	assert.PanicsWithValue(t, "flatecs: recipe free has no kind with field childOf; add the kind to "+
		"the recipe, or add it and set the field after Spawn",
		func() { _, _, _ = Spawn(s, rootless, local.Value([3]float32{}), childOf.Value(0)) })
	mustPanic(t, "the zero value", func() { _, _, _ = Spawn(s, rootless, layout.FieldValue{}) })
	assert.True(t, bytes.Equal(before, Bytes(s)), "nothing has changed")
}

// TestAllocsSpawnN: a function that captures variables costs nothing, with and without relations.
func TestAllocsSpawnN(t *testing.T) {
	s, _ := forest(t, 1, 0)
	for _, r := range []Recipe{rootless, node} {
		next := 0
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			s = sure(SpawnN(s, r, 2, func(b Batch) {
				for i := range Column(b, local) {
					next++
					Column(b, local)[i][0] = float32(next)
				}
			}))
		}))
		assert.Equal(t, 22, next)
	}
}

// A wide is a value of a size of its own.
type wide struct {
	A [6]uint32
	B GameObject
	C [3]uint64
}

var (
	sewnByte  = layout.NewComponent[uint8]("sewn byte", 7)
	sewnHalf  = layout.NewField[[3]uint16]("sewn half")
	sewnXY    = layout.NewField[[2]float32]("sewn xy")
	sewnPair  = layout.NewKind("sewn pair", sewnHalf, sewnXY)
	sewnWide  = layout.NewComponent[wide]("sewn wide")
	sewnNext  = layout.NewComponent[GameObject]("sewn next")
	sewnLarge = NewRecipe("sewn large", sewnByte, sewnPair, sewnWide, sewnNext)
	sewnSmall = NewRecipe("sewn small", sewnPair, sewnNext).With(sewnXY.Value([2]float32{1, 2}))
)

// TestAllocsSpawnWithValues: values that are only handed to calls take no memory, of any size.
func TestAllocsSpawnWithValues(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 100, Commands: 100, Recipes: []Recipe{sewnLarge, sewnSmall},
		Kinds: []layout.Count{
			sewnByte.Count(100), sewnPair.Count(100), sewnWide.Count(100), sewnNext.Count(100),
		},
	})))
	everything, x := NewQuery(With(sewnPair)), uint8(0)
	var err error
	require.Zero(t, testing.AllocsPerRun(10, func() {
		c := Record(s)
		for i := range 20 {
			x++
			id := c.Spawn(sewnLarge, sewnByte.Value(x), sewnWide.Value(wide{A: [6]uint32{uint32(i)}}))
			c.Spawn(sewnSmall, sewnNext.Value(id))
		}
		s, err = Apply(s)
		for range 10 {
			s, _, _ = Spawn(s, sewnLarge, sewnWide.Value(wide{C: [3]uint64{9}}), sewnByte.Value(x))
		}
		s = sure(everything.DisposeAll(s))
	}))
	require.NoError(t, err)
}
