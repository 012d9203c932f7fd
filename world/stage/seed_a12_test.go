package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// TestSeed_A12_OrderOfEvents: init; leave → enter → first update, once → update with dt; nothing
// but leave while there are no objects; destroy.
func TestSeed_A12_OrderOfEvents(t *testing.T) {
	d := newDiary(t)
	a := d.hooks("a", hookOne)
	r := rootOf(t, stage.LeaveEnterUpdate, a)
	d.s = r.Init(r.Init(d.s))
	d.wrote("a init")
	d.step(r)
	assert.False(t, a.HasObjects(d.s))

	ids := d.create(2)
	assert.False(t, a.HasObjects(d.s), "as of its last turn")
	d.step(r, "a enter 0 1", "a first", "a update 0.5")
	assert.True(t, a.HasObjects(d.s))
	d.step(r, "a update 0.5")

	d.dispose(ids[0])
	ids = append(ids, d.create(1)...) // the index of the one that left
	ids = append(ids, d.create(1)...)
	d.step(r, "a leave 0", "a enter 0 2", "a update 0.5")

	d.dispose(ids[1:]...)
	d.step(r, "a leave 0 1 2")
	assert.False(t, a.HasObjects(d.s))
	d.step(r)
	d.create(1)
	d.step(r, "a enter 2", "a update 0.5")
	d.s = r.DrawGizmos(d.s, stage.NewGizmos(1))
	d.wrote("a gizmos")
	d.s = r.Clear(d.s)
	d.wrote("a destroy")
}

func TestSeed_A12_FirstUpdateIsTheFirstThatHasObjects(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		d := newDiary(t)
		r := rootOf(t, order, stage.System{Watcher: hookOne, FirstUpdate: d.says("first")})
		d.step(r)
		d.step(r)
		ids := d.create(3)
		d.step(r, "first")
		d.dispose(ids...)
		d.step(r)
		d.create(3)
		d.step(r)
	}
}

// One without a watcher is about no objects: it runs in every step.
func TestSeed_A12_SystemWithoutFilter(t *testing.T) {
	d := newDiary(t)
	a := d.hooks("a", world.Watcher{})
	r := rootOf(t, stage.LeaveEnterUpdate, a)
	assert.True(t, a.HasObjects(d.s))
	d.s = r.Init(d.s)
	d.step(r, "a init", "a update 0.5")
	d.step(r, "a update 0.5")
	d.remove(r, "a")
	d.wrote("a destroy")
}

// TestSeed_A_EnterComesOnce: an object enters when it comes to match. That it enters again while it
// still matches is one of the listed faults.
func TestSeed_A_EnterComesOnce(t *testing.T) {
	d := newDiary(t)
	r := rootOf(t, stage.LeaveEnterUpdate, stage.System{
		Watcher: hookOne, Enter: d.entering("a", hookOne), Leave: d.leaving("a", hookOne),
	})
	id := d.create(1)[0]
	d.step(r, "a enter 0")
	d.s = world.Must(world.Add(d.s, id, hookMark))
	d.step(r)
	d.s = world.Must(world.Remove(d.s, id, hookMark))
	d.step(r)
	d.s = world.Must(world.Remove(d.s, id, hookKind))
	d.s = world.Must(world.Add(d.s, id, hookKind))
	d.step(r, "a leave 0", "a enter 0")
}

// TestSeed_A_SystemsThatShareAGroup: one does not replace the other, which is a listed fault.
func TestSeed_A_SystemsThatShareAGroup(t *testing.T) {
	d := newDiary(t)
	r := rootOf(t, stage.LeaveEnterUpdate, d.hooks("a", hookOne), d.hooks("b", hookTwo))
	id := d.create(1)[0]
	d.step(r, "a enter 0", "a first", "a update 0.5", "b enter 0", "b first", "b update 0.5")
	d.dispose(id)
	d.step(r, "a leave 0", "b leave 0")
}

// TestSeed_A_OnlyTheHooksThatThereAre: a system that only has leave hears of no enter, and one that
// has nothing harms nobody; both are listed faults.
func TestSeed_A_OnlyTheHooksThatThereAre(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		d := newDiary(t)
		r := rootOf(t, order,
			stage.System{Name: "none"}, stage.System{Name: "no hooks", Watcher: hookBare},
			stage.System{Name: "leave", Watcher: hookOne, Leave: func(s world.State) world.State {
				for id := range hookOne.Left(s) {
					d.note("leave", id)
				}
				return s
			}},
			stage.System{Name: "enter", Watcher: hookTwo, Enter: func(s world.State) world.State {
				for id := range hookTwo.Entered(s) {
					d.note("enter", id)
				}
				return s
			}})
		d.s = r.DrawGizmos(r.Init(d.s), stage.NewGizmos(1))
		d.step(r)
		id := d.create(1)[0]
		d.step(r, "enter 0")
		d.dispose(id)
		d.step(r, "leave 0")
		d.s = r.Clear(d.s)
		d.wrote()
	}
}
