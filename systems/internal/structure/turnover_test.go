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
	one    = layout.NewComponent("one", 1.5).Kind()
	both   = layout.NewKind("both", layout.NewField("first", 3.5), layout.NewField("more", [3]float32{1, 2, 3}))
	scarce = layout.NewComponent("scarce", 4.5).Kind() // row by row
	packed = layout.NewComponent("packed", 5.5).Kind()
	mark   = layout.NewMark("turnoverMark")
)

// turnoverRecipes are the kinds of the recipes of a turnover; rows are ample, but for the last one.
var turnoverRecipes = [][]layout.Kind{{one}, {one, both, mark}, {both, scarce, packed}}

const scanty = 2 // the recipe with fewer rows than objects

// A turnover is a world whose objects are created and disposed, beside an allotter.
type turnover struct {
	*manager.Arena
	*allotter
	pools []*Pool
	r     *rand.Rand
}

func newTurnover(objects int, inOrder bool) *turnover {
	a, err := manager.NewArena(manager.Sizes{
		Objects: objects, InOrder: inOrder, Pools: len(turnoverRecipes), Kinds: []layout.Count{
			{Kind: one, Rows: 2 * objects, ByBlock: true},
			{Kind: both, Rows: 2 * objects, ByBlock: true},
			scarce.Count(objects / 3),
			{Kind: packed, Rows: objects, Packed: true},
			mark.Count(0),
		},
	})
	w := &turnover{
		Arena:    a,
		allotter: &allotter{limit: objects, rows: objects / 3, inOrder: inOrder},
		r:        rand.New(rand.NewPCG(uint64(objects), 1)),
	}
	for i := 0; err == nil && i < len(turnoverRecipes); i++ {
		var p *Pool
		p, err = NewPool(a, i, "turnover", turnoverRecipes[i], nil)
		w.pools = append(w.pools, p)
	}
	if err != nil {
		panic(err)
	}
	return w
}

// Ways to spawn.
const (
	oneByOne = iota
	inSlabs
	together
)

// spawned spawns n objects of a recipe, or as many as there is room for, in one of the ways.
func (w *turnover) spawned(recipe, n, way int) error {
	p, room := w.pools[recipe], w.room(recipe)
	if has := p.HasRoom(w.Arena); room != p.RoomFor(w.Arena) || has != (room > 0) || has != (p.CheckRoom(w.Arena, 1) == nil) {
		return fmt.Errorf("there is room for %d of recipe %d, not %d: %t", p.RoomFor(w.Arena), recipe, room, has)
	}
	if n = min(n, room); room == 0 {
		if id, ok := p.SpawnHome(w.Arena); ok {
			return fmt.Errorf("%v is spawned, for which there is no room", id)
		}
	}
	var got, want []uint32
	for range n {
		want = append(want, w.spawn(recipe+1, way == inSlabs && n >= 64))
	}
	made := func(block uint32, x uint64, _ bool) {
		for ; x != 0; x &= x - 1 {
			got = append(got, block<<6+uint32(bits.TrailingZeros64(x)))
		}
	}
	if way == oneByOne {
		for range n {
			id, _ := p.Spawn(w.Arena)
			got = append(got, id.Index())
		}
	} else { // by blocks, which ascend, also where objects do not
		p.SpawnN(w.Arena, n, way == inSlabs, made)
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%v are given, not %v", got, want)
	}
	return nil
}

// created creates an object without a recipe, or a copy of one.
func (w *turnover) created(like ...uint32) error {
	if w.Objects.Left() == 0 {
		return nil
	}
	var id gameobject.ID
	var err error
	var want uint32
	if len(like) == 0 {
		id, err = Create(w.Arena)
		want = w.loose(0)
	} else {
		id, err = Copy(w.Arena, w.Objects.At(like[0]))
		want = w.like(like[0])
	}
	if err != nil || id.Index() != want {
		return fmt.Errorf("%v is given, not %d: %w", id, want, err)
	}
	return nil
}

// of returns the indexes of the objects of a recipe, ascending.
func (w *turnover) of(recipe int) (all []uint32) {
	for i, x := range w.sites {
		if x.alive && x.of == recipe+1 {
			all = append(all, uint32(i))
		}
	}
	return all
}

// ends returns the first one and the last.
func ends(all []uint32) []uint32 {
	if len(all) < 2 {
		return all
	}
	return []uint32{all[0], all[len(all)-1]}
}

// gone disposes objects: neighbours that ascend, in a block, at once.
func (w *turnover) gone(all ...uint32) error {
	var x uint64
	for n, i := range all {
		w.dispose(i)
		if x |= 1 << (i & 63); n+1 == len(all) || all[n+1]>>6 != i>>6 || all[n+1] < i {
			DisposeBlock(w.Arena, i>>6, x)
			x = 0
		}
	}
	return nil
}

// turns are chosen so that a few of them reach the limits of loose objects and of slabs.
var turns = []func(w *turnover) error{
	func(w *turnover) error { return w.spawned(0, 1, oneByOne) },
	func(w *turnover) error { return w.spawned(0, 15, inSlabs) },
	func(w *turnover) error { return w.spawned(1, 17, together) },
	func(w *turnover) error { return w.spawned(1, 63, inSlabs) },
	func(w *turnover) error { return w.spawned(1, 64, inSlabs) },
	func(w *turnover) error { return w.created() },
	func(w *turnover) error { return w.created(ends(w.of(1))...) },
	func(w *turnover) error { return w.gone(w.of(0)...) },
	func(w *turnover) error { return w.gone(ends(w.of(1))...) },
	func(w *turnover) error { return w.gone(w.all()...) },
}

// all returns the objects that are alive, recipe by recipe.
func (w *turnover) all() []uint32 { return slices.Concat(w.of(-1), w.of(0), w.of(1), w.of(scanty)) }

// matches compares the objects that are alive, and what they have, and the arena with itself.
func (w *turnover) matches() error {
	want := w.all()
	slices.Sort(want)
	var got []uint32
	for id := range w.Objects.Each {
		got = append(got, id.Index())
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("%v are alive, not %v", got, want)
	}
	for _, i := range got {
		for k := range w.Managers {
			m, recipe := &w.Managers[k], w.sites[i].kinds-1
			has := recipe >= 0 && slices.ContainsFunc(turnoverRecipes[recipe], func(k layout.Kind) bool { return k.Spec() == m.Kind })
			if m.Has(i) != has {
				return fmt.Errorf("%d of recipe %d has %s: %t", i, recipe, m.Kind.Name, !has)
			}
		}
	}
	return w.Verify()
}

// TestEverySequenceOfTurnover: every sequence of a few turns gives the indexes of the allotter.
func TestEverySequenceOfTurnover(t *testing.T) {
	const length = 4
	w, blank := newTurnover(200, false), newTurnover(200, false)
	for n := range len(turns) * len(turns) * len(turns) * len(turns) {
		w.CopyFrom(blank.Arena, 0)
		*w.allotter = *blank.allotter
		var sequence []int
		for ; len(sequence) < length; n /= len(turns) {
			sequence = append(sequence, n%len(turns))
			if err := turns[n%len(turns)](w); err != nil {
				t.Fatalf("after %v: %v", sequence, err)
			}
		}
		require.NoError(t, w.matches(), "%v", sequence)
	}
	w.Free()
	blank.Free()
}

// TestTurnoverAgainstAllotter: worlds of every size, in which a share of the objects of a recipe goes,
// in any order, and others come.
func TestTurnoverAgainstAllotter(t *testing.T) {
	for objects, rounds := range map[int]int{1: 40, 63: 90, 64: 90, 200: 150, 640: 90, 1500: 60, 40_000: 16} {
		for _, inOrder := range []bool{false, true} {
			w := newTurnover(objects, inOrder)
			for range rounds {
				var err error
				switch recipe, all := w.r.IntN(3), w.of(w.r.IntN(4)-1); w.r.IntN(5) {
				case 0, 1:
					err = w.spawned(recipe, w.r.IntN(max(9, objects/2>>w.r.IntN(3))), w.r.IntN(3))
				case 2:
					err = turns[5+w.r.IntN(2)](w)
				default:
					w.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
					err = w.gone(all[:w.r.IntN(len(all)+1)]...)
				}
				require.NoError(t, err, "%d objects, in order %t", objects, inOrder)
			}
			require.NoError(t, w.matches())
			w.Free()
		}
	}
}

// A site is an index that was given to a recipe or to the loose objects, which count from 1 and 0.
type site struct {
	owner int
	alive bool
	of    int // its object is of that recipe
	kinds int // its object has the kinds of that recipe
}

// An allotter hands out indexes as package systems says, by looking through all of them.
type allotter struct {
	sites   []site
	free    []uint32 // loose ones that were used, in the order of their disposal
	fresh   []uint32 // loose ones that were not
	from    [4]int   // recipes' lower indexes are alive
	limit   int
	rows    int // of the scanty recipe
	inOrder bool
}

// room returns for how many objects of a recipe there is room.
func (a *allotter) room(recipe int) int {
	n := a.limit
	for _, x := range a.sites {
		if x.alive {
			n--
		}
	}
	if recipe == scanty {
		n = min(n, a.rows-a.alive(recipe+1))
	}
	return n
}

// alive returns the number of objects with the kinds of a recipe, which count from 1.
func (a *allotter) alive(recipe int) (n int) {
	for _, x := range a.sites {
		if x.alive && x.kinds == recipe {
			n++
		}
	}
	return n
}

// slabOf returns the size of a new slab if so many indexes or rows are left.
func slabOf(left int) int { return min(1024, max(left/16, 64), left) / 64 * 64 }

// inSlab returns the lowest free index of a recipe's slabs.
func (a *allotter) inSlab(recipe int) (index uint32, ok bool) {
	for i := a.from[recipe]; recipe != 0 && i < len(a.sites); i++ {
		if a.from[recipe] = i; a.sites[i].owner == recipe && !a.sites[i].alive {
			return uint32(i), true
		}
	}
	return 0, false
}

func (a *allotter) born(i uint32, recipe int) uint32 {
	a.sites[i] = site{a.sites[i].owner, true, recipe, recipe}
	return i
}

// spawn returns the index of the next object of a recipe, or of one of many.
func (a *allotter) spawn(recipe int, many bool) uint32 {
	if i, ok := a.inSlab(recipe); ok {
		return a.born(i, recipe)
	}
	loose, slabs := 0, 0
	for _, x := range a.sites {
		if x.owner == recipe {
			slabs++
		} else if x.alive && x.owner == 0 && x.of == recipe {
			loose++
		}
	}
	n := min(slabs+64, slabOf(a.limit-len(a.sites)))
	if recipe == scanty+1 {
		n = min(n, slabOf(max(0, a.rows-(a.alive(recipe)+63)/64*64)))
	}
	if (many || loose >= 16) && n > 0 {
		first := uint32(len(a.sites))
		a.sites = append(a.sites, slices.Repeat([]site{{owner: recipe}}, n)...)
		return a.born(first, recipe)
	}
	return a.loose(recipe)
}

// loose returns the index of the next loose object.
func (a *allotter) loose(recipe int) uint32 {
	again := len(a.free) > 0 && (!a.inOrder || len(a.fresh) == 0 && len(a.sites) == a.limit)
	if !again && len(a.fresh) == 0 {
		for range min(64, a.limit-len(a.sites)) {
			a.fresh = append(a.fresh, uint32(len(a.sites)))
			a.sites = append(a.sites, site{})
		}
	}
	var i uint32
	switch last := len(a.free) - 1; {
	case again && a.inOrder:
		i, a.free = a.free[0], a.free[1:]
	case again:
		i, a.free = a.free[last], a.free[:last]
	case len(a.fresh) > 0:
		i, a.fresh = a.fresh[0], a.fresh[1:]
	default:
		for r := range turnoverRecipes {
			if free, ok := a.inSlab(r + 1); ok {
				a.born(free, r+1)
				a.sites[free].kinds = recipe
				return free
			}
		}
	}
	return a.born(i, recipe)
}

// like returns the index of a copy of an object.
func (a *allotter) like(i uint32) uint32 {
	recipe, kinds := a.sites[i].of, a.sites[i].kinds
	twin, ok := a.inSlab(recipe)
	if !ok {
		twin = a.loose(recipe)
	}
	a.born(twin, a.sites[twin].of)
	a.sites[twin].kinds = kinds
	return twin
}

func (a *allotter) dispose(i uint32) {
	x := &a.sites[i]
	if x.alive = false; x.owner == 0 {
		a.free = append(a.free, i)
	}
	a.from[x.owner] = min(a.from[x.owner], int(i))
}

// TestDisposeBlockOfNoObject changes nothing, also of the next block.
func TestDisposeBlockOfNoObject(t *testing.T) {
	w := newTurnover(300, false)
	defer w.Free()
	require.NoError(t, w.spawned(0, 200, together))
	before := w.Digest()
	for block := range uint32(4) {
		DisposeBlock(w.Arena, block, 0)
	}
	require.Equal(t, before, w.Digest())
}
