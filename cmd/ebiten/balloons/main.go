// Command balloons shows the README's balloons in a window, by Ebitengine.
//
//	go -C cmd/ebiten run ./balloons
package main

import (
	"image/color"
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A Vector is a place, or a way in a second.
type Vector struct{ X, Y float32 }

var (
	position = layout.NewComponent[Vector]("position")
	velocity = layout.NewComponent("velocity", Vector{Y: -20})
	balloon  = world.NewRecipe("balloon", position, velocity)
	moving   = world.NewQuery(world.Write(position), world.Read(velocity))
	drawn    = world.NewQuery(world.Read(position))
)

const width, height = 320, 240

// A Game is what Ebitengine runs.
type Game struct{ state world.State }

// Update takes a step.
func (g *Game) Update() error { g.state = rise(g.state, 1.0/60); return nil }

// Draw draws a frame.
func (g *Game) Draw(screen *ebiten.Image) {
	for b := range drawn.In(g.state) {
		for _, p := range world.Column(b, position) {
			vector.DrawFilledRect(screen, p.X, p.Y, 2, 2, color.White, false)
		}
	}
}

// Layout returns the size of the picture.
func (g *Game) Layout(int, int) (int, int) { return width, height }

// rise moves the balloons; those that leave at the top come back at the bottom.
func rise(s world.State, seconds float32) world.State {
	for b := range moving.In(s) {
		positions, velocities := world.Column(b, position), world.Column(b, velocity)
		for i, v := range velocities {
			if positions[i].Y += float32(v.Y * seconds); positions[i].Y < 0 {
				positions[i].Y += height
			}
		}
	}
	return s
}

func main() {
	state := world.Must(world.CreateState(world.Counts{
		Recipes: []world.Recipe{balloon}, Random: true,
	}))
	state, r := world.NextStream(state)
	state = world.Must(world.SpawnN(state, balloon, 1_000, func(b world.Batch) {
		for i := range b.Len() {
			world.Column(b, position)[i] = Vector{r.Range(0, width), r.Range(0, height)}
		}
	}))
	if err := ebiten.RunGame(&Game{state}); err != nil {
		log.Fatal(err)
	}
}
