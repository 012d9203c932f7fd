package neighbours

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

// Bullets fly through a crowd of enemies, and take health from all that they hit.
const (
	hit    = 5   // radius, world units
	spent  = 120 // frames that a bullet flies
	tough  = 20  // health of a new enemy
	volley = 4   // bullets per enemy
)

// A shooter makes what comes new, always in the same order, on a plane.
type shooter struct {
	*rand.Rand
	n    int     // enemies
	edge float32 // of the plane
	hits int
}

// newShooter is one with so many enemies in a square of the edge of a cell.
func newShooter(n int, dense float32) shooter {
	edge := float32(hit)
	for float32(edge*edge)*dense < float32(n)*hit*hit {
		edge += hit
	}
	return shooter{rand.New(rand.NewPCG(3, 4)), n, edge, 0}
}

func (s *shooter) place() Vec { return Vec{s.Float32() * s.edge, s.Float32() * s.edge} }

func (s *shooter) flight() Vec { return Vec{6 * (s.Float32() - .5), 6 * (s.Float32() - .5)} }

func (s *shooter) hit() int { return s.hits }
func (s *shooter) close()   {}

var (
	flight = layout.NewComponent[Vec]("flight")
	ahead  = layout.NewComponent("frames ahead", int32(spent))
	health = layout.NewComponent("health", int32(tough))
	bullet = world.NewRecipe("bullet", place, flight, ahead)
	enemy  = world.NewRecipe("enemy", place, health)

	flying   = world.NewQuery(world.Write(place, ahead), world.Read(flight))
	shooting = world.NewQuery(world.Read(place, ahead))
	standing = world.NewQuery(world.Read(health))
)

// A hell is the program as one writes it: recipes, free room, one system after another.
type hell struct {
	shooter
	state   world.State
	enemies *space.Cells[Vec]
}

func newHell(n int, dense float32, bounded bool) *hell {
	h := &hell{shooter: newShooter(n, dense)}
	h.state = world.Must(world.CreateState(world.Counts{
		Recipes: []world.Recipe{bullet, enemy},
	}))
	o := space.Options{Size: hit, Query: world.NewQuery(world.With(health))}
	if bounded {
		o.Low, o.High = []float64{0, 0}, []float64{float64(h.edge), float64(h.edge)}
	}
	h.enemies = world.Must(space.NewCells(h.state, place, o))
	h.state = h.shoot(h.state)
	return h
}

func (h *hell) ready() { h.state = h.enemies.Build(h.state, nil) }

func (h *hell) ask() {
	near := h.enemies.In(h.state)
	for b := range shooting.In(h.state) {
		for _, at := range world.Column(b, place) {
			for range near.Near(at, hit) {
				h.hits++
			}
		}
	}
}

func (h *hell) close() { world.Close(h.state) }

func (h *hell) play() {
	h.state = world.Advance(h.state)
	h.state = h.fly(h.state)
	h.state = h.collide(h.state)
	h.state = h.fall(h.state)
	h.state = h.shoot(h.state)
}

func (h *hell) fly(s world.State) world.State {
	for b := range flying.In(s) {
		at, v, left := world.Column(b, place), world.Column(b, flight), world.Column(b, ahead)
		for i := range at {
			at[i].X += v[i].X
			at[i].Y += v[i].Y
			left[i]--
		}
	}
	return s
}

func (h *hell) collide(s world.State) world.State {
	s = h.enemies.Build(s, nil)
	near, hp := h.enemies.In(s), world.OpenWrite(s, health)
	ids := near.IDs()
	for b := range shooting.In(s) {
		at, left := world.Column(b, place), world.Column(b, ahead)
		for i := range at {
			gone := left[i] <= 0
			for e := range near.Near(at[i], hit) {
				*hp.At(ids[e]) -= 3
				h.hits++
				gone = true
			}
			if gone {
				b.Dispose(i)
			}
		}
	}
	return world.Must(world.Apply(s))
}

func (h *hell) fall(s world.State) world.State {
	for b := range standing.In(s) {
		for i, hp := range world.Column(b, health) {
			if hp <= 0 {
				b.Dispose(i)
			}
		}
	}
	return world.Must(world.Apply(s))
}

// shoot makes as many enemies and bullets as are missing.
func (h *hell) shoot(s world.State) world.State {
	missing := h.n - standing.Count(s)
	s = world.Must(world.SpawnN(s, enemy, missing, func(b world.Batch) {
		for i := range world.Column(b, place) {
			world.Column(b, place)[i] = h.place()
		}
	}))
	return world.Must(world.SpawnN(s, bullet, volley*h.n-shooting.Count(s), func(b world.Batch) {
		at, v := world.Column(b, place), world.Column(b, flight)
		for i := range at {
			at[i], v[i] = h.place(), h.flight()
		}
	}))
}

// A game is a way to write it.
type game interface {
	play()  // a frame
	ready() // puts the enemies into cells
	ask()   // finds what the bullets hit, and nothing else
	hit() int
	close()
}

// bullets are frames of the game, and the part of them that finds what the bullets hit. One enemy
// in twenty cells is usual; three in two cells is a crowd.
func bullets() (cases []harness.Case) {
	for _, way := range []struct {
		name, title string
		dense       float32
		run         func(game)
	}{
		{"bullets", "A frame of bullets among enemies", .05, game.play},
		{"bullets_near", "What these hit", .05, game.ask},
		{"bullets_crowd", "What they hit in a crowd", 1.6, game.ask},
	} {
		games := map[string]func(n int) game{
			"flatecs":            func(n int) game { return newHell(n, way.dense, true) },
			"flatecs, no bounds": func(n int) game { return newHell(n, way.dense, false) },
			"grid by hand":       func(n int) game { return newPlainHell(n, way.dense) },
		}
		cases = append(cases, harness.Case{
			Name: way.name, Title: way.title, Per: "bullet", Sizes: []int{1_000, 10_000},
			Who:     []string{"flatecs", "flatecs, no bounds", "grid by hand"},
			Against: []string{"grid by hand"},
			How:     []string{"n enemies, and four bullets for each"},
			Make: func(who string, n int) harness.Work {
				g := games[who](n)
				g.ready()
				return harness.Work{
					Run: func() { way.run(g) }, Of: volley * n, Close: g.close,
					Check: func() harness.Result {
						g := games[who](n)
						defer g.close()
						for range 3 {
							g.play()
							g.ready()
							g.ask()
						}
						return harness.Result{Count: g.hit()}
					},
				}
			},
		})
	}
	return cases
}
