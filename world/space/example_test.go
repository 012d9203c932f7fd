package space_test

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

type point struct{ X, Y float32 }

var (
	position = layout.NewComponent[point]("position")
	health   = layout.NewComponent[int32]("health", 10)
	disc     = world.NewRecipe("disc", position, health)
)

// Discs that touch each other lose health.
func Example() {
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(position, health), Recipes: []world.Recipe{disc},
	}))
	for _, at := range []point{{0, 0}, {3, 0}, {3.5, 1}, {100, 100}} {
		state, _, _ = world.Spawn(state, disc, position.Value(at))
	}
	cells := world.Must(space.NewCells(state, position, space.Options{Size: 4}))

	state = cells.Build(state, nil) // in each step
	view := cells.In(state)
	healths := world.WriterOf(state, health)
	for a, b := range view.Pairs(2) {
		*healths.At(view.ID(a)) -= 3
		*healths.At(view.ID(b)) -= 3
	}

	fmt.Println(world.View(state, health)[:4])
	// Output: [10 7 7 10]
}

func ExampleView_Near() {
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(position, health), Recipes: []world.Recipe{disc},
	}))
	for x := range 20 {
		state, _, _ = world.Spawn(state, disc, position.Value(point{float32(x), 0}))
	}
	cells := world.Must(space.NewCells(state, position, space.Options{
		Size: 2, Low: []float64{0, 0}, High: []float64{20, 20}, Wrap: true, // a torus
		Carry: []space.Carried{space.Carry(health)},
	}))
	state = cells.Build(state, nil)
	view := cells.In(state)
	points, healths := view.Points(), space.Column(view, health)

	at, sum := point{0, 0}, int32(0)
	for e := range view.Near(at, 2) {
		fmt.Print(points[e].X, " ")
		sum += healths[e]
	}
	fmt.Println("with", sum, "health")
	for _, hit := range view.Nearest(make([]space.Hit, 3), point{7.2, 0}, 5) {
		fmt.Print(points[hit.Entry].X, " ")
	}
	// Output:
	// 18 19 0 1 2 with 50 health
	// 7 8 6
}

var (
	Heat  = layout.NewField[float32]("heat")
	Next  = layout.NewField[float32]("next heat")
	Soil  = layout.NewKind("soil", Heat, Next)
	Field = space.NewGrid("field", space.GridOptions{Width: 4, Height: 3, Limit: 1}, Soil)

	warming = world.NewQuery(world.Read(Heat), world.Write(Next))
	cooling = world.NewQuery(world.Write(Heat), world.Read(Next))
)

func ExampleGrid() {
	counts := world.Counts{GameObjects: 100, Seed: 1}
	Field.AddTo(&counts)
	state := world.Must(world.CreateState(counts))
	state = world.Must(Field.Create(state))

	state, _ = world.Set(state, Field.ID(state, Field.At(1, 1)), Heat, 8)
	width, _ := Field.Size()
	for b := range warming.In(state) { // all cells are one batch
		kernel.Diffuse(world.Column(b, Next), world.Column(b, Heat), 0, width, .125, false)
	}
	for b := range cooling.In(state) {
		copy(world.Column(b, Heat), world.Column(b, Next))
	}
	heat := world.View(state, Heat)
	for y := range 3 {
		fmt.Println(heat[4*y : 4*y+4])
	}
	fmt.Println("around:", Field.VonNeumann(nil, Field.At(1, 1), 1))

	state, cow, _ := world.Create(state)
	state, random := world.NextStream(state)
	cell, _ := Field.RandomEmpty(state, &random)
	state, _ = Field.Enter(state, cell, cow)
	fmt.Println(Field.Occupant(state, cell) == cow, Field.Empty(state))
	// Output:
	// [0 1 0 0]
	// [1 4 1 0]
	// [0 1 0 0]
	// around: [1 4 6 9]
	// true 11
}
