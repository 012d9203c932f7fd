package heroes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
)

type nobody struct{}

func (nobody) Init()                        {}
func (nobody) DrawOne(uint32, []byte)       {}
func (nobody) DrawInstances(string, []byte) {}

var steps = map[string]func(systems.State) systems.State{
	"Move":    func(s systems.State) systems.State { return heroes.Move(s, 0, 0) },
	"Fly":     func(s systems.State) systems.State { return heroes.Fly(s, 0, 0, 0) },
	"MoveAll": heroes.MoveAll,
	"FlyAll":  heroes.FlyAll,
	"Update":  heroes.Update,
	"RenderOneByOne": func(s systems.State) systems.State {
		return heroes.RenderOneByOne(s, nobody{})
	},
	"RenderInstances": func(s systems.State) systems.State {
		return heroes.RenderInstances(s, nobody{})
	},
}

// scattered returns a world with scattered rows, so that walks gather them.
func scattered(tb testing.TB, n int) systems.State {
	tb.Helper()
	s := systems.Must(systems.CreateState(heroes.Counts(n, n, n)))
	kinds := []layout.Kind{
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance,
	}
	for range n {
		for _, k := range kinds {
			s, _ = systems.Must2(systems.CreateComponent(s, k))
		}
	}
	for i := range n {
		var id systems.GameObject
		s, id = systems.Must2(systems.Create(s))
		for _, k := range kinds {
			if k == heroes.Instance && i%3 == 0 {
				continue
			}
			s = systems.Must(systems.Mount(s, id, k, layout.Row((i*7+3)%n)))
		}
	}
	tb.Cleanup(func() { systems.Discard(s) })
	return s
}

// TestAllocsOfAFirstStep: the heroes' systems allocate nothing, not even when first used.
func TestAllocsOfAFirstStep(t *testing.T) {
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			worlds := make([]systems.State, 6)
			for i := range worlds {
				worlds[i] = scattered(t, 20)
			}
			assert.Zero(t, testing.AllocsPerRun(len(worlds)-1, func() {
				step(worlds[0])
				worlds = worlds[1:]
			}))
		})
	}
}

// A world without the kinds is unchanged, and its State becomes stale as by any other call.
func TestWithoutTheKinds(t *testing.T) {
	s := systems.Must(systems.CreateState(systems.Counts{GameObjects: 1}))
	digest := systems.Digest(s)
	for _, step := range []string{"MoveAll", "FlyAll", "Update", "RenderOneByOne", "RenderInstances"} {
		next := steps[step](s)
		assert.NotEqual(t, s, next, step)
		assert.Equal(t, digest, systems.Digest(next), step)
		s = next
	}
	assert.Panics(t, func() { steps["Move"](s) })
}

// TestInTasks: single rows are refused in tasks, and systems walk the queries that tasks list.
func TestInTasks(t *testing.T) {
	s := scattered(t, 100)
	want := systems.Digest(heroes.Update(heroes.FlyAll(heroes.MoveAll(scattered(t, 100)))))
	refused := func(s systems.State) systems.State {
		assert.Panics(t, func() { steps["Move"](s) })
		assert.Panics(t, func() { steps["Fly"](s) })
		return s
	}
	lists := []systems.Query{heroes.MoveQuery, heroes.FlyQuery, heroes.UpdateQuery}
	s = systems.RunTasks(s, nil, []systems.Task{{
		Run:     []func(systems.State) systems.State{refused, heroes.MoveAll, heroes.FlyAll, heroes.Update},
		Queries: lists,
	}})
	assert.Equal(t, want, systems.Digest(s))
	assert.Panics(t, func() {
		systems.RunTasks(s, nil, []systems.Task{{
			Run:     []func(systems.State) systems.State{heroes.FlyAll},
			Queries: lists[:1],
		}})
	})
}
