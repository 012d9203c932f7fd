package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
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

func TestAllocsHooks(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		d, sum := newDiary(t), 0
		told := func(s world.State, _ world.GameObject) world.State {
			sum++
			return s
		}
		r := rootOf(t, order, stage.System{Name: "set", Parts: []stage.System{
			hearing(hookOne, &sum), hearing(hookTwo, &sum),
		}})
		hookTwo.Listen(d.s, told, told)
		ids := d.create(100)
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			for _, id := range ids[40:60] {
				d.s, _ = world.Remove(d.s, id, hookKind)
				d.s, _ = world.Add(d.s, id, hookKind)
			}
			d.s = r.Update(d.s, 0.5)
		}))
		assert.Equal(t, 3*100+20*3*2*20, sum)
	}
}
