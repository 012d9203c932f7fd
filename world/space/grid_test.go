package space_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/space"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	heat  = layout.NewField[float32]("heat")
	next  = layout.NewField[float32]("next")
	land  = layout.NewKind("land", heat, next)
	grass = layout.NewComponent[uint8]("grass")

	large = space.NewGrid("large", space.GridOptions{Width: 200, Height: 150, Wrap: true}, land, grass)
	small = space.NewGrid("small", space.GridOptions{Width: 7, Height: 9, Limit: 1}, grass)
	many  = space.NewGrid("many", space.GridOptions{Width: 5, Height: 3, Limit: 3})

	spreading = world.NewQuery(world.Read(heat), world.Write(next))
	settling  = world.NewQuery(world.Write(heat), world.Read(next))
)

func worldOf(tb testing.TB, g *space.Grid) world.State {
	tb.Helper()
	c := world.Counts{GameObjects: 100, Seed: 1}
	g.AddTo(&c)
	s := world.Must(world.CreateState(c))
	s = world.Must(g.Create(s))
	require.NoError(tb, tool.Verify(s))
	return s
}

func TestNeighboursOfACell(t *testing.T) {
	n := 0
	for _, size := range [][2]int{{1, 1}, {1, 6}, {2, 2}, {5, 4}, {6, 3}, {7, 7}} {
		for _, wrap := range []bool{false, true} {
			n++
			g := space.NewGrid(fmt.Sprint("n", n), space.GridOptions{
				Width: size[0], Height: size[1], Wrap: wrap, Limit: 1,
			})
			away := func(a, b, size int) int {
				d := max(a-b, b-a)
				if wrap {
					d = min(d, size-d)
				}
				return d
			}
			for cell := range g.Cells() {
				x, y := g.XY(cell)
				require.Equal(t, cell, g.At(x, y))
				for radius := range 9 {
					var moore, neumann []int
					for other := range g.Cells() {
						u, v := g.XY(other)
						dx, dy := away(x, u, size[0]), away(y, v, size[1])
						if other != cell && max(dx, dy) <= radius {
							moore = append(moore, other)
						}
						if other != cell && dx+dy <= radius {
							neumann = append(neumann, other)
						}
					}
					require.ElementsMatch(t, moore, g.Moore(nil, cell, radius), "%v %t %d", size, wrap, radius)
					require.ElementsMatch(t, neumann, g.VonNeumann(nil, cell, radius), "%v %t %d", size, wrap, radius)
				}
			}
		}
	}
	assert.Equal(t, []int{0, 1, 2, 7, 9, 14, 15, 16}, small.Moore(nil, 8, 1), "row by row")
	assert.Empty(t, small.Moore(nil, 8, -1))
	x, y := large.XY(large.At(-1, 151))
	assert.Equal(t, [2]int{199, 1}, [2]int{x, y})
}

// Cells are in one batch, in order, and of more bytes than a resource could be.
func TestCellsOfAGridAreRowsInOrder(t *testing.T) {
	s := worldOf(t, large)
	batches := 0
	for b := range settling.In(s) {
		batches++
		require.Equal(t, large.Cells(), b.Len())
		for i := range b.Len() {
			require.Equal(t, large.ID(s, i), b.ID(i))
			world.Column(b, heat)[i] = float32(i)
		}
	}
	assert.Equal(t, 1, batches)
	assert.InDelta(t, 620, world.Must(world.Get(s, large.ID(s, large.At(20, 3)), heat)), 0)
	assert.InDelta(t, 620, world.GetRow(s, heat, large.Row(620)), 0)
	_, err := large.Create(s)
	require.ErrorIs(t, err, space.ErrGrid)
	require.ErrorContains(t, err, "large: 30000 rows of land are in use")
}

func diffuse(s world.State) world.State {
	width, _ := large.Size()
	for b := range spreading.In(s) {
		kernel.Diffuse(world.Column(b, next), world.Column(b, heat), 0, width, .2, true)
	}
	for b := range settling.In(s) {
		copy(world.Column(b, heat), world.Column(b, next))
	}
	return s
}

func TestDiffusionInAWorld(t *testing.T) {
	s := worldOf(t, large)
	s = world.Must(world.Set(s, large.ID(s, large.At(0, 0)), heat, 1000))
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	for range 50 {
		s = diffuse(world.Advance(s))
	}
	after, sum := world.Digest(s), float32(0)
	for _, v := range world.View(s, heat) {
		sum += v
	}
	assert.InDelta(t, 1000, sum, .01, "nothing gets lost")
	s = world.Must(world.Restore(s, p))
	assert.InDelta(t, 1000, world.GetRow(s, heat, 0), 0)
	for range 50 {
		s = diffuse(world.Advance(s))
	}
	assert.Equal(t, after, world.Digest(s))
	assert.Zero(t, testing.AllocsPerRun(5, func() { s = diffuse(s) }))
}

func TestEveryEmptyCellIsDrawn(t *testing.T) {
	s := worldOf(t, small)
	for cell := 0; cell < small.Cells(); cell += 2 {
		s = world.Must(small.Enter(s, cell, small.ID(s, cell)))
	}
	drawn, r := map[int]int{}, world.Random(s, 9)
	for range 31 * 100 {
		cell, ok := small.RandomEmpty(s, &r)
		require.True(t, ok)
		require.Equal(t, 1, cell%2)
		drawn[cell]++
	}
	assert.Len(t, drawn, 31)
	for cell, n := range drawn {
		assert.InDelta(t, 100, n, 50, "cell %d", cell)
	}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		cell, _ := small.RandomEmpty(s, &r)
		s, _ = small.Enter(s, cell, small.ID(s, cell))
		s, _ = small.Leave(s, cell, small.ID(s, cell))
	}))
}

func TestMisuseOfGridsIsNamed(t *testing.T) {
	s := worldOf(t, large)
	for message, f := range map[string]func(){
		"space: NewGrid bad: 0 × 3 cells; give 1 to 67108864": func() {
			space.NewGrid("bad", space.GridOptions{Height: 3})
		},
		"space: NewGrid bad: 2147483647 × 3 cells; give 1 to 67108864": func() {
			space.NewGrid("bad", space.GridOptions{Width: 1<<31 - 1, Height: 3})
		},
		"space: NewGrid bad without layers; give a kind, or a Limit": func() {
			space.NewGrid("bad", space.GridOptions{Width: 3, Height: 3})
		},
		"space: grid large has no cell 30000; its cells are 0 to 29999":     func() { large.XY(30000) },
		"space: grid large has no cell -1; its cells are 0 to 29999":        func() { large.Moore(nil, -1, 1) },
		"space: Grid.At(7, 0): grid small has 7 × 9 cells; give one inside": func() { small.At(7, 0) },
		"space: grid large does not count; set GridOptions.Limit": func() {
			large.Occupant(s, 0)
		},
		"space: this Grid was not declared; make one by NewGrid": func() { new(space.Grid).Cells() },
	} {
		assert.PanicsWithValue(t, message, f)
	}
}

const nowhere = -1

// A hotel is a world with a grid, beside slices that record the objects in its cells.
type hotel struct {
	t     *testing.T
	s     world.State
	g     *space.Grid
	limit int
	guests
	stream world.Stream
}

type guests struct {
	ids    []world.GameObject
	parent map[int]int // of a guest that is alive
	inside [][]int     // of each cell
	last   []int       // that entered a cell, unless it left or died
}

func newHotel(t *testing.T, g *space.Grid, limit, objects int) *hotel {
	t.Helper()
	c := world.Counts{Seed: 1, Kinds: layout.Kinds(family.ChildOf.Counted())}
	g.AddTo(&c)
	c.GameObjects += objects
	s := world.Must(g.Create(world.Must(world.CreateState(c))))
	h := &hotel{t: t, s: s, g: g, limit: limit, stream: world.Random(s, 7)}
	h.ids, h.parent = make([]world.GameObject, objects), map[int]int{}
	for range g.Cells() {
		h.inside, h.last = append(h.inside, nil), append(h.last, nowhere)
	}
	for i := range objects {
		h.create(i)
	}
	return h
}

func (g guests) copy() guests {
	c := guests{slices.Clone(g.ids), maps.Clone(g.parent), nil, slices.Clone(g.last)}
	for _, here := range g.inside {
		c.inside = append(c.inside, slices.Clone(here))
	}
	return c
}

func (g guests) alive(i int) bool { _, ok := g.parent[i]; return ok }

// cell returns the cell that a guest is in.
func (g guests) cell(i int) int {
	return slices.IndexFunc(g.inside, func(here []int) bool { return slices.Contains(here, i) })
}

func (g guests) remove(cell, i int) {
	if cell != nowhere {
		g.inside[cell] = slices.DeleteFunc(g.inside[cell], func(other int) bool { return other == i })
		if g.last[cell] == i {
			g.last[cell] = nowhere
		}
	}
}

func (h *hotel) create(i int) {
	if !h.alive(i) {
		h.s, h.ids[i] = world.Must2(world.Create(h.s))
		h.parent[i] = nowhere
	}
}

// twin makes a copy of a guest, which is in no cell.
func (h *hotel) twin(i, of int) {
	if h.alive(of) && !h.alive(i) {
		h.s, h.ids[i] = world.Must2(world.Copy(h.s, h.ids[of]))
		h.parent[i] = h.parent[of]
	}
}

func (h *hotel) refused(before uint64, err, want error) {
	h.t.Helper()
	require.ErrorIs(h.t, err, want)
	require.Equal(h.t, before, world.Digest(h.s), "%v changed something", want)
}

func (h *hotel) enter(cell, i int) {
	before := world.Digest(h.s)
	var err error
	h.s, err = h.g.Enter(h.s, cell, h.ids[i])
	switch {
	case h.cell(i) != nowhere:
		h.refused(before, err, space.ErrInside)
	case len(h.inside[cell]) == h.limit:
		h.refused(before, err, space.ErrTaken)
	case !h.alive(i):
		h.refused(before, err, world.ErrDead)
	default:
		require.NoError(h.t, err)
		h.inside[cell], h.last[cell] = append(h.inside[cell], i), i
	}
}

func (h *hotel) leave(cell, i int) {
	before := world.Digest(h.s)
	var err error
	if h.s, err = h.g.Leave(h.s, cell, h.ids[i]); h.cell(i) != cell {
		h.refused(before, err, space.ErrElsewhere)
		return
	}
	require.NoError(h.t, err)
	h.remove(cell, i)
}

func (h *hotel) adopt(child, parent int) {
	if h.alive(child) && h.alive(parent) {
		if !world.Has(h.s, h.ids[child], family.ChildOf) {
			h.s = world.Must(world.Add(h.s, h.ids[child], family.ChildOf))
		}
		var err error
		if h.s, err = world.Set(h.s, h.ids[child], family.ChildOf, h.ids[parent]); err == nil {
			h.parent[child] = parent
		} else {
			require.ErrorIs(h.t, err, family.ErrRing)
		}
	}
}

// dispose disposes a guest, in one of the ways, and with it its children.
func (h *hotel) dispose(way, i int) {
	if !h.alive(i) {
		return
	}
	switch way % 3 {
	case 0:
		h.s = world.Must(world.Dispose(h.s, h.ids[i]))
	case 1:
		world.Record(h.s).Dispose(h.ids[i])
		h.s = world.Must(world.Apply(h.s))
	case 2:
		h.s = world.Must(family.Dispose(h.s, family.ChildOf, h.ids[i]))
	}
	h.died(i)
}

func (h *hotel) died(i int) {
	h.remove(h.cell(i), i)
	delete(h.parent, i)
	for child := range h.ids {
		if p, ok := h.parent[child]; ok && p == i {
			h.died(child)
		}
	}
}

// check compares the answers about the cells, and checks that queries change no byte.
func (h *hotel) check() {
	h.t.Helper()
	before, empty := world.Digest(h.s), 0
	for cell, here := range h.inside {
		require.Equal(h.t, len(here), h.g.Occupants(h.s, cell), "cell %d", cell)
		want := world.Nobody
		if i := h.last[cell]; i != nowhere {
			want = h.ids[i]
		}
		require.Equal(h.t, want, h.g.Occupant(h.s, cell), "cell %d", cell)
		if len(here) == 0 {
			empty++
		}
	}
	require.Equal(h.t, empty, h.g.Empty(h.s))
	cell, ok := h.g.RandomEmpty(h.s, &h.stream)
	require.Equal(h.t, empty > 0, ok)
	require.True(h.t, !ok || len(h.inside[cell]) == 0, "cell %d", cell)
	require.Equal(h.t, before, world.Digest(h.s), "a question changed something")
}

var (
	pair   = space.NewGrid("pair", space.GridOptions{Width: 2, Height: 1, Limit: 1})
	couple = space.NewGrid("couple", space.GridOptions{Width: 2, Height: 1, Limit: 2})
)

// Every sequence of operations on three objects, the second a child of the first, and two cells.
// What changes nothing is not followed: the rest is a shorter sequence.
func TestEveryShortLifeOfSeats(t *testing.T) {
	worldtest.OneGoroutine(t)
	depth := 4
	switch {
	case worldtest.AtLength():
		depth = 5
	case testing.Short():
		depth = 3
	}
	for limit, g := range map[int]*space.Grid{1: pair, 2: couple} {
		h := newHotel(t, g, limit, 3)
		h.adopt(1, 0)
		var ops []func()
		for i := range 3 {
			for cell := range 2 {
				ops = append(ops, func() { h.enter(cell, i) }, func() { h.leave(cell, i) })
			}
			ops = append(ops, func() { h.dispose(i, i) }, func() { h.create(i) },
				func() { h.twin(i, (i+1)%3) })
		}
		var kept []*world.Snapshot
		for range depth {
			kept = append(kept, world.Must(world.NewSnapshot(h.s)))
		}
		var live func(left int)
		live = func(left int) {
			if left == 0 {
				return
			}
			require.NoError(t, kept[left-1].Take(h.s))
			was, before := h.guests, world.Digest(h.s)
			for _, op := range ops {
				h.guests = was.copy()
				op()
				h.check()
				if world.Digest(h.s) == before {
					continue
				}
				live(left - 1)
				h.s = world.Must(world.Restore(h.s, kept[left-1]))
			}
			h.guests = was
		}
		live(depth)
		require.NoError(t, tool.Verify(h.s))
	}
}

// Long lives of grids, with copies of the world and restores. Queries are rare, so that several
// disposals happen in between.
func TestLongLivesOfSeats(t *testing.T) {
	worldtest.OneGoroutine(t)
	turns := 6000
	if testing.Short() {
		turns = 1500
	}
	for g, limit := range map[*space.Grid]int{pair: 1, couple: 2, small: 1, many: 3} {
		h, r := newHotel(t, g, limit, 40), rand.New(rand.NewPCG(8, uint64(limit)))
		kept, were := world.Must(world.NewSnapshot(h.s)), h.copy()
		require.NoError(t, kept.Take(h.s))
		for turn := range turns {
			i, cell := r.IntN(len(h.ids)), r.IntN(g.Cells())
			switch n := r.IntN(40); {
			case n < 14:
				h.enter(cell, i)
			case n < 18:
				h.leave(cell, i)
			case n < 22:
				h.leave(max(0, h.cell(i)), i)
			case n < 25:
				h.dispose(n, i)
			case n < 29:
				h.create(i)
			case n < 33:
				h.twin(i, r.IntN(len(h.ids)))
			case n < 36:
				h.adopt(i, r.IntN(len(h.ids)))
			case n == 36:
				require.NoError(t, kept.Take(h.s))
				were = h.copy()
			case n == 37:
				h.s, h.guests = world.Must(world.Restore(h.s, kept)), were.copy()
			case n == 38 && turn%4 == 0:
				twin := world.Must(world.Clone(h.s))
				require.Equal(t, world.Digest(h.s), world.Digest(twin))
				h.s = twin
				require.NoError(t, tool.Verify(h.s))
			default:
				h.check()
			}
		}
		h.check()
		require.NoError(t, tool.Verify(h.s))
	}
}
