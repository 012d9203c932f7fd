package tanks

import (
	"os"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/schedule"
)

// planted are bugs, which were written down before the first of them was hunted.
var planted = []struct {
	bug      string
	property string // that does not hold
	short    bool   // hunted with -short, too
}{
	{"overflow", "armour", false}, // two shells hit what bears one more
	{"mark", "wrecks", false},     // a wreck goes on to aim
	{"equal", "fading", true},     // a number is compared that steps over zero
	{"side", "targets", true},     // a turret aims at its own side
	{"order", "placed", true},     // what is made is placed in the next step
	{"map", "the same", false},    // who is reinforced depends on the order of a map
	{"hidden", "the same", false}, // a counter beside the world
	{"nan", "placed", false},      // a way of length 0; ecsdebug panics
}

// steered is the battle, in which a player sends tanks to goals: of an input, one byte says which
// tank, and 0 none; the other one, where.
func steered(bug string) hunt.Game {
	sc := scenetest.Planted(Scene, plants[bug])
	g := prey.Of(sc, scene.Options{Count: 6})
	g.Inputs = 2
	g.Step = steer
	g.Play = func(r *world.Stream, _ world.State, input []byte) {
		if r.IntN(4) == 0 {
			input[0], input[1] = byte(r.IntN(7)), byte(r.Uint64())
		}
	}
	g.Always = []hunt.Property{
		hunt.NoDangling,
		hunt.Holds("armour", func(s world.State) bool {
			for b := range tough.In(s) {
				for _, n := range world.Column(b, armour) {
					if n == 0 || n > hits {
						return false
					}
				}
			}
			return true
		}),
		hunt.Holds("fading", func(s world.State) bool {
			for b := range faint.In(s) {
				if slices.Min(world.Column(b, left)) <= 0 {
					return false
				}
			}
			return true
		}),
		hunt.Holds("wrecks", func(s world.State) bool { return aimingWrecks.Count(s) == 0 }),
		hunt.Holds("targets", func(s world.State) bool {
			for b := range spotting.In(s) {
				for i, at := range world.Column(b, Target) {
					if of, err := world.Get(s, at, side); err == nil && of == world.Column(b, side)[i] {
						return false
					}
				}
			}
			return true
		}),
		hunt.Holds("placed", func(s world.State) bool {
			for b := range roots.In(s) {
				for i, at := range world.Column(b, pose.Global2) {
					if at != world.Column(b, pose.Local2)[i] {
						return false
					}
				}
			}
			return true
		}),
		hunt.Holds("tanks", func(s world.State) bool {
			return hulls.Count(s) <= 6 && world.Len(s) <= room*6
		}),
	}
	g.Fields = []layout.AnyField{armour, loading, heroes.Position}
	return g
}

var (
	tough        = world.NewQuery(world.Read(armour))
	faint        = world.NewQuery(world.Read(left))
	aimingWrecks = world.NewQuery(world.With(Target, Fading))
	roots        = world.NewQuery(world.Read(pose.Local2, pose.Global2), world.Without(family.ChildOf))
	goals        = world.NewQuery(world.Write(goal), world.Read(pose.Global2))
)

func steer(s world.State, in []byte) (world.State, error) {
	n := int(in[0])
	if n == 0 {
		return s, nil
	}
	for b := range goals.In(s) {
		to, at := world.Column(b, goal), world.Column(b, pose.Global2)
		for i := range to {
			if n--; n == 0 {
				to[i] = [2]float32{30 + float32(10*int(in[1]&15)), 30 + float32(5*int(in[1]>>4))}
				if in[1] == 255 {
					to[i] = at[i].Position() // it stays
				}
			}
		}
	}
	return s, nil
}

// after does something after a job.
func after(p scenetest.Pipeline, name string, do func(world.State) world.State) {
	sound := *p.Job(name)
	*p.Job(name) = schedule.Job{Name: name, Do: func(s world.State) (_ world.State, err error) {
		if s, err = ran(s, sound); err != nil {
			return s, err
		}
		return do(s), nil
	}}
}

// plants are what puts each bug into a pipeline.
var plants = map[string]func(p scenetest.Pipeline){
	"overflow": func(p scenetest.Pipeline) {
		*p.Job("Hit") = schedule.Job{Name: "Hit", Do: func(s world.State) (world.State, error) {
			c := world.Record(s)
			for b := range bearing.In(s) {
				at, strong := world.Column(b, heroes.Position), world.Column(b, armour)
				for i := range at {
					for _, id := range shellsAround(s, at[i], world.Column(b, side)[i]) {
						strong[i]--
						c.Dispose(id)
					}
					if strong[i] == 0 {
						b.Dispose(i)
						burst(c, at[i], flame)
					}
				}
			}
			return s, nil
		}}
	},
	"mark": func(p scenetest.Pipeline) {
		after(p, "Apply", func(s world.State) world.State {
			for b := range wrecked.In(s) {
				for i := range b.Len() {
					world.Record(s).Add(b.ID(i), Target)
				}
			}
			return world.Must(world.Apply(s))
		})
	},
	"equal": func(p scenetest.Pipeline) {
		*p.Job("Fade") = schedule.Job{Name: "Fade", Run: func(s world.State) world.State {
			for b := range fading.In(s) {
				n := world.Column(b, left)
				for i := range n {
					if n[i] -= 1.5; n[i] == 0 {
						b.Dispose(i)
					}
				}
			}
			return s
		}, Queries: []world.Query{fading}}
	},
	"side": func(p scenetest.Pipeline) {
		*p.Job("Spot") = schedule.Job{Name: "Spot", Do: func(s world.State) (world.State, error) {
			all := []world.GameObject{}
			for b := range hulls.In(s) {
				for i := range b.Len() {
					all = append(all, b.ID(i))
				}
			}
			c := world.Record(s)
			for b := range spotting.In(s) {
				for i, at := range world.Column(b, Target) {
					if !world.Alive(s, at) && len(all) > 0 {
						from := flat(world.Must(world.Get(s, all[0], heroes.Position)))
						if square(minus(from, world.Column(b, pose.Global2)[i].Position())) > 400 {
							world.Put(c, b.ID(i), Target, all[0])
						}
					}
				}
			}
			return s, nil
		}}
	},
	"order": func(p scenetest.Pipeline) {
		*p.Job("Apply"), *p.Job("Place") = *p.Job("Place"), *p.Job("Apply")
	},
	"map": func(p scenetest.Pipeline) {
		after(p, "Reinforce", func(s world.State) world.State {
			if hulls.Count(s) < 6 {
				for n := range map[uint64]bool{1: true, 2: true, 3: true, 4: true} {
					for range n {
						s, _ = world.NextStream(s)
					}
					break
				}
			}
			return s
		})
	},
	"hidden": func(p scenetest.Pipeline) {
		broken := 0
		after(p, "Reinforce", func(s world.State) world.State {
			if hulls.Count(s) < 6 {
				if broken++; broken%2 == 0 {
					s, _ = world.NextStream(s)
				}
			}
			return s
		})
	},
	"nan": func(p scenetest.Pipeline) {
		sound := p.Job("Drive").Run
		*p.Job("Drive") = schedule.Job{Name: "Drive", Do: func(s world.State) (world.State, error) {
			ahead := map[world.GameObject]float32{}
			for b := range driving.In(s) {
				for i, to := range world.Column(b, goal) {
					way := minus(to, world.Column(b, pose.Local2)[i].Position())
					ahead[b.ID(i)] = way[0] / length(way)
				}
			}
			s = sound(s)
			for b := range driving.In(s) {
				for i := range b.Len() {
					world.Column(b, pose.Local2)[i].X += float32(.01 * ahead[b.ID(i)])
				}
			}
			return s, nil
		}}
	},
	"": func(scenetest.Pipeline) {},
}

// shellsAround returns the shells of other sides that hit a hull.
func shellsAround(s world.State, at [3]float32, own uint8) (ids []world.GameObject) {
	for b := range shells.In(s) {
		for i, p := range world.Column(b, heroes.Position) {
			of := world.Must(world.Get(s, b.ID(i), side))
			if of != own && square(minus(flat(p), flat(at))) <= 81 {
				ids = append(ids, b.ID(i))
			}
		}
	}
	return ids
}

// ran runs a job alone.
func ran(s world.State, j schedule.Job) (world.State, error) {
	if j.Do != nil {
		return j.Do(s)
	}
	return j.Run(s), nil
}

// TestPlantedBugs: each is found, and by few inputs.
func TestPlantedBugs(t *testing.T) {
	for _, p := range planted {
		if os.Getenv("FLATECS_FULL") == "" && !p.short {
			continue
		}
		t.Run(p.bug, func(t *testing.T) { scenetest.Finds(t, steered(p.bug), p.property, 500_000) })
	}
}

func sound() hunt.Game { return steered("") }

func BenchmarkSound(b *testing.B) { scenetest.Sound(b, sound, b.N) }

func TestASoundGame(t *testing.T) { scenetest.Sound(t, sound, 10) }
