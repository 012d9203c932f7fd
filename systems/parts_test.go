package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

type (
	spot struct{ X, Y, Z float32 }
	body struct {
		Owner GameObject
		Pos   spot
		Tint  [3]uint8
		Alive bool
	}
)

var (
	spotOf = layout.NewComponent[spot]("place")
	bodyOf = layout.NewField[body]("body")
	half   = layout.NewField[[2]float16.Float16]("half")
	figure = layout.NewKind("figure", bodyOf, half)
)

func figures(t *testing.T) (State, GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: 100, Kinds: layout.Kinds(spotOf, figure)}))
	var id GameObject
	for range 8 {
		s, id = made(CreateWith(s, spotOf.Kind(), figure))
	}
	return s, id
}

// TestFirstDifferenceNamesThePart of a struct, and tells its values alone.
func TestFirstDifferenceNamesThePart(t *testing.T) {
	for _, c := range []struct {
		change func(s State, id GameObject) (State, error)
		want   string
	}{
		{func(s State, id GameObject) (State, error) { return Set(s, id, spotOf, spot{0, 2, 0}) }, "tick 1: place.Y of object 7 in row 7: 0 ≠ 2"},
		{func(s State, id GameObject) (State, error) { return Set(s, id, spotOf, spot{5, 2, 0}) }, "tick 1: place.X of object 7 in row 7: 0 ≠ 5"},
		{func(s State, id GameObject) (State, error) { return Set(s, id, bodyOf, body{Owner: id}) }, "tick 1: figure.body.Owner of object 7 in row 7: nobody ≠ 7"},
		{func(s State, id GameObject) (State, error) { return Set(s, id, bodyOf, body{Alive: true}) }, "tick 1: figure.body.Alive of object 7 in row 7: false ≠ true"},
		{func(s State, id GameObject) (State, error) { return Set(s, id, bodyOf, body{Tint: [3]uint8{1, 2}}) }, "tick 1: figure.body.Tint of object 7 in row 7: [0 0 0] ≠ [1 2 0]"},
		{func(s State, id GameObject) (State, error) {
			return Set(s, id, bodyOf, body{Pos: spot{Z: float32(math.Inf(1))}})
		}, "tick 1: figure.body.Pos.Z of object 7 in row 7: 0 ≠ +Inf"},
		{func(s State, id GameObject) (State, error) {
			return Set(s, id, half, [2]float16.Float16{0, float16.Fromfloat32(-1.5)})
		}, "tick 1: figure.half of object 7 in row 7: [0 0] ≠ [0 -1.5]"},
	} {
		s, id := figures(t)
		p := taken(s)
		s = sure(c.change(s, id))
		d, differ := ArenaOf(p.State()).FirstDifference(ArenaOf(s))
		require.True(t, differ)
		assert.Equal(t, c.want, d.String())
		assert.Equal(t, id, d.Object)
		assert.Equal(t, [2]uint64{1, 1}, d.Tick)
		assert.Contains(t, c.want, d.Kind)
		assert.Contains(t, c.want, d.Values[0]+" ≠ "+d.Values[1])
	}
}

func TestTextOfStructs(t *testing.T) {
	v := bodyOf.Value(body{7, spot{1, 2, 3}, [3]uint8{4, 5, 6}, true})
	assert.Equal(t, "{Owner:7v0 Pos.X:1 Pos.Y:2 Pos.Z:3 Tint:[4 5 6] Alive:true}", manager.Text(bodyOf.Spec(), v.Bytes()))
	h := half.Value([2]float16.Float16{float16.Fromfloat32(0.5), float16.Inf(-1)})
	assert.Equal(t, "[0.5 -Inf]", manager.Text(half.Spec(), h.Bytes()))
	empty := bodyOf.Value(body{})
	b := empty.Bytes()
	b[23] = 9
	assert.Contains(t, manager.Text(bodyOf.Spec(), b), "Alive:9", "bytes that are no bool")
}

// TestFirstDifferenceNamesTheLastWrite: the only difference is that a kind was written again with
// the same values.
func TestFirstDifferenceNamesTheLastWrite(t *testing.T) {
	s, id := figures(t)
	later := sure(Clone(s))
	s, later = Advance(s), closedLater(t, Advance(later))
	later = sure(Set(later, id, spotOf, sure(Get(later, id, spotOf))))
	d, differ := ArenaOf(s).FirstDifference(ArenaOf(later))
	require.True(t, differ)
	assert.Equal(t, "tick 2: last write of place: tick 1 ≠ tick 2", d.String())
	assert.Equal(t, "place", d.Kind)
}
