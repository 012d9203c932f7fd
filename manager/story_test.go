package manager_test

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
	storyTwo  = layout.NewField("storyTwo", 2.5)
	storyMore = layout.NewField("storyMore", [3]float32{1, 2, 3})
	storyKind = layout.NewKind("storyKind", storyTwo, storyMore)
	scarce    = layout.NewComponent("scarce", 3.5)
	heap      = layout.NewComponent("heap", 4.5) // packed
	storyMark = layout.NewMark("storyMark")

	// The first field of each kind, in the order of the world's kinds; a mark has none.
	storyFields = []layout.Field[float64]{storyA, storyTwo, scarce, heap}
	storyMarks  = len(storyFields) // the place of the mark
)

// A part is a component as a map would hold it.
type part struct {
	value     float64
	written   uint64 // tick
	suspended bool
}

// A story is a world beside a map of objects, each with a map of its kinds.
type story struct {
	*testing.T
	r     *rand.Rand
	a     *manager.Arena
	live  map[gameobject.ID]map[int]part
	ids   []gameobject.ID
	used  [4]int          // rows
	loose [4][]layout.Row // created rows that are on no object
	twin  *manager.Arena  // equal to the world at a tick
	since uint64
	were  [2]map[gameobject.ID]bool // members of the watchers at the last look
	gone  [2]map[gameobject.ID]bool // did not match at some time since
}

// newStory makes a world in which two kinds are by block or not. One of them is that of a recipe.
func newStory(t *testing.T, seed uint64, objects int, byBlock bool) *story {
	t.Helper()
	s := &story{T: t, r: rand.New(rand.NewPCG(seed, 1)), live: map[gameobject.ID]map[int]part{}}
	s.a = must(manager.NewArena(manager.Sizes{
		Objects: objects, Pools: 1, Watchers: []string{"with", "without"}, Kinds: []layout.Count{
			{Kind: storyA.Kind(), Rows: objects, Free: true, ByBlock: byBlock},
			{Kind: storyKind, Rows: objects, ByBlock: byBlock},
			scarce.Kind().Count(objects / 4),
			{Kind: heap.Kind(), Rows: objects, Packed: true},
			storyMark.Count(0),
		},
	}))
	for i := range s.were {
		rules := s.a.NewMatch()
		rules.Require(&s.a.Managers[1])
		if i == 1 {
			rules = s.a.NewMatch()
			rules.Forbid(&s.a.Managers[2], &s.a.Managers[storyMarks])
		}
		s.a.Watch(i, fmt.Sprint(i), rules)
		s.were[i], s.gone[i] = map[gameobject.ID]bool{}, map[gameobject.ID]bool{}
	}
	if byBlock {
		s.a.Describe(1, []*manager.Manager{&s.a.Managers[0]})
	}
	s.twin = must(s.a.Clone((*manager.Arena).Alike))
	t.Cleanup(func() { s.a.Free(); s.twin.Free() })
	return s
}

func (s *story) has(id gameobject.ID, k int) bool {
	p, ok := s.live[id][k]
	return ok && !p.suspended
}

// matches reports whether an object matches the rules of a watcher.
func (s *story) matches(id gameobject.ID, watcher int) bool {
	if s.live[id] == nil || watcher == 0 {
		return s.has(id, 1)
	}
	return !s.has(id, 2) && !s.has(id, storyMarks)
}

// put gives an object a kind in the model.
func (s *story) put(id gameobject.ID, k int, p part) {
	if _, had := s.live[id][k]; !had && k != storyMarks {
		s.used[k]++
	}
	s.live[id][k] = p
	s.note(id)
}

func (s *story) drop(id gameobject.ID, k int) {
	if _, had := s.live[id][k]; had && k != storyMarks {
		s.used[k]--
	}
	delete(s.live[id], k)
	s.note(id)
}

// note notes the watchers' members that do not match.
func (s *story) note(id gameobject.ID) {
	for i := range s.were {
		if s.were[i][id] && (s.live[id] == nil || !s.matches(id, i)) {
			s.gone[i][id] = true
		}
	}
}

func (s *story) fresh(k int) part {
	p := part{written: *s.a.Tick}
	if k != storyMarks {
		p.value = float64(k) + 1.5
	}
	return p
}

// more returns the second value of a part of storyKind.
func more(p part) [3]float32 {
	if p.value == 2.5 {
		return [3]float32{1, 2, 3}
	}
	return [3]float32{float32(p.value)}
}

// step does one random operation on both.
func (s *story) step() {
	a, k := s.a, s.r.IntN(len(s.a.Managers))
	switch n := s.r.IntN(24); {
	case n < 3 && manager.ByBlock(&a.Managers[0]):
		s.spawn()
	case n < 5 || len(s.ids) == 0:
		if id, err := a.Objects.Create(0); err == nil {
			s.live[id], s.ids = map[int]part{}, append(s.ids, id)
		}
	case n == 5:
		at := s.r.IntN(len(s.ids))
		id := s.ids[at]
		a.Dispose(id.Index())
		for k := range len(a.Managers) {
			s.drop(id, k)
		}
		delete(s.live, id)
		s.note(id)
		s.ids = slices.Delete(s.ids, at, at+1)
	case n < 9:
		s.changeBlock(k)
	case n == 9:
		s.loosen(k)
	case n == 11:
		*a.Tick++
	default:
		s.change(s.ids[s.r.IntN(len(s.ids))], k)
	}
}

// spawn creates an object by the recipe, if there is one, or room for 64 more.
func (s *story) spawn() {
	id, ok := manager.SpawnReady(s.a, 1)
	if !ok && s.a.Objects.Spare() >= 64 {
		s.a.Ready(s.a.Objects.Reserve(1, 64), 64)
		id, ok = manager.SpawnReady(s.a, 1)
		require.True(s, ok)
	}
	if ok {
		s.live[id], s.ids = map[int]part{}, append(s.ids, id)
		s.put(id, 0, s.fresh(0))
	}
}

// idsOf returns the objects x of a block.
func (s *story) idsOf(block uint32, x uint64) (ids []gameobject.ID) {
	for ; x != 0; x &= x - 1 {
		ids = append(ids, s.a.Objects.At(block<<6+uint32(bits.TrailingZeros64(x))))
	}
	return ids
}

// changeBlock gives a kind to those of a block that do not have it, or takes it from those that do.
func (s *story) changeBlock(k int) {
	m, block := &s.a.Managers[k], s.ids[s.r.IntN(len(s.ids))].Index()>>6
	x := s.a.Objects.Words()[block]
	if s.r.IntN(3) > 0 {
		x &= s.r.Uint64()
	}
	if s.r.IntN(2) == 0 {
		x &= m.Present(block)
		m.DropBlock(block, x)
		for _, id := range s.idsOf(block, x) {
			s.drop(id, k)
		}
		return
	}
	x &^= m.Holds(block)
	if k != storyMarks && m.Cap()-s.used[k]-len(s.loose[k]) < bits.OnesCount64(x) {
		return
	}
	m.AddBlock(block, x)
	for _, id := range s.idsOf(block, x) {
		s.put(id, k, s.fresh(k))
	}
}

// loosen makes a row of a kind that is on no object, mounts one, or disposes one.
func (s *story) loosen(k int) {
	m := &s.a.Managers[k]
	if k == storyMarks || m.Packed() || manager.ByBlock(m) {
		return
	}
	loose := &s.loose[k]
	if len(*loose) == 0 || s.r.IntN(3) == 0 {
		row, err := m.Create()
		require.Equal(s, s.used[k]+len(*loose) == m.Cap(), err != nil)
		if err == nil {
			*loose = append(*loose, row)
		}
		return
	}
	row := (*loose)[len(*loose)-1]
	id := s.ids[s.r.IntN(len(s.ids))]
	_, has := s.live[id][k]
	err := m.Mount(id.Index(), row)
	require.Equal(s, has, err != nil)
	if *loose = (*loose)[:len(*loose)-1]; err == nil {
		s.put(id, k, s.fresh(k))
	} else {
		m.Dispose(row)
	}
}

// change adds, removes, suspends or writes a component.
func (s *story) change(id gameobject.ID, k int) {
	m, o := &s.a.Managers[k], id.Index()
	p, ok := s.live[id][k]
	switch what := s.r.IntN(4); {
	case !ok:
		_, err := m.Add(o)
		require.Equal(s, k != storyMarks && s.used[k]+len(s.loose[k]) == m.Cap(), err != nil)
		if err == nil {
			s.put(id, k, s.fresh(k))
		}
	case p.suspended && what > 0:
		_, err := m.Add(o)
		require.NoError(s, err)
		s.put(id, k, part{p.value, *s.a.Tick, false})
	case what == 0 || k == storyMarks:
		m.Drop(o)
		s.drop(id, k)
	case what == 1 && !m.Packed():
		require.NoError(s, m.Suspend(o))
		s.put(id, k, part{p.value, p.written, true})
	default:
		row, _ := m.RowOf(o)
		p = part{s.r.Float64(), *s.a.Tick, false}
		manager.Column(m, storyFields[k])[row] = p.value
		if k == 1 {
			manager.Column(m, storyMore)[row] = more(p)
		}
		m.TouchRow(uint32(row))
		s.put(id, k, p)
	}
}

// check compares rows, values, blocks and what changed with the model.
func (s *story) check() {
	require.NoError(s, s.a.Verify())
	for k := range s.a.Managers {
		m, since, n := &s.a.Managers[k], *s.a.Tick-min(*s.a.Tick, s.r.Uint64N(4)), 0
		for id, parts := range s.live {
			p, ok := parts[k]
			has := m.Has(id.Index())
			if has != (ok && !p.suspended) {
				s.Fatalf("%v has %s: %t", id, m.Kind.Name, has)
			} else if k == storyMarks {
				continue
			}
			place := s.a.Places[storyFields[k].Spec().Number]
			at, lockstep := place.InLockstep(uint(id.Index()))
			if odd := m.Odd(id.Index()>>6)>>(id.Index()&63)&1 != 0; lockstep != (has && !odd) {
				s.Fatalf("%v is in lockstep: %t", id, lockstep)
			} else if !has {
				continue
			}
			n++
			row, _ := m.RowOf(id.Index())
			if lockstep && at != uint(row) {
				s.Fatalf("%v is in row %d, not %d", id, row, at)
			}
			if o, ok := m.ObjectOf(row); manager.Column(m, storyFields[k])[row] != p.value || !ok || o != id.Index() {
				s.Fatalf("row %d of %s is on %d, with %v", row, m.Kind.Name, o, p)
			}
			if k == 1 {
				require.Equal(s, more(p), manager.Column(m, storyMore)[row])
			}
			if p.written > since && m.Changed(id.Index()>>6, 1<<(id.Index()&63), since) == 0 {
				s.Fatalf("%s of %v was written at %d, and is not changed since %d", m.Kind.Name, id, p.written, since)
			}
		}
		if k != storyMarks {
			require.Equal(s, [2]int{n, s.used[k] + len(s.loose[k])}, [2]int{m.Mounted(), m.Live()})
			require.Len(s, slices.Collect(m.All()), n)
			s.checkRows(m, s.r.Uint64()|s.r.Uint64())
		}
	}
	s.checkMatches()
	s.look(s.r.IntN(2))
}

// checkRows compares the list of the rows of some objects of each block with the row of each.
func (s *story) checkRows(m *manager.Manager, some uint64) {
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		var rows [64]uint32
		ids := s.idsOf(block, m.Present(block)&some)
		got, straight := m.RowsOf(&rows, block, m.Present(block)&some), true
		for n, id := range ids {
			row, _ := m.RowOf(id.Index())
			straight = straight && uint32(row) == rows[0]+uint32(n)
			require.Equal(s, uint32(row), rows[n])
		}
		require.Equal(s, straight, got)
	}
}

// checkMatches compares rules on two kinds with the blocks, and groups with blocks.
func (s *story) checkMatches() {
	i, j := s.r.IntN(len(s.a.Managers)), s.r.IntN(len(s.a.Managers))
	match := s.a.NewMatch()
	match.Require(&s.a.Managers[i])
	if i != j {
		match.Forbid(&s.a.Managers[j])
	}
	for block := range uint32(s.a.Objects.High()+63) / 64 {
		var want uint64
		for _, id := range s.idsOf(block, s.a.Objects.Words()[block]) {
			if s.has(id, i) && (i == j || !s.has(id, j)) {
				want |= 1 << (id.Index() & 63)
			}
		}
		some, whole := match.Group(int(block >> 6))
		require.Equal(s, want, match.Block(block))
		if some>>(block&63)&1 == 0 && want != 0 || whole>>(block&63)&1 != 0 && want != ^uint64(0) {
			s.Fatalf("block %d has %x, and its group says %x, %x", block, want, some, whole)
		}
	}
}

// look has a watcher look.
func (s *story) look(i int) {
	var left, entered []gameobject.ID
	now := map[gameobject.ID]bool{}
	for id := range s.live {
		if s.matches(id, i) {
			if now[id] = true; !s.were[i][id] || s.gone[i][id] {
				entered = append(entered, id)
			}
		}
	}
	for id := range s.were[i] {
		if !now[id] || s.gone[i][id] {
			left = append(left, id)
		}
	}
	s.were[i], s.gone[i] = now, map[gameobject.ID]bool{}
	w := &s.a.Watchers[i]
	w.Look()
	for _, list := range [][]gameobject.ID{left, entered} {
		slices.SortFunc(list, func(a, b gameobject.ID) int { return int(a.Index()) - int(b.Index()) })
	}
	require.Equal(s, left, slices.Collect(w.Left))
	require.Equal(s, entered, slices.Collect(w.Entered))
	require.Equal(s, len(now), w.Count())
}

// copied brings the twin up to date, and derives what is derived of it.
func (s *story) copied() {
	s.twin.CopyFrom(s.a, s.since)
	s.since = *s.a.Tick
	require.True(s, s.twin.Equal(s.a))
	require.NoError(s, s.twin.Verify())
	require.Equal(s, s.a.Bytes, s.twin.Bytes)
	if s.r.IntN(4) == 0 {
		require.NoError(s, s.twin.Rebuild())
		require.NoError(s, s.twin.Verify())
		require.Equal(s, s.a.Digest(), s.twin.Digest())
		s.since = 0
	}
	*s.a.Tick++ // so that the next copy is of what changes from now on
}

// TestArenasAgainstModel: worlds of random history are like maps; copies of what changed since the
// copy before are whole.
func TestArenasAgainstModel(t *testing.T) {
	for _, objects := range []int{3, 100, 300, 5000} {
		steps := 4000
		if testing.Short() {
			steps = 1000
		}
		for _, byBlock := range []bool{false, true} {
			seed := rand.Uint64()
			t.Run(fmt.Sprint(objects, " objects, ", byBlock, ", seed ", seed), func(t *testing.T) {
				s := newStory(t, seed, objects, byBlock)
				for i := range steps {
					if s.step(); i%20 == 0 || objects == 3 {
						s.check()
					}
					if i%30 == 0 {
						s.copied()
					}
				}
			})
		}
	}
}
