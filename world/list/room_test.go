package list_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
)

var (
	near   = layout.NewRelation("near", layout.Relation{Disposed: layout.Clear})
	shelf  = world.NewRecipe("shelf", numbers, near)
	loaded = world.NewRecipe("loaded", numbers, near).With(numbers.Value(nine(7)...))
)

// A store is lists of a world that are never to be refused an element that the count has, beside
// the same as Go slices.
type store struct {
	t    *testing.T
	r    *rand.Rand
	s    world.State
	past *world.Snapshot
	ids  []world.GameObject
	has  [][]uint64

	wasIDs []world.GameObject // of past
	was    [][]uint64

	left  int    // elements of the count that no list has
	next  uint64 // of the elements
	total int
}

func newStore(t *testing.T, seed uint64, lists, elements int) *store {
	t.Helper()
	p := &store{t: t, r: rand.New(rand.NewPCG(seed, 5)), left: elements, total: elements}
	p.s = world.Must(world.CreateState(storeCounts(lists, elements)))
	p.s = world.Must(world.SpawnN(p.s, shelf, lists, nil))
	p.ids = slices.Collect(world.GameObjects(p.s))
	p.has = make([][]uint64, lists)
	for i := range p.ids {
		p.has[i] = p.some(p.size(p.left))
		p.left -= len(p.has[i])
		p.s = world.Must(list.Set(p.s, p.ids[i], numbers, p.has[i]...))
	}
	p.past = world.Must(world.NewSnapshot(p.s))
	p.save()
	return p
}

func storeCounts(lists, elements int) world.Counts {
	return world.Counts{
		GameObjects: lists, Recipes: []world.Recipe{shelf, loaded},
		Kinds: []layout.Count{numbers.Count(lists, elements), near.Count(lists)},
	}
}

func (p *store) close() {
	p.past.Close()
	world.Close(p.s)
}

func (p *store) save() {
	require.NoError(p.t, p.past.Take(p.s))
	require.Equal(p.t, world.Digest(p.s), p.past.Digest())
	p.was, p.wasIDs = make([][]uint64, len(p.has)), slices.Clone(p.ids)
	for i, l := range p.has {
		p.was[i] = slices.Clone(l)
	}
}

// some returns n new elements.
func (p *store) some(n int) []uint64 {
	l := make([]uint64, n)
	for i := range l {
		p.next++
		l[i] = p.next
	}
	return l
}

// size returns a number of elements up to most: rarely all, often one more than a run holds, which
// takes most rows.
func (p *store) size(most int) int {
	each := p.total / len(p.ids)
	switch p.r.IntN(20) {
	case 0:
		return p.r.IntN(most + 1)
	case 1:
		return most
	case 2, 3, 4, 5:
		return min(most, p.r.IntN(2*each))
	}
	rows := []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256}
	last := 1
	for last < len(rows) && 8*rows[last] <= 2*each {
		last++
	}
	return min(most, 8*rows[p.r.IntN(last)]+1)
}

// step changes a list. What does not exceed the count must find room.
func (p *store) step() {
	i := p.r.IntN(len(p.ids))
	id, l := p.ids[i], p.has[i]
	free := p.left + len(l)
	at := p.r.IntN(len(l) + 1)
	var err error
	switch p.r.IntN(13) {
	case 0, 1, 2:
		more := p.some(p.size(p.left))
		l = append(l, more...)
		p.s, err = list.Append(p.s, id, numbers, more...)
	case 3:
		more := p.some(p.size(p.left))
		l = slices.Insert(l, at, more...)
		p.s, err = list.Insert(p.s, id, numbers, at, more...)
	case 4, 5:
		l = p.some(p.size(free))
		p.s, err = list.Set(p.s, id, numbers, l...)
	case 6:
		l = nil
		p.s, err = list.Clear(p.s, id, numbers)
	case 7:
		p.s, err = list.Shrink(p.s, id, numbers)
	case 8:
		if at < len(l) {
			l = slices.Delete(l, at, at+1)
			p.s, err = list.RemoveAt(p.s, id, numbers, at)
		}
	case 9: // what is inserted lies in a list
		from := p.r.IntN(len(p.ids))
		n := min(len(p.has[from]), p.left)
		own := world.Must(list.Of(p.s, p.ids[from], numbers))
		l = slices.Insert(l, at, slices.Clone(p.has[from][:n])...)
		p.s, err = list.Insert(p.s, id, numbers, at, own[:n]...)
	case 10: // into the place of another
		p.s = world.Must(world.Dispose(p.s, id))
		p.left += len(l)
		from := p.r.IntN(len(p.ids))
		if from == i || len(p.has[from]) > p.left {
			p.s, p.ids[i], err = world.Spawn(p.s, shelf)
			l = nil
		} else {
			p.s, p.ids[i], err = world.Copy(p.s, p.ids[from])
			l = slices.Clone(p.has[from])
		}
		p.left -= len(l)
		free = p.left + len(l)
	case 11:
		if p.left > 0 {
			more := p.some(1)
			l = append(l, more...)
			list.AppendLater(world.Record(p.s), id, numbers, more[0])
			p.s, err = world.Apply(p.s)
		}
	default:
		if some := p.r.Perm(len(p.ids)); p.r.IntN(2) == 0 {
			p.together(some)
		} else {
			p.world(p.r.IntN(12))
		}
		return
	}
	if err != nil {
		require.NoError(p.t, err, "%d elements of %d in %d lists", p.total-p.left, p.total, len(p.ids))
	}
	p.has[i], p.left = l, free-len(l)
}

// world does to all lists what a program does to its world.
func (p *store) world(what int) {
	switch what {
	case 0:
		p.save()
	case 1:
		p.s = world.Must(world.Restore(p.s, p.past))
		p.has = make([][]uint64, len(p.was))
		p.left = p.total
		for i, l := range p.was {
			p.has[i] = slices.Clone(l)
			p.left -= len(l)
		}
		p.ids = slices.Clone(p.wasIDs)
		p.check()
	case 2:
		twin := world.Must(world.Clone(p.s))
		p.become(twin)
	case 3:
		p.s = world.Advance(p.s)
	case 4:
		more := p.r.IntN(1 + p.total/50)
		p.total, p.left = p.total+more, p.left+more
		twin := world.Must(world.Resized(p.s, storeCounts(len(p.ids), p.total)))
		p.close()
		p.start(twin)
	}
}

// together makes several lists by one call, in place of others.
func (p *store) together(at []int) {
	drop := func(n int) (gone []int) {
		gone, at = at[:n], at[n:]
		for _, i := range gone {
			p.s = world.Must(world.Dispose(p.s, p.ids[i]))
			p.left += len(p.has[i])
			p.has[i] = nil
		}
		return gone
	}
	var made []world.GameObject
	spawn := func(r world.Recipe, n int) {
		p.s = world.Must(world.SpawnN(p.s, r, n, func(b world.Batch) {
			for i := range b.Len() {
				made = append(made, b.ID(i))
			}
		}))
	}
	var gone []int
	switch what := p.r.IntN(3); {
	case len(at) < 6 || what == 0:
		gone = drop(1 + p.r.IntN(2))
		recipe := loaded
		if p.left < 9*len(gone) {
			recipe = shelf
		}
		spawn(recipe, len(gone))
	case what == 1:
		gone = drop(3)
		root, low := p.ids[at[0]], []world.GameObject{p.ids[at[1]], p.ids[at[2]]}
		for _, id := range low {
			p.s = world.Must(world.Set(p.s, id, near, root))
		}
		if len(p.has[at[0]])+len(p.has[at[1]])+len(p.has[at[2]]) > p.left {
			spawn(shelf, 3)
		} else {
			var twin world.GameObject
			p.s, twin = world.Must2(family.Copy(p.s, near, root))
			made = append(slices.Collect(family.Children(p.s, near, twin)), twin)
		}
		for id := range world.GameObjects(p.s) {
			p.s = world.Must(world.Set(p.s, id, near, world.Nobody))
		}
	default:
		gone = drop(2)
		ids := []world.GameObject{p.ids[at[0]], p.ids[at[1]]}
		if len(p.has[at[0]])+len(p.has[at[1]]) > p.left {
			gone = append(gone, drop(2)...)
			spawn(shelf, 4)
		} else {
			var packer pack.Packer
			p.s, made = world.Must2(packer.Unpack(nil, p.s, world.Must(pack.Pack(nil, p.s, ids...))))
		}
	}
	require.Len(p.t, made, len(gone))
	for k, i := range gone {
		p.ids[i] = made[k]
		p.has[i] = slices.Clone(world.Must(list.Of(p.s, made[k], numbers)))
		p.left -= len(p.has[i])
	}
}

func (p *store) become(twin world.State) {
	require.Equal(p.t, world.Digest(p.s), world.Digest(twin))
	p.close()
	p.start(twin)
}

// start goes on with another world.
func (p *store) start(twin world.State) {
	p.s = twin
	p.past = world.Must(world.NewSnapshot(p.s))
	p.save()
}

func (p *store) check() {
	p.t.Helper()
	require.NoError(p.t, tool.Verify(p.s))
	for i, id := range p.ids {
		got, err := list.Of(p.s, id, numbers)
		require.NoError(p.t, err)
		if !slices.Equal(p.has[i], got) {
			require.Equal(p.t, p.has[i], got, "list %d", i)
		}
	}
}

// TestCountedElementsFindRoom: as long as all lists together have no more elements than the count,
// none is refused, whatever became of the room before.
func TestCountedElementsFindRoom(t *testing.T) {
	worldtest.OneGoroutine(t)
	steps := 6000
	if worldtest.AtLength() {
		steps = 200_000
	}
	for seed, c := range []struct{ lists, elements int }{
		{3, 50}, {7, 100}, {20, 1000}, {100, 2000}, {500, 20_000}, {40, 20_000},
	} {
		p := newStore(t, uint64(seed), c.lists, c.elements)
		for i := range steps / 6 {
			p.step()
			if i%97 == 0 {
				p.check()
			}
			if i < 1000 { // what moved was stamped
				p.save()
				p.s = world.Advance(p.s)
			}
		}
		p.check()
		p.close()
	}
}

// pieces returns a world of ten lists, of which each second one is empty and the others have 4 rows;
// between them are 4 free rows, and 3 were never used. A walk of its query asks for no lists.
func pieces(t *testing.T) (world.State, []world.GameObject, world.Query) {
	t.Helper()
	query := world.NewQuery(world.Write(gold))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Recipes: []world.Recipe{owner}, Queries: []world.Query{query, stocking},
		Kinds: []layout.Count{numbers.Count(10, 176), gold.Count(10)}, // 43 rows
	}))
	s = world.Must(world.SpawnN(s, owner, 10, nil))
	ids := slices.Collect(world.GameObjects(s))
	for i, id := range ids {
		s = world.Must(list.Set(s, id, numbers, slices.Repeat([]uint64{uint64(i)}, 32)...))
	}
	for i := 1; i < len(ids); i += 2 {
		s = world.Must(list.Set(s, ids[i], numbers))
	}
	return s, ids, query
}

// TestListsStayWhileAWalkIsOpen: what list.Of and At returned shows the same elements, whatever
// grows. What has no room then has it after the walk.
func TestListsStayWhileAWalkIsOpen(t *testing.T) {
	for name, grow := range map[string]func(world.State, world.GameObject, int) (world.State, error){
		"append": func(s world.State, id world.GameObject, n int) (world.State, error) {
			return list.Append(s, id, numbers, make([]uint64, n)...)
		},
		"set": func(s world.State, id world.GameObject, n int) (world.State, error) {
			return list.Set(s, id, numbers, make([]uint64, n)...)
		},
		"walk": func(s world.State, id world.GameObject, n int) (_ world.State, err error) {
			for b := range stocking.In(s) {
				lists := list.Column(b, numbers)
				others := make([][]uint64, b.Len())
				for i := range others {
					others[i] = lists.At(i)
				}
				for range n {
					if err == nil {
						_, err = lists.Append(int(id.Index()), 0)
					}
				}
				for i, l := range others {
					require.Equal(t, slices.Repeat([]uint64{uint64(i)}, len(l)), l)
				}
			}
			return s, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids, query := pieces(t)
			defer func() { world.Close(s) }()
			var seen [][]uint64
			for range query.In(s) {
				for _, id := range ids {
					seen = append(seen, world.Must(list.Of(s, id, numbers)))
				}
				if name != "walk" {
					var err error
					s, err = grow(s, ids[1], 60)
					require.ErrorIs(t, err, world.ErrFull)
					require.ErrorContains(t, err, "while a walk is open")
					s = world.Must(grow(s, ids[3], 48)) // 4 free rows at the end, and 2 unused ones
				}
				break
			}
			if name == "walk" {
				_, err := grow(s, ids[1], 60)
				require.ErrorIs(t, err, world.ErrFull)
				require.ErrorContains(t, err, "while a walk is open")
			}
			for i, l := range seen {
				require.Equal(t, slices.Repeat([]uint64{uint64(i)}, len(l)), l)
			}
			require.NoError(t, tool.Verify(s))
			s = world.Must(list.Append(s, ids[1], numbers, make([]uint64, 60)...))
			require.NoError(t, tool.Verify(s))
			for i := 0; i < len(ids); i += 2 {
				require.Equal(t, slices.Repeat([]uint64{uint64(i)}, 32),
					world.Must(list.Of(s, ids[i], numbers)))
			}
		})
	}
}

// TestRoomGivenBackIsThereInAWalk: where no list may move, so that it is not found otherwise.
func TestRoomGivenBackIsThereInAWalk(t *testing.T) {
	for name, give := range map[string]func(world.State, world.GameObject) (world.State, error){
		"Set": func(s world.State, id world.GameObject) (world.State, error) {
			return list.Set(s, id, numbers, make([]uint64, 8)...)
		},
		"Shrink": func(s world.State, id world.GameObject) (world.State, error) {
			for range 24 {
				s = world.Must(list.RemoveAt(s, id, numbers, 8))
			}
			return list.Shrink(s, id, numbers)
		},
		"SetElements": func(s world.State, id world.GameObject) (world.State, error) {
			row := world.Must(world.RowOf(s, id, numbers))
			return tool.SetElements(s, numbers.Spec(), row, make([]byte, 64))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids, query := pieces(t)
			defer func() { world.Close(s) }()
			s = world.Must(list.Set(s, ids[9], numbers, make([]uint64, 32)...))
			for range 2 { // without the 3 rows of the first, and with them
				var err error
				for range query.In(s) {
					s, err = list.Append(s, ids[1], numbers, make([]uint64, 48)...)
				}
				if len(world.Must(list.Of(s, ids[0], numbers))) == 8 {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, world.ErrFull)
					s = world.Must(give(s, ids[0]))
				}
			}
			require.NoError(t, tool.Verify(s))
		})
	}
}

// TestTreesHaveRoomIfTheirListsDo: the lists of values take the room of the recipes' lists, which
// are made before; a tree is refused only where all need more rows at once than there are.
func TestTreesHaveRoomIfTheirListsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	spawned, refused := 0, 0
	for range 1000 {
		elements := 8 * (1 + r.IntN(12))
		s := world.Must(world.CreateState(storeCounts(8, elements)))
		left := 8 + elements/8 + (elements/8+1)/2 // rows
		for range r.IntN(4) {
			n := r.IntN(elements / 2)
			if left -= neededRows(n); left < 0 {
				left += neededRows(n)
				continue
			}
			next, id := world.Must2(world.Spawn(s, shelf))
			s = world.Must(list.Set(next, id, numbers, make([]uint64, n)...))
			if left > neededRows(n+1) { // the list keeps more rows than it needs
				s = world.Must(list.Append(s, id, numbers, 1))
				s = world.Must(list.RemoveAt(s, id, numbers, 0))
			}
		}
		members := make([]family.Tree, 1+r.IntN(3))
		want := make([][]uint64, len(members))
		left -= 2 * len(want)
		fits := left >= 0
		for i := range members {
			members[i].Recipe, want[i] = loaded, nine(7)
			if r.IntN(4) > 0 {
				want[i] = slices.Repeat([]uint64{uint64(i)}, r.IntN(elements))
				left += 2 - neededRows(len(want[i]))
				fits = fits && left >= 0
				members[i].Values = []layout.FieldValue{numbers.Value(want[i]...)}
			}
		}
		members[0].Children = members[1:]
		before := world.Digest(s)
		s, ids, err := family.SpawnTree(nil, s, near, members[0])
		if fits {
			require.NoError(t, err)
			spawned++
		} else {
			require.ErrorIs(t, err, world.ErrFull)
			require.Equal(t, before, world.Digest(s))
			refused++
		}
		for i, id := range ids {
			require.Len(t, world.Must(list.Of(s, id, numbers)), len(want[i]))
		}
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
	require.Greater(t, min(spawned, refused), 50)
}
