package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

// hearing returns a system that goes through all that it is told, and adds it up. It may not
// be inlined: in a function literal of an inlined function no walk is, so that it would allocate.
//
//go:noinline
func hearing(w world.Watcher, sum *int) stage.System {
	return stage.System{
		Watcher: w,
		Enter: func(s world.State) world.State {
			for range w.Entered(s) {
				*sum++
			}
			return s
		},
		FirstUpdate: func(s world.State) world.State { return s },
		Update: func(s world.State, dt float32) world.State {
			for b := range hookQuery.In(s) {
				for i := range world.Column(b, hookWork) {
					world.Column(b, hookWork)[i] += dt
				}
			}
			return s
		},
		Leave: func(s world.State) world.State {
			for range w.Left(s) {
				*sum++
			}
			return s
		},
	}
}

// hookedWorld returns a world of n objects that match hookOne and hookTwo.
func hookedWorld(n int) (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		Kinds:    []layout.Count{hookKind.Count(n), hookMark.Count(0)},
		Watchers: []world.Watcher{hookOne, hookTwo},
	}))
	s, ids := worldtest.Create(s, n)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, hookKind))
	}
	return s, ids
}

// blinkHooked takes the kind of some objects away and gives it back.
func blinkHooked(s world.State, some []world.GameObject) world.State {
	for _, id := range some {
		s, _ = world.Remove(s, id, hookKind)
		s, _ = world.Add(s, id, hookKind)
	}
	return s
}

func TestAllocsHooks(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		s, ids := hookedWorld(1000)
		sum := 0
		told := func(s world.State, _ world.GameObject) world.State {
			sum++
			return s
		}
		r := rootOf(t, order, stage.System{Name: "set", Parts: []stage.System{
			hearing(hookOne, &sum), hearing(hookTwo, &sum),
		}})
		hookTwo.Listen(s, told, told)
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			s = blinkHooked(s, ids[100:200])
			s = r.Update(s, 0.5)
		}))
		assert.Equal(t, 3*1000+20*3*200, sum)
		s = r.Clear(s)
		world.Close(s)
	}
}
