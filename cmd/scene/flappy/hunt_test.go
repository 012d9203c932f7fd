package flappy

import (
	"math"
	"os"
	"testing"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
)

// planted are bugs, which were written down before the first of them was hunted.
var planted = []struct {
	bug      string
	property string // that does not hold
}{
	{"border", "on the canvas"}, // off by one at the upper edge
	{"pipe stays", "pairs"},     // of two that leave, one is disposed of
	{"pipes stay", "empty"},     // another game begins with the pipes of the one before
	{"hidden", "the same"},      // a counter beside the world
	{"nan", "no "},              // the root of a negative number; ecsdebug panics
	{"overflow", "points"},      // steps in a byte
	{"order", "on the canvas"},  // the bird moves after it is looked at
}

var tally = world.NewQuery(world.Read(points))

// hunted returns the game, with a bug or "".
func hunted(bug string) hunt.Game {
	sc := scenetest.Planted(Scene, plants[bug])
	g := prey.Of(sc, scene.Options{Variant: Steps})
	g.Always = []hunt.Property{
		hunt.Holds("on the canvas", func(s world.State) bool {
			for b := range bodies.In(s) {
				for i, p := range world.Column(b, at) {
					if p[1] < 0 || p[1]+world.Column(b, extent)[i][1] > floorTop {
						return false
					}
				}
			}
			return true
		}),
		hunt.Holds("pairs", func(s world.State) bool {
			n := obstacles.Count(s)
			return n%2 == 0 && n <= 6
		}),
		hunt.Holds("touching ends it", func(s world.State) bool {
			if world.Resource(s, over) != 0 || world.Resource(s, waits) != 0 {
				return true
			}
			for b := range bodies.In(s) {
				for i, p := range world.Column(b, at) {
					if touches(s, p, world.Column(b, extent)[i]) {
						return false
					}
				}
			}
			return true
		}),
		hunt.Holds("empty", func(s world.State) bool {
			return world.Resource(s, waits) == 0 || obstacles.Count(s) == 0
		}),
		hunt.Holds("points", func(s world.State) bool {
			for b := range tally.In(s) {
				for _, n := range world.Column(b, points) {
					if world.Resource(s, over) == 0 && n > uint64(world.Resource(s, steps)) {
						return false
					}
				}
			}
			return true
		}),
	}
	g.Fields = []layout.AnyField{at, points}
	return g
}

// plants are what puts each bug into a pipeline.
var plants = map[string]func(p scenetest.Pipeline){
	"border": func(p scenetest.Pipeline) {
		p.Job("Collision").Do = func(s world.State) (world.State, error) {
			high := float32(0)
			for b := range bodies.In(s) {
				high = world.Column(b, at)[0][1]
			}
			s, err := collide(s)
			for b := range birds.In(s) {
				if high < 0 && high > -1 {
					world.Column(b, at)[0][1] = high
				}
			}
			return s, err
		}
	},
	"pipe stays": func(p scenetest.Pipeline) {
		p.Job("Obstacle").Do = func(s world.State) (world.State, error) {
			var gone []world.GameObject
			for b := range pipes.In(s) {
				for i, p := range world.Column(b, at) {
					if p[0]+world.Column(b, extent)[i][0] < 2 {
						gone = append(gone, b.ID(i))
					}
				}
			}
			if len(gone) > 1 {
				s, _ = world.Dispose(s, gone[0])
			}
			return makeWay(s)
		}
	},
	"pipes stay": func(p scenetest.Pipeline) {
		p.Job("Event").Do = func(s world.State) (world.State, error) {
			again := world.Resource(s, over) != 0 && world.Resource(s, steps) >= restartSteps
			if again && scene.Pressed(s) != 0 && world.Resource(s, down) == 0 {
				return begin(world.SetResource(s, down, 1)), nil
			}
			return hear(s)
		}
	},
	"hidden": func(p scenetest.Pipeline) {
		made := 0
		p.Job("Obstacle").Do = func(s world.State) (world.State, error) {
			had := world.Len(s)
			s, err := makeWay(s)
			if world.Len(s) > had {
				if made++; made%3 == 0 {
					s = world.SetResource(s, way, world.Resource(s, way)-10)
				}
			}
			return s, err
		}
	},
	"nan": func(p scenetest.Pipeline) {
		p.Job("Rotate").Run = func(s world.State) world.State {
			for b := range tilting.In(s) {
				for i, v := range world.Column(b, vy) {
					root := math.Sqrt(float64(36 - float32(v*v)))
					world.Column(b, angle)[i] = float32(root)
				}
			}
			return s
		}
	},
	"overflow": func(p scenetest.Pipeline) {
		p.Job("Event").Do = func(s world.State) (world.State, error) {
			s, err := hear(s)
			return world.SetResource(s, steps, uint32(uint8(world.Resource(s, steps)))), err
		}
	},
	"order": func(p scenetest.Pipeline) {
		*p.Job("Collision"), *p.Job("Velocity") = *p.Job("Velocity"), *p.Job("Collision")
	},
	"": func(scenetest.Pipeline) {},
}

// TestPlantedBugs: each is found, and by few inputs.
func TestPlantedBugs(t *testing.T) {
	for _, p := range planted {
		if os.Getenv("FLATECS_FULL") == "" && p.bug != "border" && p.bug != "pipes stay" {
			continue
		}
		t.Run(p.bug, func(t *testing.T) { scenetest.Finds(t, hunted(p.bug), p.property, 5_000_000) })
	}
}

func sound() hunt.Game { return hunted("") }

func BenchmarkSound(b *testing.B) { scenetest.Sound(b, sound, b.N) }

func TestASoundGame(t *testing.T) { scenetest.Sound(t, sound, 30) }
