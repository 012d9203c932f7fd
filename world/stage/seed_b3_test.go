package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// TestSeed_B3_World: its systems, init, update with dt, gizmos, add, remove and clear. That clear
// and remove never destroy is one of the listed faults.
func TestSeed_B3_World(t *testing.T) {
	d := newDiary(t)
	none := world.Watcher{}
	one := bHooks(d, "one", none)
	r := rootOf(t, stage.EnterUpdateLeave, one, bHooks(d, "two", none))
	d.s = r.Init(d.s)
	d.wrote("one init", "two init")
	assert.True(t, one.HasObjects(d.s), "it is about none")
	d.s = r.Update(d.s, 0.25)
	d.wrote("one update 0.25", "two update 0.25")

	require.NoError(t, r.Add(bHooks(d, "three", hookOne)))
	d.s = r.Init(d.s)
	d.wrote("three init") // the others were initialised before
	d.s = r.DrawGizmos(d.s, stage.NewGizmos(1))
	d.wrote("one gizmos", "two gizmos", "three gizmos")
	d.remove(r, "two")
	d.wrote("two destroy")
	d.step(r, "one update 0.5", "three enter", "three update 0.5", "three leave")
	assert.Equal(t, []string{"one", "three"}, r.Names())

	d.s = r.Clear(d.s)
	d.wrote("one destroy", "three destroy")
	d.s = r.DrawGizmos(r.Update(r.Init(d.s), 1), nil)
	d.s = r.Clear(d.s)
	d.wrote()
}

// A system that was removed and is added again hears of all objects, as one in a new world.
func TestSeed_B3_RemoveAndAddAgain(t *testing.T) {
	d := newDiary(t)
	b := d.hooks("b", hookOne)
	r := rootOf(t, stage.EnterUpdateLeave, b)
	ids := d.create(2)
	d.step(r, "b enter 0 1", "b first", "b update 0.5", "b leave")
	d.dispose(ids[0])
	d.remove(r, "b")
	d.wrote("b leave 0", "b destroy")
	d.create(2)
	require.NoError(t, r.Add(b))
	d.s = r.Init(d.s)
	d.step(r, "b init", "b enter 0 1 2", "b first", "b update 0.5", "b leave")
	require.NoError(t, tool.Verify(d.s))
}
