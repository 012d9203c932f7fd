package systems

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	follows  = layout.NewRelation("follows", layout.Relation{Disposed: layout.Clear})
	marching = NewQuery(With(follows), HasTarget(follows))
)

// A parade is a world of some full blocks beside a map of who follows whom.
type parade struct {
	*testing.T
	r    *rand.Rand
	s    State
	ids  []GameObject              // alive
	to   map[GameObject]GameObject // of those that have the relation; nobody is 0
	snap *Snapshot                 // and what was so then
	then map[GameObject]GameObject //
	past []GameObject              //
}

func (p *parade) some() GameObject { return p.ids[p.r.IntN(len(p.ids))] }

func (p *parade) step() {
	id, other := p.some(), p.some()
	_, has := p.to[id]
	switch n := p.r.IntN(40); {
	case n < 20 && has:
		if n < 6 {
			other = 0
		}
		p.s, p.to[id] = must(Set(p.s, id, follows, other)), other
	case n < 26 && has:
		p.s = must(Remove(p.s, id, follows.Kind()))
		delete(p.to, id)
	case n < 36 && !has:
		s, _, err := Add(p.s, id, follows.Kind())
		p.s, p.to[id] = must(s, err), 0
	case n == 36:
		p.dispose(id)
	case n == 37 && len(p.ids) < 400:
		p.s, id = made(CreateWith(p.s, follows))
		p.ids, p.to[id] = append(p.ids, id), 0
	case n == 38 && p.r.IntN(8) == 0:
		require.NoError(p, p.snap.Take(p.s))
		p.then, p.past = clone(p.to), slices.Clone(p.ids)
	case n == 39 && p.r.IntN(8) == 0 && p.then != nil:
		p.s = must(Restore(p.s, p.snap))
		p.to, p.ids = clone(p.then), slices.Clone(p.past)
	}
}

func clone(m map[GameObject]GameObject) map[GameObject]GameObject {
	c := map[GameObject]GameObject{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (p *parade) dispose(id GameObject) {
	p.s = must(DisposeGameObject(p.s, id))
	delete(p.to, id)
	for follower, to := range p.to {
		if to == id {
			p.to[follower] = 0
		}
	}
	p.ids = slices.DeleteFunc(p.ids, func(other GameObject) bool { return other == id })
}

// check compares the followers of all.
func (p *parade) check() {
	want, following := map[GameObject][]GameObject{}, 0
	for follower, to := range p.to {
		if to != 0 {
			want[to] = append(want[to], follower)
			following++
		}
	}
	for _, id := range p.ids {
		slices.SortFunc(want[id], func(a, b GameObject) int { return cmp.Compare(a.Index(), b.Index()) })
		require.Equal(p, want[id], slices.Collect(Children(p.s, follows, id)))
		require.Equal(p, len(want[id]), ChildCount(p.s, follows, id))
	}
	require.Equal(p, following, marching.Count(p.s))
}

// Lists are right whoever has the relation, had it, or has it in a row that was another's; also
// where a world has fewer objects again.
func TestListsOfFullBlocks(t *testing.T) {
	for seed := range uint64(4) {
		p := &parade{T: t, r: rand.New(rand.NewPCG(seed, 18)), to: map[GameObject]GameObject{}}
		p.s = sure(CreateState(Counts{GameObjects: 400, Kinds: layout.Kinds(follows, markX)}))
		p.snap = sure(NewSnapshot(p.s))
		for range 200 {
			var id GameObject
			p.s, id = made(CreateWith(p.s, follows))
			p.ids, p.to[id] = append(p.ids, id), 0
		}
		for range 2000 {
			p.step()
			if p.r.IntN(4) == 0 {
				p.check()
			}
		}
		p.check()
		p.snap.Close()
		Close(p.s)
	}
}

// ChildrenOf shows the children in the order of Children, wherever their rows are.
func TestChildrenOfAreInOrder(t *testing.T) {
	place := layout.NewField[uint32]("place")
	in := layout.NewRelation("in", layout.Relation{Order: place})
	placed := NewQuery(Read(place))
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 300, Kinds: layout.Kinds(in), Queries: []Query{placed},
	})))
	s, box := made(CreateGameObject(s))
	r := rand.New(rand.NewPCG(1, 18))
	var ids []GameObject
	for range 200 {
		var id GameObject
		s, id = made(CreateWith(s, in))
		ids = append(ids, id)
	}
	for range 20 {
		for range 40 {
			id := ids[r.IntN(len(ids))]
			s = must(Remove(s, id, in.Kind()))
			s, _, _ = Add(s, ids[r.IntN(len(ids))], in.Kind()) // it may have the row of the other
			s, _, _ = Add(s, id, in.Kind())
		}
		for _, id := range ids {
			s = must(Set(s, id, place, uint32(r.IntN(50))))
			s = must(Set(s, id, in, box))
		}
		var got []GameObject
		for b := range placed.ChildrenOf(s, in, box) {
			for i, p := range Column(b, place) {
				got = append(got, b.ID(i))
				require.Equal(t, sure(Get(s, b.ID(i), place)), p)
			}
		}
		require.Equal(t, slices.Collect(Children(s, in, box)), got)
	}
}
