package world_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// bHooks returns a system with the hooks of section B.
func bHooks(d *diary, name string, w world.Watcher) world.Hooks {
	h := d.hooks(name, w)
	h.FirstUpdate = nil
	return h
}

// TestSeed_B2_OrderOfEvents: init; enter → update → remove in every step, also with empty lists;
// gizmos; destroy. With the other order, that of section A.
func TestSeed_B2_OrderOfEvents(t *testing.T) {
	run := func(order world.HookOrder, steps ...[]string) {
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
		d.s = r.DrawGizmos(d.s, world.NewGizmos(1))
		d.wrote("b gizmos")
		d.s = must(world.DisposeAll(d.s, world.NewQuery()))
		d.step(r, steps[4]...)
		d.step(r, steps[0]...)
		d.remove(r, "b")
		d.wrote("b destroy")
	}
	run(world.EnterUpdateLeave,
		[]string{"b enter", "b update 0.5", "b leave"},
		[]string{"b enter 0 1", "b update 0.5", "b leave"},
		[]string{"b enter", "b update 0.5", "b leave"},
		[]string{"b enter 1", "b update 0.5", "b leave 0 1"},
		[]string{"b enter", "b update 0.5", "b leave 1"})
	run(world.LeaveEnterUpdate,
		nil,
		[]string{"b enter 0 1", "b update 0.5"},
		[]string{"b update 0.5"},
		[]string{"b leave 0 1", "b enter 1", "b update 0.5"},
		[]string{"b leave 1"})
}

// TestSeed_B_EnteredDuringUpdate: objects that come and go while hooks run are told of in the next
// step. That they lose their enter is one of the listed faults.
func TestSeed_B_EnteredDuringUpdate(t *testing.T) {
	for _, order := range []world.HookOrder{world.LeaveEnterUpdate, world.EnterUpdateLeave} {
		d := newDiary(t)
		var entered, left []world.GameObject
		h := world.Hooks{
			Name: "b", Watcher: hookOne,
			Enter: func(s world.State) world.State {
				entered = slices.AppendSeq(entered, world.Entered(s, hookOne))
				return s
			},
			Update: func(s world.State, _ float32) world.State {
				s, id := made(world.CreateWith(s, hookKind))
				d.note("created", id)
				for id := range world.Members(s, hookOne) {
					return must(world.DisposeGameObject(s, id))
				}
				return s
			},
			Leave: func(s world.State) world.State {
				left = slices.AppendSeq(left, world.Left(s, hookOne))
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
		require.NoError(t, world.Verify(d.s))
		d.s = must(world.DisposeAll(d.s, world.NewQuery()))
		d.s = r.Clear(d.s)
		assert.Len(t, left, 22, "all that entered; the one of the last step came and went")
	}
}
