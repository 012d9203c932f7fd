package index_test

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

var (
	chief   = layout.NewComponent[world.GameObject]("index chief")
	weight  = layout.NewComponent[int64]("index weight")
	name    = layout.NewText("index name")
	recruit = world.NewRecipe("index recruit", team, chief, name)
)

func livesCounts(free bool) world.Counts {
	c := world.Counts{
		GameObjects: 700, Recipes: []world.Recipe{recruit},
		Kinds: layout.Kinds(team, chief, ranks, weight, name),
	}
	if !free {
		c.Kinds = []layout.Count{
			team.Count(700), chief.Count(700), ranks.Count(200), weight.Count(300),
			name.Count(700, 20_000),
		}
	}
	return c
}

// A life is a world with a past, in random changes.
type life struct {
	s    world.State
	r    *rand.Rand
	ids  []world.GameObject
	past [2]*world.Snapshot
}

// one returns an object, which may be dead.
func (l *life) one() world.GameObject {
	if len(l.ids) == 0 {
		return world.Nobody
	}
	return l.ids[l.r.IntN(len(l.ids))]
}

// few is a number that is mostly small.
func (l *life) few() int { return 1 + l.r.IntN(1<<l.r.IntN(7)) }

// step makes a change; some are refused.
func (l *life) step(t *testing.T) {
	t.Helper()
	switch n := l.r.IntN(100); {
	case n < 15 || len(l.ids) < 20:
		l.s, _ = world.SpawnN(l.s, recruit, l.few(), func(b world.Batch) {
			for i := range world.Column(b, team) {
				world.Column(b, team)[i] = int8(l.r.IntN(9) - 4)
			}
			l.ids = b.AppendIDs(l.ids)
		})
	case n < 25:
		for range l.few() {
			l.s, _ = world.Dispose(l.s, l.one())
		}
	case n < 55:
		for range l.few() {
			l.write()
		}
	case n < 70:
		for range l.few() {
			l.reshape()
		}
	case n < 75:
		l.walk()
	case n < 80:
		l.record()
	case n < 85:
		l.s = world.Advance(l.s)
	case n < 94:
		require.NoError(t, l.past[l.r.IntN(2)].Take(l.s))
	default:
		l.s, _ = world.Restore(l.s, l.past[l.r.IntN(2)])
	}
}

// write writes a value.
func (l *life) write() {
	id := l.one()
	switch l.r.IntN(6) {
	case 0:
		l.s, _ = world.Set(l.s, id, team, int8(l.r.IntN(9)-4))
	case 1:
		l.s, _ = world.Set(l.s, id, chief, l.one())
	case 2:
		if p := world.WriterOf(l.s, rank).At(id); p != nil {
			*p = uint16(l.r.IntN(3000))
		}
	case 5:
		l.s, _ = list.SetText(l.s, id, name, names[l.r.IntN(len(names))])
	case 3:
		next, p, err := world.Edit(l.s, id, weight)
		if l.s = next; err == nil {
			*p = l.r.Int64() - 1<<62
		}
	case 4:
		ids := []world.GameObject{l.one(), l.one(), l.one()}
		to := make([]*int64, 3)
		world.WriterOf(l.s, weight).AtN(to, ids)
		for _, p := range to {
			if p != nil {
				*p = int64(l.r.IntN(5))
			}
		}
	}
}

// reshape changes which kinds an object has.
func (l *life) reshape() {
	kinds := []layout.AnyKind{team, chief, ranks, weight, name}
	id, k := l.one(), kinds[l.r.IntN(len(kinds))]
	switch l.r.IntN(6) {
	case 0, 1, 2:
		l.s, _ = world.Add(l.s, id, k)
	case 3:
		l.s, _ = world.Remove(l.s, id, k)
	case 4:
		l.s, _ = world.Suspend(l.s, id, k)
	case 5:
		next, twin, err := world.Copy(l.s, id)
		if l.s = next; err == nil {
			l.ids = append(l.ids, twin)
		}
	}
}

// walk writes values in batches.
func (l *life) walk() {
	q := world.NewQuery(world.Write(team), world.Write(rank))
	if l.r.IntN(2) == 0 {
		q = world.NewQuery(world.Write(team))
	}
	for b := range q.In(l.s) {
		for i := range world.Column(b, team) {
			if l.r.IntN(8) == 0 {
				world.Column(b, team)[i] = int8(l.r.IntN(9) - 4)
			}
		}
		if l.r.IntN(2) == 0 {
			break
		}
	}
}

// record records changes, among them ids that Apply turns into real ones, and carries them out.
func (l *life) record() {
	c := world.Record(l.s)
	for range l.few() {
		twin := c.Spawn(recruit)
		world.Put(c, l.one(), chief, twin)
		world.Put(c, l.one(), weight, int64(l.r.IntN(5)))
		c.Dispose(l.one())
	}
	l.s, _ = world.Apply(l.s)
	l.ids = l.ids[:0]
	for id := range world.GameObjects(l.s) {
		l.ids = append(l.ids, id)
	}
}

// checkAll is check for all indexes.
func checkAll(t *testing.T, s world.State) {
	t.Helper()
	check(t, s, team, -128, -3, -1, 0, 2, 127)
	check(t, s, rank, 0, 7, 100, 3000)
	check(t, s, weight, -1<<62, -5, 0, 1, 3, 1<<62)
	check(t, s, chief, 0, 3, 1<<32+5, 1<<63)
	checkTexts(t, s)
}

// TestRandomLives: after random changes and rollbacks, an index says what the model
// says, however often it was asked in between, and the questions leave the bytes as they are.
func TestRandomLives(t *testing.T) {
	worldtest.OneGoroutine(t)
	seeds, steps := uint64(6), 150
	if worldtest.AtLength() {
		seeds, steps = 60, 600
	}
	for seed := range seeds {
		l := life{r: rand.New(rand.NewPCG(seed, 3))}
		l.s = world.Must(world.CreateState(livesCounts(seed%2 == 0)))
		for i := range l.past {
			l.past[i] = world.Must(world.NewSnapshot(l.s))
			require.NoError(t, l.past[i].Take(l.s))
		}
		for range steps {
			for range 1 + l.r.IntN(3) {
				l.step(t)
			}
			before := world.Digest(l.s)
			switch l.r.IntN(3) {
			case 0:
				checkAll(t, l.s)
			case 1:
				check(t, l.s, team, int8(l.r.IntN(9)-4))
			}
			require.Equal(t, before, world.Digest(l.s))
		}
		checkAll(t, l.past[0].State())
		require.NoError(t, tool.Verify(l.s))
		l.past[0].Close()
		l.past[1].Close()
		world.Close(l.s)
	}
}

// TestLoopsMayChangeTheWorld: a loop continues with the next object of the changed world.
func TestLoopsMayChangeTheWorld(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	var ids []world.GameObject
	for range 6 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, team))
		ids = append(ids, id)
	}
	byTeam := index.New(team)
	var seen []world.GameObject
	for id := range byTeam.Find(s, -1) { // each takes the next one with it, and one joins behind
		seen = append(seen, id)
		s = world.Must(world.Set(s, id, team, 3))
		if i := id.Index(); i < 5 {
			s = world.Must(world.Set(s, ids[i+1], team, 4))
		}
		if id == ids[4] {
			s = world.Must(world.Set(s, ids[5], team, -1))
		}
	}
	require.Equal(t, []world.GameObject{ids[0], ids[2], ids[4], ids[5]}, seen)
	seen = nil
	for id := range byTeam.Between(s, 3, 5) { // all to 5 at most
		seen = append(seen, id)
		if v := world.Must(world.Get(s, id, team)); v < 5 {
			s = world.Must(world.Set(s, id, team, v+1))
		}
	}
	require.Len(t, seen, 4*3+2*2)
	seen = nil
	for id := range byTeam.Find(s, 5) { // which stays, while another one changes
		seen = append(seen, id)
		s = world.Must(world.Set(s, ids[5], team, 5+int8(len(seen)&1)))
	}
	require.Equal(t, ids[:5], seen)
	s = world.Must(world.Set(s, ids[5], team, 5))
	for id := range byTeam.Find(s, 5) {
		s = world.Must(world.Dispose(s, id))
	}
	require.Zero(t, world.Len(s))
}

// An owner is an object and its value.
type owner[T any] struct {
	id    world.GameObject
	value T
}

// A naive is the model: all objects with the field, by value, then by id, found by looking at each.
type naive[T index.Value] []owner[T]

func naiveOf[T index.Value](s world.State, f layout.Field[T]) (n naive[T]) {
	for id := range world.GameObjects(s) {
		if v, err := world.Get(s, id, f); err == nil {
			n = append(n, owner[T]{id, v})
		}
	}
	slices.SortStableFunc(n, func(a, b owner[T]) int { return cmp.Compare(a.value, b.value) })
	return n
}

// between returns the objects with values from low to high.
func (n naive[T]) between(low, high T) (ids []world.GameObject) {
	for _, o := range n {
		if low <= o.value && o.value <= high {
			ids = append(ids, o.id)
		}
	}
	return ids
}

// check compares what an index says of a world with the model. It makes no message before something
// differs: there are many comparisons.
func check[T index.Value](t *testing.T, s world.State, f layout.Field[T], values ...T) {
	t.Helper()
	x, n := index.New(f), naiveOf(s, f)
	for i, v := range values {
		want := n.between(v, v)
		first, ok := x.One(s, v)
		if !same(x.Find(s, v), want) || x.Count(s, v) != len(want) || ok != (len(want) > 0) ||
			ok && first != want[0] {
			t.Fatalf("%v of value %v: %v, first %v, %d of them; want %v", x, v,
				slices.Collect(x.Find(s, v)), first, x.Count(s, v), want)
		}
		for _, high := range values[i:] {
			want := n.between(v, high)
			if !same(x.Between(s, v, high), want) || x.CountBetween(s, v, high) != len(want) {
				t.Fatalf("%v from %v to %v: %v, %d of them; want %v", x, v, high,
					slices.Collect(x.Between(s, v, high)), x.CountBetween(s, v, high), want)
			}
		}
	}
	checkSorted(t, s, f, n)
}

// same reports whether objects are the objects of a list.
func same(objects iter.Seq[world.GameObject], list []world.GameObject) bool {
	n := 0
	for id := range objects {
		if n == len(list) || list[n] != id {
			return false
		}
		n++
	}
	return n == len(list)
}

// checkSorted compares a walk in order with the model.
func checkSorted[T index.Value](t *testing.T, s world.State, f layout.Field[T], n naive[T]) {
	t.Helper()
	var ids []world.GameObject
	var got []T
	for b := range index.New(f).Sorted(s, world.NewQuery(world.Read(f))) {
		got, ids = append(got, world.Column(b, f)...), b.AppendIDs(ids)
	}
	if len(ids) != len(n) {
		t.Fatalf("%v sorted: %d, want %d", f, len(ids), len(n))
	}
	for i, o := range n {
		if o.id != ids[i] || o.value != got[i] {
			t.Fatalf("%v sorted: %v of %v is number %d; want %v", f, ids[i], got[i], i, o)
		}
	}
}

var (
	team  = layout.NewComponent("index team", int8(-1))
	other = layout.NewField[uint32]("other")
	rank  = layout.NewField[uint16]("rank", 7)
	ranks = layout.NewKind("index ranks", other, rank)
)

// A change is an element of the sequences.
type change struct {
	name string
	do   func(w *small) error
}

// A small is a world of three objects that lives a sequence of changes.
type small struct {
	s    world.State
	ids  [3]world.GameObject // by place, of objects that may be dead
	past *world.Snapshot
}

// set sets the value of an object.
func set(i int, v int8) change {
	return change{"set", func(w *small) (err error) {
		w.s, err = world.Set(w.s, w.ids[i], team, v)
		return err
	}}
}

// changes are what may happen to three objects.
var changes = []change{
	set(0, 2), set(1, 2), set(2, -1),
	{"dispose", func(w *small) (err error) {
		w.s, err = world.Dispose(w.s, w.ids[0])
		return err
	}},
	{"create", func(w *small) (err error) {
		w.s, w.ids[0], err = world.CreateWith(w.s, team)
		return err
	}},
	{"remove", func(w *small) (err error) {
		w.s, err = world.Remove(w.s, w.ids[1], team)
		return err
	}},
	{"suspend", func(w *small) (err error) {
		w.s, err = world.Suspend(w.s, w.ids[1], team)
		return err
	}},
	{"add", func(w *small) (err error) {
		w.s, err = world.Add(w.s, w.ids[1], team)
		return err
	}},
	{"take", func(w *small) error { return w.past.Take(w.s) }},
	{"restore", func(w *small) (err error) {
		w.s, err = world.Restore(w.s, w.past)
		return err
	}},
	{"advance", func(w *small) error {
		w.s = world.Advance(w.s)
		return nil
	}},
	{"walk", func(w *small) error {
		for b := range world.NewQuery(world.Write(team)).In(w.s) {
			for i := range world.Column(b, team) {
				world.Column(b, team)[i] ^= 1
			}
		}
		return nil
	}},
}

// TestEachSequenceOfFour: after any four changes of three objects, with a query after each of them
// or after some, an index returns the same as the model.
func TestEachSequenceOfFour(t *testing.T) {
	const length = 4
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4, Kinds: layout.Kinds(team.Count(4)),
	}))
	w := &small{s: s, past: world.Must(world.NewSnapshot(s))}
	for i := range w.ids {
		w.s, w.ids[i], _ = world.CreateWith(w.s, team)
	}
	begin := world.Must(world.NewSnapshot(w.s))
	require.NoError(t, begin.Take(w.s))
	defer func() { begin.Close(); w.past.Close(); world.Close(w.s) }()
	ids := w.ids
	n, number := len(changes), 0
	defer func() {
		if t.Failed() {
			t.Log("sequence", number)
		}
	}()
	for number = range n * n * n * n {
		w.s = world.Must(world.Restore(w.s, begin))
		w.ids = ids
		require.NoError(t, w.past.Take(w.s))
		asked := number % 7 // after which of them
		for k, at := 0, number; k < length; k, at = k+1, at/n {
			_ = changes[at%n].do(w) // may be refused
			if k == length-1 || asked>>k&1 != 0 {
				check(t, w.s, team, -1, 2)
			}
		}
	}
}
