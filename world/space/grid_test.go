package space_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
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
	got := world.Must(world.Get(s, large.ID(s, large.At(20, 3)), heat))
	assert.InDelta(t, 620, got, 0)
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
