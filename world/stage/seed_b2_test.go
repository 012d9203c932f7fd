package stage_test

import (
	"testing"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// bHooks returns a system with the hooks of section B.
func bHooks(d *diary, name string, w world.Watcher) stage.System {
	h := d.hooks(name, w)
	h.FirstUpdate = nil
	return h
}

// TestSeed_B2_OrderOfEvents: init; enter → update → remove in every step, also with empty lists;
// gizmos; destroy. With the other order, that of section A.
func TestSeed_B2_OrderOfEvents(t *testing.T) {
	run := func(order stage.Order, steps ...[]string) {
		d := newDiary(t)
		r := rootOf(t, order, bHooks(d, "b", hookOne))
		d.s = r.Init(d.s)
		d.wrote("b init")
		d.step(r, steps[0]...)
		ids := d.create(2)
		d.step(r, steps[1]...)
		d.step(r, steps[2]...)
		d.dispose(ids...)
		d.create(1)
		d.step(r, steps[3]...)
		d.s = r.DrawGizmos(d.s, stage.NewGizmos(1))
		d.wrote("b gizmos")
		d.s = world.Must(world.NewQuery().DisposeAll(d.s))
		d.step(r, steps[4]...)
		d.step(r, steps[0]...)
		d.remove(r, "b")
		d.wrote("b destroy")
	}
	run(stage.EnterUpdateLeave,
		[]string{"b enter", "b update 0.5", "b leave"},
		[]string{"b enter 0 1", "b update 0.5", "b leave"},
		[]string{"b enter", "b update 0.5", "b leave"},
		[]string{"b enter 1", "b update 0.5", "b leave 0 1"},
		[]string{"b enter", "b update 0.5", "b leave 1"})
	run(stage.LeaveEnterUpdate,
		nil,
		[]string{"b enter 0 1", "b update 0.5"},
		[]string{"b update 0.5"},
		[]string{"b leave 0 1", "b enter 1", "b update 0.5"},
		[]string{"b leave 1"})
}
