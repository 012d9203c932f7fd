package systems

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A sower spawns by values in one world, and by Spawn and Set in an equal one.
type sower struct {
	t        *testing.T
	r        *rand.Rand
	at, want State
	ids      []GameObject
}

func newSower(t *testing.T, seed uint64) *sower {
	t.Helper()
	objects := []int{50, 700}[seed%2]
	counts := Counts{
		GameObjects: objects, Recipes: []Recipe{node, rootless}, InOrder: seed%3 == 0,
		Kinds: layout.Kinds(
			childOf, local.Count(60), layout.Count{Kind: global.Kind(), Rows: 60, Packed: true},
			burden, markX,
		),
	}
	return &sower{
		t: t, r: rand.New(rand.NewPCG(seed, 8)),
		at: sure(CreateState(counts)), want: sure(CreateState(counts)),
		ids: []GameObject{0, 1<<32 | 1<<20, 9<<32 | 3, Member(0), 1<<32 | 5},
	}
}

// value returns a value of a recipe with or without childOf, and the Set of the same.
func (w *sower) value(relates bool) (v layout.FieldValue, set func(State, GameObject) (State, error)) {
	x, kinds := w.r.Float32(), 3
	if relates {
		kinds = 4
	}
	switch w.r.IntN(kinds) {
	case 0:
		return local.Value([3]float32{x, 1, 2}), setting(local, [3]float32{x, 1, 2})
	case 1:
		return global.Value([3]float32{x, x, x}), setting(global, [3]float32{x, x, x})
	case 2:
		return burden.Value(uint32(1000 * x)), setting(burden, uint32(1000*x))
	}
	to := w.ids[w.r.IntN(len(w.ids))]
	return childOf.Value(to), setting(childOf, to)
}

// spawn spawns an object in both worlds; in the second it goes back if one Set is refused.
func (w *sower) spawn() (refused error) {
	relates := w.r.IntN(2) == 0
	recipe := rootless
	if relates {
		recipe = node
	}
	var values []layout.FieldValue
	sets := []func(State, GameObject) (State, error){}
	for range w.r.IntN(5) {
		v, set := w.value(relates)
		values, sets = append(values, v), append(sets, set)
	}
	before := taken(w.want)
	defer before.Close()
	var id, made GameObject
	var err, naive error
	w.want, id, naive = Spawn(w.want, recipe)
	for _, set := range sets {
		if naive == nil {
			w.want, naive = set(w.want, id)
		}
	}
	if naive != nil {
		w.want = sure(Restore(w.want, before))
	}
	w.at, made, err = Spawn(w.at, recipe, values...)
	require.Equal(w.t, naive == nil, err == nil, "%v, %v", naive, err)
	if err == nil {
		require.Equal(w.t, id, made)
		w.ids = append(w.ids, id)
		return nil
	}
	return err
}

// change changes both worlds otherwise.
func (w *sower) change() {
	id := w.ids[w.r.IntN(len(w.ids))]
	f := func(s State) (State, error) { return DisposeGameObject(s, id) }
	switch w.r.IntN(4) {
	case 0:
		f = func(s State) (State, error) { return Remove(s, id, local.Kind()) }
	case 1:
		f = func(s State) (State, error) { return Advance(s), nil }
	}
	w.at, _ = f(w.at)
	w.want, _ = f(w.want)
}

func (w *sower) compare() {
	require.True(w.t, bytes.Equal(Bytes(w.want), Bytes(w.at)))
	require.NoError(w.t, ArenaOf(w.at).Verify())
}

// TestSpawnWithValuesAgainstModel: Spawn with values leaves the bytes of Spawn and a Set of each,
// or, if one of these is refused, changes nothing.
func TestSpawnWithValuesAgainstModel(t *testing.T) {
	OneGoroutine(t)
	outcomes := map[string]int{}
	for seed := range uint64(12) {
		seed += rand.Uint64N(1<<40) * 12
		t.Log("seed", seed) // shown where the test fails
		w := newSower(t, seed)
		for range 400 {
			if w.r.IntN(3) == 0 {
				w.change()
			} else {
				outcomes[outcomeOf(w.spawn())]++
			}
			w.compare()
		}
		Close(w.at)
		Close(w.want)
	}
	for _, outcome := range []string{"done", "dead", "out of range", "full", "too many"} {
		assert.NotZero(t, outcomes[outcome], outcome)
	}
}

func outcomeOf(err error) string {
	for name, is := range map[string]error{
		"dead": ErrDead, "out of range": ErrOutOfRange, "full": ErrFull, "too many": ErrTooMany,
	} {
		if errors.Is(err, is) {
			return name
		}
	}
	return "done"
}

func TestSpawnRefusesValues(t *testing.T) {
	s, ids := forest(t, 1, 30)
	dead := ids[29]
	s = sure(DisposeGameObject(s, dead))
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

func BenchmarkSpawnWith(b *testing.B) {
	const n = 1000
	for name, values := range map[string][]layout.FieldValue{
		"none": nil, "two": {local.Value([3]float32{1, 2, 3}), burden.Value(5)},
	} {
		b.Run(name, func(b *testing.B) {
			s := sure(CreateState(Counts{
				GameObjects: n, Recipes: []Recipe{rootless}, Kinds: layout.Kinds(local, global, burden),
			}))
			ids := make([]GameObject, n)
			b.ReportAllocs()
			for range b.N {
				for i := range ids {
					s, ids[i], _ = Spawn(s, rootless, values...)
				}
				s, _ = DisposeGameObject(s, ids...)
			}
			Close(s)
		})
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

func setting[T any](f layout.Field[T], value T) func(State, GameObject) (State, error) {
	return func(s State, id GameObject) (State, error) { return Set(s, id, f, value) }
}
