package hunt_test

import (
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/schedule"
)

// The game that the tests hunt: eight heroes on a torus of 16 × 16 cells fight, give each other
// gold, drop it when they die and pick it up.

type (
	hero struct{ X, Y, HP, Gold int32 }
	pile struct{ X, Y, Gold int32 }
	keys [players]uint8
)

const players = 8

// What a player presses: two bits of direction, and these.
const (
	attack = 4 << iota
	pick
	give
)

var (
	heroes  = layout.NewComponent[hero]("hero")
	piles   = layout.NewComponent[pile]("pile")
	pressed = layout.NewField[keys]("pressed")
	input   = world.NewResource("input", pressed)

	heroRecipe = world.NewRecipe("hero", heroes)
	pileRecipe = world.NewRecipe("pile", piles)

	allHeroes = world.NewQuery(world.Write(heroes))
	allPiles  = world.NewQuery(world.Write(piles))
	eachHero  = world.NewQuery(world.Read(heroes))
	eachPile  = world.NewQuery(world.Read(piles))
)

func newMatch() (world.State, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: 256, Kinds: layout.Kinds(heroes, piles.Count(64)),
		Recipes: []world.Recipe{heroRecipe, pileRecipe}, Resources: []world.ResourceKind{input},
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, heroRecipe, players, func(b world.Batch) {
		for i := range world.Column(b, heroes) {
			world.Column(b, heroes)[i] = hero{int32(i), int32(i), 10, 100}
		}
	})
}

func hear(s world.State, bytes []byte) (world.State, error) {
	return world.SetResource(s, pressed, keys(bytes)), nil
}

// press plays as people do: they move, and seldom fight or give.
func press(r *world.Stream, _ world.State, input []byte) {
	for i := range input {
		input[i] = uint8(r.IntN(32))
		if r.IntN(2) == 0 {
			input[i] &^= attack
		}
		if r.IntN(4) > 0 {
			input[i] &^= give
		}
	}
}

// A bug is what a game of heroes does wrong; "" is a sound one.
type bug string

func game(b bug) hunt.Game {
	return hunt.Game{
		New: newMatch, Step: hear, Inputs: players, Play: press,
		Jobs: func() []schedule.Job {
			return []schedule.Job{
				job("move", b.move), job("fight", b.fight), job("give", b.give),
				{Name: "drop", Do: b.drop},
				{Name: "pick", Do: b.pick},
				job("revive", b.revive),
			}
		},
		Always: []hunt.Property{
			hunt.Same("gold", goldOf),
			hunt.Holds("on the field", onTheField),
		},
		Sometimes: []hunt.Property{hunt.Holds("a pile", func(s world.State) bool {
			return eachPile.Count(s) > 0
		})},
		Fields: []layout.AnyField{heroes, piles},
	}
}

func onTheField(s world.State) bool {
	for b := range eachHero.In(s) {
		for _, h := range world.Column(b, heroes) {
			if h.X < 0 || h.X > 15 || h.Y < 0 || h.Y > 15 {
				return false
			}
		}
	}
	return true
}

func goldOf(s world.State) (sum int64) {
	for b := range eachHero.In(s) {
		for _, h := range world.Column(b, heroes) {
			sum += int64(h.Gold)
		}
	}
	for b := range eachPile.In(s) {
		for _, p := range world.Column(b, piles) {
			sum += int64(p.Gold)
		}
	}
	return sum
}

// job returns a job that is called with all heroes, which lie in one batch, and the keys.
func job(name string, run func(h []hero, k keys)) schedule.Job {
	return schedule.Job{Name: name, Queries: []world.Query{allHeroes}, Run: turn(run).run}
}

type turn func(h []hero, k keys)

func (t turn) run(s world.State) world.State {
	for b := range allHeroes.In(s) {
		t(world.Column(b, heroes), world.Resource(s, pressed))
	}
	return s
}

func (b bug) move(h []hero, k keys) {
	for i := range h {
		d := [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}[k[i]&3]
		h[i].X, h[i].Y = (h[i].X+d[0])&15, (h[i].Y+d[1])&15
		if b == "border" && h[i].X == 15 && h[i].Y == 15 && k[i]&attack != 0 {
			h[i].X++
		}
	}
}

func (h *hero) meets(o *hero) bool { return h != o && h.X == o.X && h.Y == o.Y }

func (b bug) fight(h []hero, k keys) {
	for i := range h {
		if k[i]&attack == 0 || h[i].HP <= 0 {
			continue
		}
		for j := range h {
			if h[i].meets(&h[j]) {
				h[j].HP -= 4
			}
		}
	}
	if b == "panic" && h[3].HP <= 0 && h[3].Gold > 100 {
		_ = h[h[3].Gold]
	}
}

// give has the first bug: the dead keep what they give, which they drop as well.
func (b bug) give(h []hero, k keys) {
	for i := range h {
		if k[i]&give == 0 || h[i].HP <= 0 && b != "twice" {
			continue
		}
		for j := range h {
			if h[i].meets(&h[j]) && h[j].HP > 0 {
				h[j].Gold += h[i].Gold
				if h[i].HP > 0 {
					h[i].Gold = 0
				}
				break
			}
		}
	}
	if b == "map" {
		for d := range map[int32]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true} {
			h[0].X = (h[0].X + d) & 15
			break
		}
	}
}

func (b bug) drop(s world.State) (world.State, error) {
	for batch := range allHeroes.In(s) {
		h := world.Column(batch, heroes)
		for i := range h {
			if h[i].HP > 0 || h[i].Gold == 0 {
				continue
			}
			world.Record(s).Spawn(pileRecipe, piles.Value(pile{h[i].X, h[i].Y, h[i].Gold}))
			h[i].Gold = 0
		}
	}
	return world.Apply(s)
}

// hidden is what a game must not have: state beside the world.
var hidden atomic.Int64

func (b bug) pick(s world.State) (world.State, error) {
	k := world.Resource(s, pressed)
	for batch := range allHeroes.In(s) {
		h := world.Column(batch, heroes)
		for i := range h {
			if k[i]&pick == 0 || h[i].HP <= 0 {
				continue
			}
			for there := range allPiles.In(s) {
				p := world.Column(there, piles)
				for n := range p {
					if p[n].Gold == 0 || p[n].X != h[i].X || p[n].Y != h[i].Y {
						continue
					}
					h[i].Gold += p[n].Gold
					if p[n].Gold = 0; b == "lost" && k[i]&give != 0 {
						h[i].Gold -= 100
					}
					there.Dispose(n)
				}
			}
			if b == "hidden" && hidden.Add(1)%100 == 0 {
				h[i].HP++
			}
		}
	}
	return world.Apply(s)
}

func (b bug) revive(h []hero, _ keys) {
	for i := range h {
		if h[i].HP <= 0 {
			h[i] = hero{int32(i), int32(i), 10, h[i].Gold}
		}
	}
}
