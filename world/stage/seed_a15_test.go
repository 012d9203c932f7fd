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

// TestSeed_A15_Clear: after everything was disposed every leave is delivered, also of objects that
// left before, and live systems go on. That clear drops what is pending and cuts systems off is one
// of the listed faults.
func TestSeed_A15_Clear(t *testing.T) {
	d := newDiary(t)
	r := rootOf(t, stage.LeaveEnterUpdate, d.hooks("a", hookOne), d.hooks("b", hookTwo))
	ids := d.create(5)
	d.s = r.Update(d.s, 0.5)
	d.lines = nil

	d.dispose(ids[3]) // pending when the rest goes
	d.s = world.Must(world.NewQuery().DisposeAll(d.s))
	require.Zero(t, world.Len(d.s))
	d.step(r, "a leave 0 1 2 3 4", "b leave 0 1 2 3 4")
	assert.Empty(t, slices.Collect(hookOne.Members(d.s)))
	d.step(r)

	id := d.create(1)[0].Index()
	line := string(rune('0' + id))
	d.step(r, "a enter "+line, "a update 0.5", "b enter "+line, "b update 0.5")
	require.NoError(t, tool.Verify(d.s))
}
