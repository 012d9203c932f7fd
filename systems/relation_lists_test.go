package systems

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	follows  = layout.NewRelation("follows", layout.Relation{Tree: true, Disposed: layout.Clear})
	marching = NewQuery(HasTarget(follows))
	everyone = NewQuery()
)

// A parade is a world of some full blocks beside a model: who follows whom, of those that have the
// relation, or keep it suspended. Nobody is 0.
type parade struct {
	*testing.T
	r    *rand.Rand
	s    State
	now  line
	snap *Snapshot
	then line
}

type line struct {
	ids      []GameObject // alive, the oldest first
	to, kept map[GameObject]GameObject
}

func (l line) clone() line {
	return line{slices.Clone(l.ids), maps.Clone(l.to), maps.Clone(l.kept)}
}

func (p *parade) create(kinds ...layout.AnyKind) {
	s, id := made(CreateWith(p.s, kinds...))
	if p.s, p.now.ids = s, append(p.now.ids, id); len(kinds) > 0 {
		p.now.to[id] = 0
	}
}

func (p *parade) step() {
	at := p.r.IntN(len(p.now.ids))
	id, other := p.now.ids[at], p.now.ids[p.r.IntN(at+1)] // followers are younger
	_, has := p.now.to[id]
	switch n := p.r.IntN(40); {
	case n < 18 && has:
		if n < 6 || other == id {
			other = 0
		}
		p.s, p.now.to[id] = sure(Set(p.s, id, follows, other)), other
	case n < 24 && has: // most often the row gets another's, and the object another row
		p.s = sure(Remove(p.s, id, follows.Kind()))
		delete(p.now.to, id)
		if p.r.IntN(20) > 0 {
			p.add(p.now.ids[p.r.IntN(len(p.now.ids))])
			p.add(id)
		}
	case n == 24 && has && p.r.IntN(10) == 0:
		p.s, p.now.kept[id] = sure(Suspend(p.s, id, follows.Kind())), p.now.to[id]
		delete(p.now.to, id)
	case n < 35 && n > 24:
		if at < 128 {
			p.add(id)
		}
	case n == 35 && len(p.now.ids) > 1:
		p.dispose(id)
	case n == 36 && len(p.now.ids) < 400:
		p.create(follows)
	default:
		p.whole(p.r.IntN(60))
	}
}

// add adds the relation to an object that does not have it.
func (p *parade) add(id GameObject) {
	if _, has := p.now.to[id]; !has {
		s, err := Add(p.s, id, follows.Kind())
		p.s, p.now.to[id] = sure(s, err), p.now.kept[id]
		delete(p.now.kept, id)
	}
}

// whole does something to the world as a whole.
func (p *parade) whole(n int) {
	switch {
	case n < 3:
		require.NoError(p, p.snap.Take(p.s))
		p.then = p.now.clone()
	case n < 6 && p.then.ids != nil:
		p.s, p.now = sure(Restore(p.s, p.snap)), p.then.clone()
	case n == 6: // whole blocks lose the relation
		for _, id := range p.now.ids[len(p.now.ids)/2:] {
			if _, has := p.now.to[id]; has {
				p.s = sure(Remove(p.s, id, follows.Kind()))
				delete(p.now.to, id)
			}
		}
	}
}

func (p *parade) dispose(id GameObject) {
	p.s = sure(DisposeGameObject(p.s, id))
	for _, m := range []map[GameObject]GameObject{p.now.to, p.now.kept} {
		delete(m, id)
		for follower, to := range m {
			if to == id {
				m[follower] = 0
			}
		}
	}
	p.now.ids = slices.DeleteFunc(p.now.ids, func(other GameObject) bool { return other == id })
}

// check compares the followers of all, and their depths.
func (p *parade) check() {
	want, following := map[GameObject][]GameObject{}, 0
	for follower, to := range p.now.to {
		if to != 0 {
			want[to] = append(want[to], follower)
			following++
		}
	}
	for _, id := range p.now.ids {
		slices.SortFunc(want[id], func(a, b GameObject) int { return cmp.Compare(a.Index(), b.Index()) })
		got := slices.Collect(Children(p.s, follows, id))
		if n := ChildCount(p.s, follows, id); n != len(got) || !slices.Equal(want[id], got) {
			require.Equal(p, want[id], got, "%d are counted", n)
		}
	}
	require.Equal(p, following, marching.Count(p.s))
	depth, visited := 0, 0
	for b := range everyone.Down(p.s, follows) {
		for i := range b.Len() {
			d := 0
			for at := p.now.to[b.ID(i)]; at != 0; at = p.now.to[at] {
				d++
			}
			if d < depth {
				require.GreaterOrEqual(p, d, depth)
			}
			depth = d
			visited++
		}
	}
	require.Equal(p, len(p.now.ids), visited)
}

// Lists are right whoever has the relation, had it, or has it in a row that was another's; also
// where the world was larger.
func TestListsOfFullBlocks(t *testing.T) {
	OneGoroutine(t)
	for seed := range uint64(4) {
		p := &parade{T: t, r: rand.New(rand.NewPCG(seed, 18))}
		p.now.to, p.now.kept = map[GameObject]GameObject{}, map[GameObject]GameObject{}
		p.s = sure(CreateState(Counts{GameObjects: 400, Kinds: layout.Kinds(follows)}))
		p.snap = sure(NewSnapshot(p.s))
		for range 140 {
			p.create(follows)
		}
		for range 60 {
			p.create()
		}
		for range 2500 {
			if p.step(); p.r.IntN(4) == 0 {
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
			s = sure(Remove(s, id, in.Kind()))
			s, _ = Add(s, ids[r.IntN(len(ids))], in.Kind()) // it may have the row of the other
			s, _ = Add(s, id, in.Kind())
		}
		for _, id := range ids {
			s = sure(Set(s, id, place, uint32(r.IntN(50))))
			s = sure(Set(s, id, in, box))
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

// Blocks that have the relation no more, have it suspended alone, or are no more.
func TestListsWhereBlocksChange(t *testing.T) {
	p := &parade{T: t}
	p.now.to, p.now.kept = map[GameObject]GameObject{}, map[GameObject]GameObject{}
	p.s = closedLater(t, sure(CreateState(Counts{GameObjects: 400, Kinds: layout.Kinds(follows)})))
	for range 100 {
		p.create(follows)
	}
	p.snap = sure(NewSnapshot(p.s))
	defer p.snap.Close()
	require.NoError(t, p.snap.Take(p.s))
	p.then = p.now.clone()
	for range 200 {
		p.create(follows)
		p.follow(len(p.now.ids)-1, 99)
	}
	p.check()

	p.s, p.now = sure(Restore(p.s, p.snap)), p.then
	p.follow(1, 0)
	p.check()

	p.follow(70, 1)
	p.check()
	for _, id := range p.now.ids[:64] {
		p.s = sure(Remove(p.s, id, follows.Kind()))
		delete(p.now.to, id)
	}
	p.check()
	require.Equal(t, 2, Depth(p.s, follows))

	for i, id := range p.now.ids[64:] {
		if i+64 != 70 {
			p.s = sure(Remove(p.s, id, follows.Kind()))
			delete(p.now.to, id)
		}
	}
	p.s = sure(Suspend(p.s, p.now.ids[70], follows.Kind()))
	twin := closedLater(t, sure(Clone(p.s)))
	twin = sure(DisposeGameObject(twin, p.now.ids[1]))
	twin = sure(Add(twin, p.now.ids[70], follows.Kind()))
	require.Zero(t, sure(Get(twin, p.now.ids[70], follows)))
}

// follow makes one follow an older one.
func (p *parade) follow(one, other int) {
	p.s = sure(Set(p.s, p.now.ids[one], follows, p.now.ids[other]))
	p.now.to[p.now.ids[one]] = p.now.ids[other]
}
