package tanks

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/prey"
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
	sc := *Scene
	sc.Make = func(o scene.Options) (world.State, []schedule.Job, error) {
		s, jobs, err := open(o)
		plants[bug](jobs)
		return s, jobs, err
	}
	g := prey.Of(&sc, scene.Options{Count: 6})
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
			return hulls.Count(s) <= 6 && world.Live(s) <= room*6
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

// A pipeline is the jobs of a step.
type pipeline []schedule.Job

func (p pipeline) job(name string) *schedule.Job {
	return &p[slices.IndexFunc(p, func(j schedule.Job) bool { return j.Name == name })]
}

// after does something after a job.
func (p pipeline) after(name string, do func(world.State) world.State) {
	sound := *p.job(name)
	*p.job(name) = schedule.Job{Name: name, Do: func(s world.State) (_ world.State, err error) {
		if s, err = ran(s, sound); err != nil {
			return s, err
		}
		return do(s), nil
	}}
}

// plants are what puts each bug into a pipeline.
var plants = map[string]func(p pipeline){
	"overflow": func(p pipeline) {
		*p.job("Hit") = schedule.Job{Name: "Hit", Do: func(s world.State) (world.State, error) {
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
	"mark": func(p pipeline) {
		p.after("Apply", func(s world.State) world.State {
			for b := range wrecked.In(s) {
				for i := range b.Len() {
					world.Record(s).Add(b.ID(i), Target)
				}
			}
			return world.Must(world.Apply(s))
		})
	},
	"equal": func(p pipeline) {
		*p.job("Fade") = schedule.Job{Name: "Fade", Run: func(s world.State) world.State {
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
	"side": func(p pipeline) {
		*p.job("Spot") = schedule.Job{Name: "Spot", Do: func(s world.State) (world.State, error) {
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
							world.Replace(c, b.ID(i), Target, all[0])
						}
					}
				}
			}
			return s, nil
		}}
	},
	"order": func(p pipeline) {
		*p.job("Apply"), *p.job("Place") = *p.job("Place"), *p.job("Apply")
	},
	"map": func(p pipeline) {
		p.after("Reinforce", func(s world.State) world.State {
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
	"hidden": func(p pipeline) {
		broken := 0
		p.after("Reinforce", func(s world.State) world.State {
			if hulls.Count(s) < 6 {
				if broken++; broken%2 == 0 {
					s, _ = world.NextStream(s)
				}
			}
			return s
		})
	},
	"nan": func(p pipeline) {
		sound := p.job("Drive").Run
		*p.job("Drive") = schedule.Job{Name: "Drive", Do: func(s world.State) (world.State, error) {
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
	"": func(pipeline) {},
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
		t.Run(p.bug, func(t *testing.T) {
			r, err := hunt.Run(steered(p.bug), hunt.Options{
				Workers: 1, Ticks: 500_000, Whole: true, Shrink: time.Minute,
			})
			require.NoError(t, err)
			require.NotNil(t, r.Failure, "%v", r)
			f := r.Failure
			assert.True(t, strings.HasPrefix(f.Property, p.property), f.Property)
			pressed := 0
			for tick := range slices.Chunk(f.Inputs, 2) {
				if tick[0] != 0 {
					pressed++
				}
			}
			t.Logf("%d ticks; %s, after %d: %d inputs in %d", r.Ticks, f.Property, f.Played, pressed, f.Ticks())
			assert.LessOrEqual(t, pressed, 20, "%v", f)
		})
	}
}

// BenchmarkSound plays so many matches, from the first tick on; a false alarm ends it.
func BenchmarkSound(b *testing.B) { sound(b, b.N) }

func TestASoundGame(t *testing.T) { sound(t, 10) }

func sound(tb testing.TB, matches int) {
	tb.Helper()
	const length = 100 // ticks
	for seed := uint64(0); matches > 0; seed++ {
		r, err := hunt.Run(steered(""), hunt.Options{
			Ticks: int64(matches) * length, Length: length, Memory: 1, Deep: 200, Seed: seed,
		})
		require.NoError(tb, err)
		require.Nil(tb, r.Failure, "%v", r)
		matches -= int(r.Runs)
	}
}
