package howto_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

// Who is near

var (
	Armour = layout.NewComponent("armour", int32(10))
	Disc   = world.NewRecipe("disc", Place, Armour)
)

// Collide takes armour from discs that touch: their radius is 1.
func Collide(s world.State, discs *space.Cells[Vec2]) world.State {
	s = discs.Build(s, nil) // in each step, after the discs moved
	near := discs.In(s)
	armour := world.WriterOf(s, Armour)
	for a, b := range near.Pairs(2) {
		*armour.At(near.ID(a)) -= 3
		*armour.At(near.ID(b)) -= 3
	}
	return s
}

func Example_whoIsNear() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(Place.Count(4), Armour.Count(4)), Recipes: []world.Recipe{Disc},
	})
	check(err)
	for _, at := range []Vec2{{0, 0}, {3, 0}, {3.5, 1}, {100, 100}} {
		state, _, err = world.Spawn(state, Disc, Place.Value(at))
		check(err)
	}
	discs, err := space.NewCells(state, Place, space.Options{Size: 2})
	check(err)
	state = Collide(state, discs)
	fmt.Println(world.View(state, Armour))
	// Output: [10 7 7 10]
}

// Crowded returns how many other discs are near each disc, in the order of the cells.
func Crowded(near space.View[Vec2], distance float64) []int {
	counts := make([]int, near.Len())
	for i, hit := range near.NearEach(near.Points(), distance) {
		if hit.Entry != i { // the disc itself is near, too
			counts[i]++
		}
	}
	return counts
}

func TestCrowded(t *testing.T) {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place)}))
	t.Cleanup(func() { world.Close(state) })
	for x := range 5 {
		var id world.GameObject
		state, id, _ = world.CreateWith(state, Place)
		state = world.Must(world.Set(state, id, Place, Vec2{X: float32(x)}))
	}
	discs, err := space.NewCells(state, Place, space.Options{
		Size: 2, Low: []float64{0, 0}, High: []float64{10, 10},
	})
	require.NoError(t, err)
	state = discs.Build(state, nil)
	assert.Equal(t, []int{1, 2, 2, 2, 1}, Crowded(discs.In(state), 1))
}

// A map of cells

var (
	Heat   = layout.NewField[float32]("heat")
	Warmer = layout.NewField[float32]("warmer")
	Ground = layout.NewKind("ground", Heat, Warmer)
	Meadow = space.NewGrid("meadow", space.GridOptions{Width: 300, Height: 200, Limit: 1}, Ground)

	warming = world.NewQuery(world.Read(Heat), world.Write(Warmer))
	settled = world.NewQuery(world.Write(Heat), world.Read(Warmer))
)

// Spread lets heat flow between cells that are side by side.
func Spread(s world.State) world.State {
	width, _ := Meadow.Size()
	for b := range warming.In(s) { // one batch: cell 0, 1, 2, …
		kernel.Diffuse(world.Column(b, Warmer), world.Column(b, Heat), 0, width, 0.125, false)
	}
	for b := range settled.In(s) {
		copy(world.Column(b, Heat), world.Column(b, Warmer))
	}
	return s
}

func Example_grid() {
	counts := world.Counts{GameObjects: 10, Seed: 1}
	Meadow.AddTo(&counts)
	state := world.Must(world.CreateState(counts))
	state = world.Must(Meadow.Create(state))

	middle := Meadow.At(150, 100)
	state = world.SetRow(state, Heat, Meadow.Row(middle), 8)
	state = Spread(state)
	for _, cell := range Meadow.VonNeumann(nil, middle, 1) {
		fmt.Print(world.GetRow(state, Heat, Meadow.Row(cell)), " ")
	}

	state, cow, err := world.Create(state)
	check(err)
	state, random := world.NextStream(state)
	cell, _ := Meadow.RandomEmpty(state, &random)
	state, err = Meadow.Enter(state, cell, cow)
	check(err)
	fmt.Println(Meadow.Occupant(state, cell) == cow, Meadow.Empty(state))
	world.Close(state)
	// Output: 1 1 1 1 true 59999
}
