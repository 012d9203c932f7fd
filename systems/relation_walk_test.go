package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A thicket is a forest whose components move, come and go between walks.
type thicket struct {
	*testing.T
	r   *rand.Rand
	s   State
	ids []GameObject
}

// stir changes who has what, in which rows, and who refers to whom.
func (f *thicket) stir() {
	id := f.ids[f.r.IntN(len(f.ids))]
	var err error
	switch f.r.IntN(6) {
	case 0: // another row than at home
		if Has(f.s, id, global.Kind()) {
			f.s = sure(Remove(f.s, id, global.Kind()))
		}
		var row Row
		f.s, row = made(CreateComponent(f.s, global.Kind()))
		f.s = sure(Mount(f.s, id, global.Kind(), row))
	case 1:
		if Has(f.s, id, local.Kind()) {
			f.s = sure(Remove(f.s, id, local.Kind()))
		} else {
			f.s = sure(Add(f.s, id, local.Kind()))
			f.s = sure(Set(f.s, id, local, [3]float32{1, 2, 3}))
		}
	case 2:
		if to := f.ids[f.r.IntN(len(f.ids))]; Has(f.s, id, childOf.Kind()) {
			f.s, _ = Set(f.s, id, childOf, to) // or it closes a ring
		}
	case 3:
		if Has(f.s, id, childOf.Kind()) {
			f.s = sure(Suspend(f.s, id, childOf.Kind()))
		} else {
			f.s = changed(Ensure(f.s, id, childOf.Kind()))
		}
	case 4:
		f.s, err = Add(f.s, id, markX)
		_ = err // it may have it
	case 5:
		if f.r.IntN(4) == 0 {
			f.s = sure(Tidy(f.s))
		}
	}
}

func (f *thicket) matches(q Query, id GameObject) bool {
	return Has(f.s, id, local.Kind()) && Has(f.s, id, global.Kind()) &&
		(q == posing || !Has(f.s, id, markX))
}

// parent returns who an object refers to, unless the reference is suspended.
func (f *thicket) parent(id GameObject) GameObject {
	if !Has(f.s, id, childOf.Kind()) {
		return 0
	}
	return parentOf(f.s, id)
}

// down walks a query down, and compares with what each object and its parent say themselves.
func (f *thicket) down(q Query) {
	seen, values := map[GameObject]int{}, map[GameObject][3]float32{}
	for _, id := range f.ids {
		if Has(f.s, id, global.Kind()) {
			values[id] = sure(Get(f.s, id, global))
		}
	}
	column := Column[[3]float32]
	if f.r.IntN(2) == 0 {
		column = Overwrite[[3]float32]
	}
	for b := range q.Down(f.s, childOf) {
		g, l, up := column(b, global), Column(b, local), Parents(b, global)
		var ids []GameObject
		for i := range g {
			id := b.ID(i)
			ids = append(ids, id)
			if want := values[f.parent(id)]; want != up[i] {
				require.Equal(f, want, up[i], "%v", id)
			}
			g[i] = [3]float32{up[i][0] + l[i][0], up[i][1] + l[i][1], up[i][2] + 1}
			values[id] = g[i]
			seen[id]++
		}
		require.True(f, slices.IsSorted(ids), "a batch ascends")
	}
	for _, id := range f.ids {
		want := 0
		if f.matches(q, id) {
			want = 1
			if got := sure(Get(f.s, id, global)); got != values[id] {
				require.Equal(f, values[id], got, "%v", id)
			}
		}
		if want != seen[id] {
			require.Equal(f, want, seen[id], "%v", id)
		}
	}
}

// children walks the children of some objects.
func (f *thicket) children(q Query) {
	for range 5 {
		parent := f.ids[f.r.IntN(len(f.ids))]
		var want, got []GameObject
		for _, id := range f.ids {
			if f.parent(id) == parent && f.matches(q, id) {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		for b := range q.ChildrenOf(f.s, childOf, parent) {
			for i := range b.Len() {
				got = append(got, b.ID(i))
				require.Equal(f, sure(Get(f.s, b.ID(i), local)), Column(b, local)[i])
			}
		}
		require.Equal(f, want, got)
	}
}

// Walks by depth and among children show each matching object once, with its own values and its
// parent's, whatever has moved since the walk before.
func TestDownWhereRowsMove(t *testing.T) {
	OneGoroutine(t)
	unmarked := posing.And(Without(markX))
	for seed := range uint64(3) {
		f := &thicket{T: t, r: rand.New(rand.NewPCG(seed, 8))}
		f.s, f.ids = forest(t, seed, 1500)
		for round := range 60 {
			for range round % 7 {
				f.stir()
			}
			queries := []Query{posing, unmarked}
			for _, q := range queries[:1+round%2] { // of one alone, blocks stay known
				f.down(q)
				f.children(q)
				f.children(q) // enough of them for steps
			}
		}
		Close(f.s)
	}
}

// Objects that came after a restored state refer to nobody, whoever had their indexes before.
func TestDownAfterRestore(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 1024, Recipes: []Recipe{node, rootless},
		Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	defer func() { Close(s) }()
	empty := sure(NewSnapshot(s))
	defer empty.Close()
	require.NoError(t, empty.Take(s))
	var ids []GameObject
	visit := func() (n int) {
		for b := range posing.Down(s, childOf) {
			n += b.Len()
		}
		return n
	}
	for range 200 {
		var id GameObject
		s, id, _ = Spawn(s, node)
		if ids = append(ids, id); len(ids) > 1 {
			s = sure(Set(s, id, childOf, ids[0]))
		}
	}
	require.Equal(t, 200, visit())
	s = sure(Restore(s, empty))
	require.Zero(t, visit())
	for range 200 {
		s, _, _ = Spawn(s, rootless)
	}
	require.Equal(t, 200, visit())
}

// TestParentsAreUpdatedInWalksByDepth: downwards and of one depth as upwards, and in no other walk.
func TestParentsAreUpdatedInWalksByDepth(t *testing.T) {
	s, ids := forest(t, 9, 2000)
	count := func(b Batch) { UpdateParents(b, burden, func(_ int, parent *uint32) { *parent++ }) }
	for b := range summed.Down(s, childOf) {
		count(b)
	}
	for depth := range Depth(s, childOf) {
		for b := range summed.AtDepth(s, childOf, depth) {
			count(b)
		}
	}
	for _, id := range ids {
		require.Equal(t, 2*ChildCount(s, childOf, id), int(sure(Get(s, id, burden))))
	}
	for b := range summed.In(s) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	for b := range summed.ChildrenOf(s, childOf, parentOf(s, ids[500])) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	Close(s)
}
