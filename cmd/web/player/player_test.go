package player_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/cmd/web/player"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

func opened(t *testing.T, sc *scene.Scene, o scene.Options, memory int) *player.Player {
	t.Helper()
	p := world.Must(player.Open(sc, o, memory))
	t.Cleanup(p.Close)
	return p
}

const room = 8 << 20

func cubesOf(count int) scene.Options { return scene.Options{Count: count, Seed: 3} }

func TestTimePassesAtTheSpeed(t *testing.T) {
	p := opened(t, cubes.Scene, cubesOf(10), room)
	assert.Equal(t, 6, p.Pass(6*scene.StepTime))
	assert.Zero(t, p.Pass(scene.StepTime/2))
	assert.Equal(t, 1, p.Pass(scene.StepTime-scene.StepTime/2), "what was owed counts")
	p.Speed = .25
	assert.Equal(t, 2, p.Pass(8*scene.StepTime))
	p.Speed = 4
	assert.Equal(t, player.MaxSteps, p.Pass(time.Second))
	assert.Zero(t, p.Pass(0), "what could not be paid is forgotten")
	p.Paused = true
	assert.Zero(t, p.Pass(time.Second))
	p.Paused = false
	assert.Zero(t, p.Pass(0))
	assert.EqualValues(t, 6+1+2+player.MaxSteps, p.Now())
}

func TestASlowMachineStopsAtItsBudget(t *testing.T) {
	p := opened(t, cubes.Scene, cubesOf(10), room)
	now := time.Duration(0)
	p.Clock = func() time.Duration { now += time.Millisecond; return now }
	p.Budget = 4 * time.Millisecond
	assert.Equal(t, 4, p.Pass(time.Second))
	p.Budget = 1
	assert.Equal(t, 1, p.Pass(time.Second), "one is always done")
}

func TestEveryPressIsSeenOnce(t *testing.T) {
	const up, down = 0, 1
	for _, c := range []struct {
		name string
		does []string // before each step: letters press and release
		seen []scene.Input
	}{
		{"held", []string{"d", "", "u", ""}, []scene.Input{down, down, up, up}},
		{"short", []string{"du", "", ""}, []scene.Input{down, up, up}},
		{"twice in a step", []string{"dudu", "", ""}, []scene.Input{down, up, up}},
		{"again at once", []string{"du", "du", "", ""}, []scene.Input{down, up, down, up}},
		{"again and held", []string{"du", "d", "", "u"}, []scene.Input{down, up, down, up}},
		{"held twice", []string{"d", "d", "u"}, []scene.Input{down, down, up}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen []scene.Input
			p := opened(t, watched(&seen), scene.Options{Seed: 1}, room)
			for _, does := range c.does {
				for _, d := range does {
					if d == 'd' {
						p.Hold(1)
					} else {
						p.Release(1)
					}
				}
				p.Step()
			}
			assert.Equal(t, c.seen, seen)
		})
	}
}

// travels are the scenes to go back in, with what is pressed at a step, and how much is kept.
var travels = []struct {
	name   string
	scene  *scene.Scene
	o      scene.Options
	memory int
}{
	{"cubes, a chapter per step", cubes.Scene, cubesOf(5), 64 << 20},
	{"cubes, long chapters", cubes.Scene, cubesOf(200), 1 << 20},
	{"flappy", flappy.Scene, scene.Options{Seed: 5}, 1 << 20},
}

func press(p *player.Player, step uint64) {
	p.Release(1)
	if step%17 < 3 {
		p.Hold(1)
	}
}

func TestThePastIsAsItWas(t *testing.T) {
	for _, c := range travels {
		t.Run(c.name, func(t *testing.T) {
			const last = 400
			p := opened(t, c.scene, c.o, c.memory)
			digests := []uint64{world.Digest(p.State())}
			for step := range uint64(last) {
				press(p, step)
				p.Step()
				digests = append(digests, world.Digest(p.State()))
			}
			require.Less(t, p.Oldest(), uint64(last-60))
			for i := range uint64(60) {
				to := p.Oldest() + i*i*131%(last+1-p.Oldest())
				require.Equal(t, to, p.Seek(to))
				require.Equal(t, digests[to], world.Digest(p.State()), "step %d", to)
				require.EqualValues(t, last, p.Newest())
			}
			assert.EqualValues(t, last, p.Seek(1<<40))
			assert.Equal(t, digests[last], world.Digest(p.State()))
			assert.Equal(t, p.Oldest(), p.Seek(0))
		})
	}
}

func TestAStepInThePastBeginsAnotherFuture(t *testing.T) {
	for _, c := range travels[1:] {
		for _, back := range []uint64{1, 7, 30, 59, 60} {
			p, model := opened(t, c.scene, c.o, c.memory), opened(t, c.scene, c.o, 0)
			for step := range uint64(120) {
				press(p, step)
				p.Step()
				if step < 120-back {
					press(model, step)
					model.Step()
				}
			}
			p.Seek(120 - back)
			require.Equal(t, world.Digest(model.State()), world.Digest(p.State()), c.name)
			for step := range uint64(100) {
				for _, q := range []*player.Player{p, model} {
					q.Release(1)
					if step == 0 { // as Seek has it: nothing is down
						q.Step()
						continue
					}
					press(q, step*3)
					q.Step()
				}
				require.Equal(t, p.Now(), p.Newest())
				require.Equal(t, world.Digest(model.State()), world.Digest(p.State()), "%s, back %d, step %d", c.name, back, step)
			}
			at, digest := p.Now(), world.Digest(p.State())
			p.Seek(at - 100)
			p.Seek(at)
			require.Equal(t, digest, world.Digest(p.State()), "the new future is kept")
		}
	}
}

func TestThePilotPlays(t *testing.T) {
	o := scene.Options{Seed: 5, Variant: flappy.Passed}
	p := opened(t, flappy.Scene, o, room)
	p.Pilot = true
	model := opened(t, alone(flappy.Scene), o, 0)
	model.Pilot = true
	for range 600 {
		p.Step()
		model.Step()
	}
	assert.NotEqual(t, world.Digest(model.State()), world.Digest(p.State()), "it presses")
	digest := world.Digest(p.State())
	p.Seek(300)
	p.Seek(600)
	assert.Equal(t, digest, world.Digest(p.State()), "and what it pressed is kept")
}

// alone returns a scene without its pilot.
func alone(s *scene.Scene) *scene.Scene {
	copied := *s
	copied.Pilot = nil
	return &copied
}

// Inputs and an input of chance say all of a future: another player takes the same steps by them.
func TestInputsSayAllOfAFuture(t *testing.T) {
	for _, sc := range []*scene.Scene{flappy.Scene, tanks.Scene} {
		o := scene.Options{Seed: 5, Count: 10}
		p, model := opened(t, sc, o, room), opened(t, sc, o, 0)
		p.Pilot = true
		for range 100 {
			p.Step()
		}
		same := world.Digest(p.State())
		p.Seek(70)
		p.Hold(player.Chance)
		for range 30 {
			p.Step()
			p.Release(player.Chance)
		}
		assert.NotEqual(t, same, world.Digest(p.State()), "a random number more")
		for _, input := range p.Inputs() {
			model.Hold(scene.Input(input))
			model.Step()
			model.Release(scene.Input(input))
		}
		require.Equal(t, world.Digest(model.State()), world.Digest(p.State()), sc.Name)
		p.Seek(10)
		p.Seek(100)
		assert.Equal(t, world.Digest(model.State()), world.Digest(p.State()), sc.Name)
		assert.Len(t, p.Inputs(), 100)
	}
}

func TestWithoutMemoryThereIsNoPast(t *testing.T) {
	p := opened(t, cubes.Scene, cubesOf(10), 0)
	p.Step()
	p.Step()
	assert.EqualValues(t, 2, p.Oldest())
	assert.EqualValues(t, 2, p.Seek(0))
}

func TestAllocsOfAStep(t *testing.T) {
	p := opened(t, flappy.Scene, scene.Options{Seed: 1}, room)
	p.Pilot = true
	for range 10 {
		p.Step()
	}
	assert.Zero(t, testing.AllocsPerRun(500, p.Step))
}

func TestAPictureIsDrawn(t *testing.T) {
	p := opened(t, cubes.Scene, cubesOf(10), room)
	view := scene.NewView(cubes.Scene, &render.Ledger{})
	report := world.Must(p.Draw(view))
	assert.Equal(t, 10, report.Instances)
	assert.Zero(t, report.Lines)
	view.Lines = true
	for range 3 {
		digest := world.Digest(p.State())
		report = world.Must(p.Draw(view))
		assert.Equal(t, 10, report.Lines)
		assert.Equal(t, digest, world.Digest(p.State()), "drawing changes nothing")
	}
	_, err := player.Open(cubes.Scene, scene.Options{Variant: "sideways"}, room)
	assert.ErrorIs(t, err, scene.ErrOptions)
}

// watched returns a scene whose steps note their inputs.
func watched(seen *[]scene.Input) *scene.Scene {
	return &scene.Scene{
		Name: "watched", Inputs: []string{"press"},
		Make: func(o scene.Options) (world.State, []schedule.Job, error) {
			s, err := world.CreateState(world.Counts{
				Resources: []world.ResourceKind{scene.Controls}, Seed: o.Seed, Random: true,
			})
			return s, []schedule.Job{{Name: "See", Run: func(s world.State) world.State {
				*seen = append(*seen, scene.Pressed(s))
				return s
			}}}, err
		},
	}
}
