package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// TestSeed_A13_SetsRunFlat: systems and sets of sets run in the order in which they were composed.
func TestSeed_A13_SetsRunFlat(t *testing.T) {
	d := newDiary(t)
	none := world.Watcher{}
	inner := stage.System{
		Name: "inner", Parts: []stage.System{d.hooks("c", hookOne), d.hooks("d", none)},
	}
	outer := d.hooks("outer", none) // a set with functions of its own
	outer.Parts = []stage.System{d.hooks("b", none), inner, d.hooks("e", none)}
	r := rootOf(t, stage.LeaveEnterUpdate, d.hooks("a", none), outer, d.hooks("f", none))
	assert.Equal(t, []string{"a", "outer", "b", "c", "d", "e", "f"}, r.Names())
	require.NoError(t, r.Add(d.hooks("g", none)))

	d.s = r.Init(d.s)
	d.wrote("a init", "outer init", "b init", "c init", "d init", "e init", "f init", "g init")
	d.create(1)
	d.step(r, "a update 0.5", "outer update 0.5", "b update 0.5", "c enter 0", "c first",
		"c update 0.5", "d update 0.5", "e update 0.5", "f update 0.5", "g update 0.5")
	d.remove(r, "inner")
	d.wrote("c destroy", "d destroy")
	d.step(r, "a update 0.5", "outer update 0.5", "b update 0.5", "e update 0.5", "f update 0.5",
		"g update 0.5")
	d.remove(r, "outer")
	d.wrote("outer destroy", "b destroy", "e destroy")
	d.s = r.Clear(d.s)
	d.wrote("a destroy", "f destroy", "g destroy")
	d.step(r)
	assert.Empty(t, r.Names())

	require.NoError(t, r.Add(outer), "what was cleared may come again")
	d.s = r.Init(d.s)
	d.wrote("outer init", "b init", "c init", "d init", "e init")
	d.step(r, "outer update 0.5", "b update 0.5", "c enter 0", "c first", "c update 0.5",
		"d update 0.5", "e update 0.5")
}
