package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

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
		_ = ArenaOf(s).Mask(&mask, id)
		s, _ = Remove(s, id, kindA, kindB, markX)
		s, id, _ = CreateWith(s, kindA, markY)
		s, _ = Dispose(s, id)
		s, id, _ = CreateWith(s, kindC)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// TestSpawnWhereRowsMoved spawns in a block whose rows are elsewhere than at the spawn before:
// tidied, set back to bytes from before there was a slab, and taken by somebody else.
func TestSpawnWhereRowsMoved(t *testing.T) {
	r := NewRecipe("mover", Position, Velocity)
	s := sure(CreateState(Counts{Kinds: layout.Kinds(
		Position.Count(192), Velocity.Count(192),
	), Recipes: []Recipe{r}}))
	empty := slices.Clone(Bytes(s))
	spawn := func(n int) (ids []GameObject) {
		for range n {
			var id GameObject
			s, id = made(Spawn(s, r))
			ids = append(ids, id)
		}
		require.NoError(t, ArenaOf(s).Verify())
		return ids
	}
	ids := spawn(40)
	for _, id := range ids[3:30] {
		s = sure(Remove(s, id, Velocity.Kind()))
	}
	s = sure(Tidy(s))
	spawn(20)

	copy(Bytes(s), empty)
	spawn(3)
	for range 150 { // more rows than no slab keeps
		s = changed(CreateComponent(s, Velocity.Kind()))
	}
	spawn(39)
	_, _, err := Spawn(s, r)
	require.ErrorIs(t, err, ErrFull)
	require.NoError(t, ArenaOf(s).Verify())
}

// TestCreateWithIsAddOfEach creates objects with lists of kinds, many of them again and again, in
// one world, and empty objects that get each kind by Add in another. What one refuses, the other
// refuses as well, and the bytes are the same.
func TestCreateWithIsAddOfEach(t *testing.T) {
	OneGoroutine(t)
	kinds := make([]layout.Kind, 24)
	counts := Counts{GameObjects: 400}
	for i := range kinds {
		name := fmt.Sprint("kind ", i)
		kinds[i] = layout.NewKind(name, layout.NewField(name, [2]float32{1, float32(i)}))
		if i < len(kinds)-1 { // the last one is missing
			counts.Kinds = append(counts.Kinds, kinds[i].Count(20+4*i))
		}
	}
	at, err := CreateState(counts)
	require.NoError(t, err)
	by := sure(CreateState(counts))
	r := rand.New(rand.NewPCG(1, 2))
	lists := make([][]layout.Kind, 20)
	for i := range lists {
		lists[i] = someKinds(r, kinds)
	}
	var live []GameObject
	refused := map[error]int{}
	for range 6000 {
		if len(live) > 0 && r.IntN(5) < 2 {
			i := r.IntN(len(live))
			at = sure(Dispose(at, live[i]))
			by = sure(Dispose(by, live[i]))
			live = slices.Delete(live, i, i+1)
		} else {
			list := lists[r.IntN(len(lists))]
			if r.IntN(4) == 0 {
				list = someKinds(r, kinds)
			}
			var id GameObject
			var cause error
			at, id, err = CreateWith(at, anyKinds(r, list)...)
			by, cause = createByAdds(t, by, id, list, err)
			refused[cause]++
			if err == nil {
				live = append(live, id)
			}
		}
		require.Equal(t, Digest(by), Digest(at))
	}
	require.Equal(t, Bytes(by), Bytes(at))
	for _, cause := range []error{nil, ErrTwice, ErrNoKind, ErrFull} {
		require.Greater(t, refused[cause], 20, "%v", cause)
	}
}

// someKinds returns a list of kinds, at times with one twice.
func someKinds(r *rand.Rand, kinds []layout.Kind) (list []layout.Kind) {
	for _, i := range r.Perm(len(kinds))[:r.IntN(6)+13*(r.IntN(8)/7)] {
		list = append(list, kinds[i])
	}
	if len(list) > 0 && r.IntN(8) == 0 {
		list = append(list, list[r.IntN(len(list))])
	}
	return list
}

// anyKinds returns a list of kinds, or of fields in place of some.
func anyKinds(r *rand.Rand, kinds []layout.Kind) (list []layout.AnyKind) {
	for _, k := range kinds {
		if r.IntN(9) == 0 {
			list = append(list, belonging{k})
		} else {
			list = append(list, k)
		}
	}
	return list
}

// A belonging is something that belongs to a kind.
type belonging struct{ kind layout.Kind }

func (b belonging) Kind() layout.Kind { return b.kind }

// createByAdds creates an object and adds each kind, unless err says that CreateWith refused it.
// Then it finds the first that is to be refused, and returns why.
func createByAdds(
	t *testing.T, s State, id GameObject, kinds []layout.Kind, err error,
) (State, error) {
	t.Helper()
	if err != nil {
		cause := whyNot(s, kinds)
		require.ErrorIs(t, err, cause)
		return s, cause
	}
	s, twin := made(Create(s))
	require.Equal(t, twin, id)
	for _, k := range kinds {
		s, err = Add(s, id, k)
		require.NoError(t, err, "%v is to be refused", k)
	}
	return s, nil
}

// whyNot returns why the first kind of a list that is refused is.
func whyNot(s State, kinds []layout.Kind) error {
	for i, k := range kinds {
		m := s.look().Find(k.Spec())
		switch {
		case m == nil:
			return ErrNoKind
		case slices.Contains(kinds[:i], k):
			return ErrTwice
		case m.Live() == m.Cap():
			return ErrFull
		}
	}
	return ErrTooMany
}
