package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
		r := rootOf(t, order, stage.System{Watcher: hookOne, FirstUpdate: d.says("first")}, stage.System{})
		d.s = r.DrawGizmos(r.Init(d.s), stage.NewGizmos(1)) // of hooks that there are not
		d.step(r)
		d.step(r)
		ids := d.create(3)
		d.step(r, "first")
		d.dispose(ids...)
		d.step(r)
		d.create(3)
		d.step(r)
		d.s = r.Clear(d.s)
	}
}
