//go:build unix

// Command cartpole balances a pole on a cart, as docs/GYM.md says.
package main

import (
	"log"
	"math"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/cmd/gym"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type motion struct{ X, V, A, W float32 } // cart: metres; pole: radians from upright

var (
	moving = layout.NewField[motion]("motion")
	frames = layout.NewField[uint16]("frames")
	kind   = layout.NewKind("cart", moving, frames)
	cart   = world.NewRecipe("cart", kind)
	carts  = world.NewQuery(world.Write(moving, frames))
)

const edge, lean, none = 2.4, 12 * 2 * math.Pi / 360, math.MaxFloat32

var pole = gym.Env[float32, uint8]{ // observations, actions
	Name: "cartpole", Behaviour: 1, Action: gym.Space{N: 2},
	Observation: gym.Space{
		Shape: []int{4},
		Low:   []float32{-2 * edge, -none, -2 * lean, -none},
		High:  []float32{2 * edge, none, 2 * lean, none},
	},
	Counts: func(n int) world.Counts { // n is 1, but for a column
		return world.Counts{
			GameObjects: n, Kinds: layout.Kinds(kind.Count(n)), Recipes: []world.Recipe{cart},
		}
	},
	Reset: func(s world.State, n int) world.State { // from the random numbers of the episode's seed
		s, r := world.NextStream(s)
		return world.Must(world.SpawnN(s, cart, n, func(b world.Batch) {
			for i := range b.Len() {
				world.Column(b, moving)[i] = rest(&r)
			}
		}))
	},
	Step: func(s world.State, actions []uint8) world.State {
		for b := range carts.In(s) {
			m, n := world.Column(b, moving), world.Column(b, frames)
			for i, action := range actions[b.ID(0).Index():][:len(m)] {
				m[i], n[i] = move(m[i], action), n[i]+1
			}
		}
		return world.Advance(s)
	},
	Observe: func(dst []float32, s world.State) {
		for i, m := range world.View(s, moving) {
			dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = m.X, m.V, m.A, m.W
		}
	},
	Reward: func(dst []float32, s world.State) {
		for i := range dst {
			dst[i] = 1
		}
	},
	Done: func(terminated, truncated []bool, s world.State) {
		for i, m := range world.View(s, moving) {
			terminated[i] = m.X < -edge || m.X > edge || m.A < -lean || m.A > lean
			truncated[i] = world.View(s, frames)[i] >= 500
		}
	},
	Again: func(s world.State, over []bool) world.State { // for a column; nil: there is none
		for b := range carts.In(s) {
			for i, is := range over[b.ID(0).Index():][:b.Len()] {
				if is {
					r := world.Random(s, uint64(b.ID(i)))
					world.Column(b, moving)[i], world.Column(b, frames)[i] = rest(&r), 0
				}
			}
		}
		return s
	},
}

func rest(r *world.Stream) motion {
	return motion{r.Range(-.05, .05), r.Range(-.05, .05), r.Range(-.05, .05), r.Range(-.05, .05)}
}

// move takes a motion on by 0.02 seconds of Euler's method. No product is fused with a sum.
func move(m motion, action uint8) motion {
	const tau, gravity, pole, total, half, moment = .02, 9.8, .1, 1.1, .5, .05
	force := float32(20*int(action) - 10)
	sin, cos := exact.Sincos(m.A)
	push := (force + float32(float32(moment*float32(m.W*m.W))*sin)) / total
	turn := (float32(gravity*sin) - float32(cos*push)) /
		(half * (float32(4./3) - float32(pole*float32(cos*cos))/total))
	pull := push - float32(float32(moment*turn)*cos)/total
	return motion{
		m.X + float32(tau*m.V), m.V + float32(tau*pull),
		m.A + float32(tau*m.W), m.W + float32(tau*turn),
	}
}

func main() {
	if err := gym.Serve(&pole); err != nil {
		log.Fatal(err)
	}
}
