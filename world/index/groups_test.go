package index_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var crowd = layout.NewComponent[uint16]("index crowd")

// crowds is a world of many objects and its model: the value of each object, from the first on.
type crowds struct {
	s      world.State
	ids    []world.GameObject
	values []uint16
	r      *rand.Rand
}

// value draws a value: of a few that very many have, of some that about nine have, or of one's own.
func (c *crowds) value() uint16 {
	switch c.r.IntN(3) {
	case 0:
		return uint16(c.r.IntN(3))
	case 1:
		return 100 + uint16(c.r.IntN(max(1, len(c.ids)/27)))
	default:
		return 10_000 + uint16(c.r.IntN(len(c.ids)))
	}
}

// first returns the place of the first object of a value, or -1.
func (c *crowds) first(v uint16) int { return slices.Index(c.values, v) }

// all returns the objects of a value.
func (c *crowds) all(v uint16) (ids []world.GameObject) {
	for i, w := range c.values {
		if v == w {
			ids = append(ids, c.ids[i])
		}
	}
	return ids
}

// set sets the value of an object: of the first one of a value, or of any.
func (c *crowds) set(first bool) {
	i := c.r.IntN(len(c.ids))
	if v := c.value(); first && c.first(v) >= 0 {
		i = c.first(v)
	}
	c.values[i] = c.value()
	c.s = world.Must(world.Set(c.s, c.ids[i], crowd, c.values[i]))
}

// newCrowds returns n objects with values that value draws, or the number of each modulo teams.
func newCrowds(n, teams int) *crowds {
	recipe := world.NewRecipe("index crowds", crowd)
	c := &crowds{r: rand.New(rand.NewPCG(5, 5)), values: make([]uint16, n)}
	c.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(crowd), Recipes: []world.Recipe{recipe},
	}))
	c.s = world.Must(world.SpawnN(c.s, recipe, n, func(b world.Batch) { c.ids = b.AppendIDs(c.ids) }))
	for i := range c.ids {
		if c.values[i] = c.value(); teams != 0 {
			c.values[i] = uint16(i % teams)
		}
		c.s = world.Must(world.Set(c.s, c.ids[i], crowd, c.values[i]))
	}
	return c
}

// TestCrowds: values that many, some and few objects have, and questions by value alone, by order
// alone, or by both, in long phases.
func TestCrowds(t *testing.T) {
	worldtest.OneGoroutine(t)
	phases := 40
	if worldtest.AtLength() {
		phases = 250
	}
	for _, n := range []int{40, 30_000} {
		c := newCrowds(n, 0)
		c.live(t, phases)
		world.Close(c.s)
	}
}

// live compares an index with the model in phases.
func (c *crowds) live(t *testing.T, phases int) {
	t.Helper()
	byCrowd := index.New(crowd)
	for phase := range phases {
		asked, first, few := phase%3, c.r.IntN(2) == 0, 1<<c.r.IntN(9)
		for range 25 {
			for range 1 + c.r.IntN(few) {
				c.set(first)
			}
			v := c.value()
			if asked != 0 {
				id, ok := byCrowd.One(c.s, v)
				i := c.first(v)
				require.Equal(t, i >= 0, ok)
				require.True(t, i < 0 || c.ids[i] == id, "%d: %v", v, id)
				require.True(t, same(byCrowd.Find(c.s, v), c.all(v)), "%d", v)
			}
			if asked != 1 {
				low := c.value()
				require.True(t, same(byCrowd.Between(c.s, low, low), c.all(low)), "%d", low)
			}
		}
		check(t, c.s, crowd, 0, 2, 101, 102, 10_001)
	}
}

// TestManyFirstsGo: when the first objects of more values go than an index notes.
func TestManyFirstsGo(t *testing.T) {
	const teams = 200
	c := newCrowds(teams*10, teams)
	defer func() { world.Close(c.s) }()
	byCrowd := index.New(crowd)
	check(t, c.s, crowd, 0)
	for i := range teams {
		c.values[i] = teams
		c.s = world.Must(world.Set(c.s, c.ids[i], crowd, teams))
		if i%50 == 0 {
			byCrowd.CountBetween(c.s, 0, 0)
		}
	}
	for v := range uint16(teams) {
		id, _ := byCrowd.One(c.s, v)
		require.Equal(t, c.ids[c.first(v)], id)
	}
	check(t, c.s, crowd, 0, 1, teams)
}

// TestAllGoAndOneComes: when many objects of a value go, the first one last, and another one comes.
func TestAllGoAndOneComes(t *testing.T) {
	c := newCrowds(12, 1)
	defer func() { world.Close(c.s) }()
	check(t, c.s, crowd, 0)
	for i := range c.ids {
		c.s = world.Must(world.Set(c.s, c.ids[11-i], crowd, 1))
	}
	c.s = world.Must(world.Set(c.s, c.ids[5], crowd, 0))
	check(t, c.s, crowd, 0, 1)
}
