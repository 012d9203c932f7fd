package structure

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

var (
	storyA    = layout.NewComponent("storyA", 1.5)
	storyB    = layout.NewComponent("storyB", 2.5)
	storyTwo  = layout.NewField("storyTwo", 3.5)
	storyMore = layout.NewField("storyMore", [3]float32{1, 2, 3})
	storyKind = layout.NewKind("storyKind", storyTwo, storyMore)
	scarce    = layout.NewComponent("scarce", 4.5)
	heap      = layout.NewComponent("heap", 5.5)
	storyMark = layout.NewMark("storyMark")

	// The first field of each kind, in the order of the world's kinds; a mark has none.
	storyFields = []layout.Field[float64]{storyA, storyB, storyTwo, scarce, heap}
	storyMarks  = len(storyFields) // the place of the mark
)

// A part is a component as a map would hold it.
type part struct {
	value     float64
	written   uint64 // tick
	suspended bool
}

// A story is a world of recipes, beside what anyone would write first: a map of objects, each with
// a map of its kinds.
type story struct {
	t     *testing.T
	r     *rand.Rand
	a     *manager.Arena
	pools []*Pool
	of    [][]int // kinds of each pool
	live  map[gameobject.ID]map[int]*part
	ids   []gameobject.ID // live, in any order
	loose [6][]layout.Row // created rows that are on no object
	twin  *manager.Arena  // equal to the world at a tick
	since uint64
	seen  [6]seen
}

func newStory(t *testing.T, seed uint64, objects int) *story {
	t.Helper()
	counts := []layout.Count{
		{Kind: storyA.Kind(), Rows: objects, Free: true, ByBlock: true},
		{Kind: storyB.Kind(), Rows: objects + 70, ByBlock: true},
		{Kind: storyKind, Rows: objects, ByBlock: true},
		scarce.Kind().Count(objects / 4), heap.Kind().Count(objects),
		storyMark.Count(0),
	}
	counts[4].Packed = true
	s := &story{
		t: t, r: rand.New(rand.NewPCG(seed, 1)), live: map[gameobject.ID]map[int]*part{},
		of: [][]int{{0, 1}, {0, 2, 5}, {1, 3}, {0, 1, 2, 4, 5}, {5}},
	}
	var err error
	s.a, err = manager.NewArena(manager.Sizes{Objects: objects, Pools: len(s.of), Kinds: counts})
	require.NoError(t, err)
	for i, of := range s.of {
		var kinds []layout.Kind
		for _, k := range of {
			kinds = append(kinds, counts[k].Kind)
		}
		p, err := NewPool(s.a, i, "story", kinds, nil)
		require.NoError(t, err)
		s.pools = append(s.pools, p)
	}
	s.twin, err = s.a.Clone((*manager.Arena).Alike)
	require.NoError(t, err)
	return s
}

func (s *story) close() {
	s.a.Free()
	s.twin.Free()
}

func (s *story) fresh(k int) *part {
	p := &part{written: *s.a.Tick}
	if k < storyMarks {
		p.value = []float64{1.5, 2.5, 3.5, 4.5, 5.5}[k]
	}
	return p
}

func (s *story) born(id gameobject.ID, pool int) {
	s.live[id] = map[int]*part{}
	s.ids = append(s.ids, id)
	for _, k := range s.of[pool] {
		s.live[id][k] = s.fresh(k)
	}
}

func (s *story) dead(id gameobject.ID) {
	delete(s.live, id)
	i := slices.Index(s.ids, id)
	s.ids[i] = s.ids[len(s.ids)-1]
	s.ids = s.ids[:len(s.ids)-1]
}

// used returns how many rows of a kind are in use.
func (s *story) used(k int) (n int) {
	for _, parts := range s.live {
		if parts[k] != nil {
			n++
		}
	}
	return n + len(s.loose[k])
}

// room returns for how many objects of a pool there is room.
func (s *story) room(pool int) int {
	n := s.a.Objects.Cap() - len(s.live)
	for _, k := range s.of[pool] {
		if k != storyMarks {
			n = min(n, s.a.Managers[k].Cap()-s.used(k))
		}
	}
	return n
}

// step does one random operation on both.
func (s *story) step() {
	r, a := s.r, s.a
	switch n := r.IntN(24); {
	case n < 6:
		s.spawn(r.IntN(len(s.pools)))
	case n < 8:
		s.spawnMany(r.IntN(len(s.pools)), 1+r.IntN(90))
	case n == 23:
		*a.Tick++
	case len(s.ids) == 0:
	case n < 12:
		id := s.ids[r.IntN(len(s.ids))]
		a.Dispose(id.Index())
		s.dead(id)
	case n == 12:
		s.disposeBlock()
	case n == 13:
		s.changeBlock(r.IntN(len(a.Managers)))
	case n == 14:
		s.create(r.IntN(storyMarks))
	default:
		s.change(s.ids[r.IntN(len(s.ids))], r.IntN(len(a.Managers)))
	}
}

func (s *story) spawn(pool int) {
	p := s.pools[pool]
	if room := s.room(pool) > 0; room != p.HasRoom(s.a) || room != (p.CheckRoom(s.a, 1) == nil) {
		s.t.Fatalf("room for an object of pool %d: want %t", pool, room)
	}
	if !p.HasRoom(s.a) {
		return
	}
	id, ok := p.Spawn(s.a)
	require.True(s.t, ok)
	s.born(id, pool)
}

func (s *story) spawnMany(pool, n int) {
	p := s.pools[pool]
	require.Equal(s.t, s.room(pool), p.RoomFor(s.a))
	slabs := s.r.IntN(2) == 0
	p.SpawnN(s.a, min(n, s.room(pool)), slabs, func(block uint32, x uint64, _ bool) {
		for ; x != 0; x &= x - 1 {
			s.born(s.a.Objects.At(block<<6+uint32(bits.TrailingZeros64(x))), pool)
		}
	})
}

// some returns a random few, or all, of the live objects of the block of a random one.
func (s *story) some() (block uint32, x uint64) {
	block = s.ids[s.r.IntN(len(s.ids))].Index() >> 6
	x = s.a.Objects.Words()[block]
	if s.r.IntN(3) > 0 {
		x &= s.r.Uint64()
	}
	return block, x
}

func (s *story) idsOf(block uint32, x uint64) (ids []gameobject.ID) {
	for ; x != 0; x &= x - 1 {
		ids = append(ids, s.a.Objects.At(block<<6+uint32(bits.TrailingZeros64(x))))
	}
	return ids
}

func (s *story) disposeBlock() {
	block, x := s.some()
	if x == 0 {
		return
	}
	ids := s.idsOf(block, x)
	DisposeBlock(s.a, block, x)
	for _, id := range ids {
		s.dead(id)
	}
}

// changeBlock gives a kind to those of a block that do not have it, or takes it from those that do.
func (s *story) changeBlock(k int) {
	m := &s.a.Managers[k]
	block, x := s.some()
	if s.r.IntN(2) == 0 {
		x &= m.Present(block)
		for _, id := range s.idsOf(block, x) {
			delete(s.live[id], k)
		}
		m.DropBlock(block, x)
		return
	}
	x &^= m.Holds(block)
	if k != storyMarks && m.Cap()-s.used(k) < bits.OnesCount64(x) {
		return
	}
	for _, id := range s.idsOf(block, x) {
		s.live[id][k] = s.fresh(k)
	}
	m.AddBlock(block, x)
}

// create makes a loose row of a kind, mounts one, or disposes one.
func (s *story) create(k int) {
	m, loose := &s.a.Managers[k], &s.loose[k]
	if m.Packed() || manager.ByBlock(m) || len(s.ids) == 0 {
		return
	}
	if len(*loose) == 0 || s.r.IntN(3) == 0 {
		row, err := m.Create()
		if full := s.used(k) == m.Cap(); full != (err != nil) {
			s.t.Fatalf("create %d: %v, full %t", k, err, full)
		}
		if err == nil {
			*loose = append(*loose, row)
		}
		return
	}
	row := (*loose)[len(*loose)-1]
	id := s.ids[s.r.IntN(len(s.ids))]
	switch err := m.Mount(id.Index(), row); {
	case (err != nil) != (s.live[id][k] != nil):
		s.t.Fatalf("mount %d on %v: %v", k, id, err)
	case err == nil:
		s.live[id][k] = s.fresh(k)
	default:
		m.Dispose(row)
	}
	*loose = (*loose)[:len(*loose)-1]
}

// change adds, removes, suspends or writes a component.
func (s *story) change(id gameobject.ID, k int) {
	m, p := &s.a.Managers[k], s.live[id][k]
	switch what := s.r.IntN(4); {
	case p == nil:
		_, err := m.Add(id.Index())
		if full := k != storyMarks && s.used(k) == m.Cap(); full != (err != nil) {
			s.t.Fatalf("add %d to %v: %v, full %t", k, id, err, full)
		}
		if err == nil {
			s.live[id][k] = s.fresh(k)
		}
	case p.suspended && what > 0:
		_, err := m.Add(id.Index())
		require.NoError(s.t, err)
		p.suspended, p.written = false, *s.a.Tick
	case what == 0 || k == storyMarks:
		m.Drop(id.Index())
		delete(s.live[id], k)
	case what == 1 && !m.Packed():
		require.NoError(s.t, m.Suspend(id.Index()))
		p.suspended = true
	default:
		row, _ := m.RowOf(id.Index())
		p.value, p.written = s.r.Float64(), *s.a.Tick
		manager.Column(m, storyFields[k])[row] = p.value
		m.TouchRow(uint32(row))
	}
}

// TestRecipesAgainstModel: objects of recipes are born and die, one by one and many at a time, and
// lose, get back and gain kinds at random, in worlds with room and in full ones.
func TestRecipesAgainstModel(t *testing.T) {
	for _, objects := range []int{100, 300, 700} {
		for range 3 {
			seed := rand.Uint64()
			t.Run(fmt.Sprint(objects, " objects, seed ", seed), func(t *testing.T) {
				s := newStory(t, seed, objects)
				defer s.close()
				for i := range 1500 {
					s.step()
					s.checkRecent()
					switch {
					case i%30 == 0 || i == 1499:
						s.check()
					case i%4 == 0:
						s.checkCopies()
						*s.a.Tick++ // so that the next copy is of what changes from now on
					}
				}
			})
		}
	}
}

// TestDisposeBlockOfNoObject changes nothing, also of the next block.
func TestDisposeBlockOfNoObject(t *testing.T) {
	s := newStory(t, 1, 300)
	defer s.close()
	s.spawnMany(0, 200)
	before := s.a.Digest()
	for block := range uint32(4) {
		DisposeBlock(s.a, block, 0)
	}
	require.Equal(t, before, s.a.Digest())
}
