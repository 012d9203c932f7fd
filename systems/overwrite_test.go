package systems

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	extent    = layout.NewComponent[uint64]("extent")
	breadth   = layout.NewComponent[uint64]("breadth")
	extended  = NewQuery(Write(extent))
	broadened = NewQuery(Write(extent), Optional(breadth))
)

// extents returns a world of 300 objects with extents, but for one of step; every fifth of them has
// a breadth too.
func extents(tb testing.TB, step int) (State, []GameObject) {
	tb.Helper()
	s := closedLater(tb, sure(CreateState(Counts{
		GameObjects: 300, Kinds: layout.Kinds(extent, breadth),
	})))
	ids := make([]GameObject, 300)
	for i := range ids {
		s, ids[i] = made(CreateWith(s, extent.Kind()))
		if i%5 == 0 {
			s = sure(Add(s, ids[i], breadth.Kind()))
		}
	}
	for i := 1; i < len(ids); i += step {
		s = sure(Remove(s, ids[i], extent.Kind()))
	}
	return s, ids
}

// What a system writes by Overwrite is there afterwards, in rows side by side and in strewn ones,
// where some objects have another field and others do not.
func TestOverwriteWritesRows(t *testing.T) {
	strewn := 0
	for _, step := range []int{300, 2, 3, 7} {
		s, ids := extents(t, step)
		for b := range broadened.In(s) {
			v := Overwrite(b, extent)
			for i := range v {
				v[i] = 1000 + uint64(b.ID(i).Index())
			}
			require.Equal(t, v, Column(b, extent), "both are the same rows")
			if b.walk.Gathered() {
				strewn++
			}
		}
		for _, id := range ids {
			if Has(s, id, extent.Kind()) {
				require.Equal(t, 1000+uint64(id.Index()), sure(Get(s, id, extent)))
			}
		}
	}
	require.NotZero(t, strewn)
}

func TestOverwriteOfWhatIsRead(t *testing.T) {
	s, _ := extents(t, 300)
	for b := range NewQuery(Read(extent)).In(s) {
		panicsWith(t, func() { Overwrite(b, extent) }, "does not write", "ask for it by Write")
	}
	for b := range extended.In(s) {
		panicsWith(t, func() { Overwrite(b, breadth) }, "breadth")
		for i := range Overwrite(b, extent) {
			Column(b, extent)[i] = 1
		}
	}
}
