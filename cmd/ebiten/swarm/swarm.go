// Package swarm is the world of the heroes in the window: what there is, and one step of it. It
// knows nothing of windows, so it runs and is tested without one.
package swarm

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Reach is how far the world goes from its middle, in world units, in each direction.
const Reach = 100

// What a hero has. A super hero has the mark too.
var (
	Place = layout.NewComponent[[2]float32]("place") // world units from the middle; right, down
	Speed = layout.NewComponent[[2]float32]("speed") // world units per second
	Super = layout.NewMark("super")

	hero      = world.NewRecipe("hero", Place, Speed)
	superHero = world.NewRecipe("super hero", Place, Speed, Super)
)

// The objects that are drawn, by their looks.
var (
	Normals = world.NewQuery(world.Read(Place, Speed), world.Without(Super))
	Supers  = world.NewQuery(world.Read(Place, Speed), world.With(Super))
)

var moving = world.NewQuery(world.Write(Place, Speed))

// New makes a world with so many heroes in it. Whoever makes it closes it.
func New(heroes, supers int) (world.State, error) {
	s, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(Place, Speed, Super), Seed: 1,
		Recipes: []world.Recipe{hero, superHero},
	})
	if err != nil {
		return s, err
	}
	if s, err = spawn(s, hero, heroes, 20); err == nil {
		s, err = spawn(s, superHero, supers, 60)
	}
	if err != nil {
		world.Close(s)
	}
	return s, err
}

// More adds heroes, all of them or, with an error, none.
func More(s world.State, heroes int) (world.State, error) { return spawn(s, hero, heroes, 20) }

// spawn adds objects anywhere, which go any way, at fastest world units per second along each axis.
func spawn(s world.State, r world.Recipe, n int, fastest float32) (world.State, error) {
	s, dice := world.NextStream(s)
	return world.SpawnN(s, r, n, func(b world.Batch) {
		place, speed := world.Column(b, Place), world.Column(b, Speed)
		for i := range place {
			place[i] = [2]float32{dice.Range(-Reach, Reach), dice.Range(-Reach, Reach)}
			speed[i] = [2]float32{dice.Range(-fastest, fastest), dice.Range(-fastest, fastest)}
		}
	})
}

// Input is what the player does during a step.
type Input struct {
	Pressed bool       // the button, or a finger
	At      [2]float32 // where, in world units
}

// Step takes the world through one step. Heroes bounce off the edges; while the player presses,
// they are pulled there.
func Step(s world.State, seconds float32, in Input) world.State {
	for b := range moving.In(s) {
		place, speed := world.Column(b, Place), world.Column(b, Speed)
		for i := range place {
			for axis := range 2 {
				p, v := place[i][axis], speed[i][axis]
				if in.Pressed {
					v += float32((in.At[axis] - p) * seconds)
				}
				p += float32(v * seconds)
				if p < -Reach && v < 0 || p > Reach && v > 0 {
					v = -v
				}
				place[i][axis], speed[i][axis] = p, v
			}
		}
	}
	return world.Advance(s)
}
