package stage_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
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

// TestSeed_B_EnteredDuringUpdate: objects that come and go while hooks run are told of in the next
// step. That they lose their enter is one of the listed faults.
func TestSeed_B_EnteredDuringUpdate(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		d := newDiary(t)
		var entered, left []world.GameObject
		h := stage.System{
			Name: "b", Watcher: hookOne,
			Enter: func(s world.State) world.State {
				entered = slices.AppendSeq(entered, hookOne.Entered(s))
				return s
			},
			Update: func(s world.State, _ float32) world.State {
				s, id := world.Must2(world.CreateWith(s, hookKind))
				d.note("created", id)
				for id := range hookOne.Members(s) {
					return world.Must(world.Dispose(s, id))
				}
				return s
			},
			Leave: func(s world.State) world.State {
				left = slices.AppendSeq(left, hookOne.Left(s))
				return s
			},
		}
		r := rootOf(t, order, h)
		d.create(3)
		for range 20 {
			d.s = r.Update(d.s, 1)
		}
		assert.Len(t, d.lines, 20)
		assert.Len(t, entered, 3+19, "all but the one of the last step")
		assert.Len(t, left, 19, "the same")
		distinct := slices.Sorted(slices.Values(entered))
		assert.Len(t, slices.Compact(distinct), 22, "each once")
		require.NoError(t, tool.Verify(d.s))
		d.s = world.Must(world.NewQuery().DisposeAll(d.s))
		d.s = r.Clear(d.s)
		assert.Len(t, left, 22, "all that entered; the one of the last step came and went")
	}
}
