package systems

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
)

// entityWorld has room for fewer components than objects, in a packed kind and in others.
func entityWorld(t *testing.T) State {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: 100, Kinds: []layout.Count{
		kindA.Count(60),
		{Kind: kindB, Rows: 50, Packed: true},
		kindC.Count(100),
		markX.Count(0), markY.Count(0),
	}}))
	return s
}

func TestAllocEntity(t *testing.T) {
	s := entityWorld(t)
	s, id, _ := CreateWith(s, kindC)
	mask := mask.New(8)
	if n := testing.AllocsPerRun(50, func() {
		s, _ = addSome(s, id, kindA, kindB, markX)
		s, _, _ = Ensure(s, id, kindA)
		s, _, _ = Reset(s, id, kindB)
		_ = ToolsOf(s).Mask(&mask, id)
		s, _ = Remove(s, id, kindA, kindB, markX)
		s, id, _ = CreateWith(s, kindA, markY)
		s, _ = Dispose(s, id)
		s, id, _ = CreateWith(s, kindC)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
