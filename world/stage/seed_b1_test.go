package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// told returns a listener's function that writes down what it hears.
func (d *diary) told(word string) func(world.State, world.GameObject) world.State {
	return func(s world.State, id world.GameObject) world.State {
		d.note(word, id)
		return s
	}
}

// TestSeed_B1_ListenersBesideHooks: any number of listeners hear of a system's group, before its
// hooks; they can be taken off, and a destroyed system's are.
func TestSeed_B1_ListenersBesideHooks(t *testing.T) {
	d := newDiary(t)
	a := d.hooks("a", hookOne)
	a.Update, a.FirstUpdate = nil, nil
	r := rootOf(t, stage.LeaveEnterUpdate, a)
	first := hookOne.Listen(d.s, d.told("1: enter"), d.told("1: leave"))
	second := hookOne.Listen(d.s, d.told("2: enter"), nil)
	other := hookTwo.Listen(d.s, d.told("other: enter"), nil)

	ids := d.create(2)
	d.step(r, "1: enter 0", "2: enter 0", "1: enter 1", "2: enter 1", "a enter 0 1")
	assert.True(t, first(d.s))
	d.dispose(ids[0])
	d.create(1)
	d.step(r, "2: enter 0", "a leave 0", "a enter 0")

	d.remove(r, "a")
	d.wrote("a destroy")
	assert.False(t, second(d.s), "it was taken off with its system")
	d.s = hookTwo.Notify(hookOne.Notify(d.s))
	d.wrote("other: enter 0", "other: enter 1")
	assert.True(t, other(d.s))
}

// A system that listens to another's group takes its listener off when it is destroyed.
func TestSeed_B1_ListenersToAnotherGroup(t *testing.T) {
	d := newDiary(t)
	var ear func(world.State) bool
	r := rootOf(t, stage.EnterUpdateLeave,
		stage.System{Name: "a", Watcher: hookOne},
		stage.System{
			Name: "b",
			Init: func(s world.State) world.State {
				ear = hookOne.Listen(s, d.told("b hears"), nil)
				return s
			},
			Destroy: func(s world.State) world.State {
				assert.True(t, ear(s))
				return s
			},
		})
	d.s = r.Init(d.s)
	d.create(1)
	d.step(r, "b hears 0")
	d.remove(r, "b")
	d.create(1)
	d.step(r)
}

// TestSeed_B_GroupWithoutListeners: nobody listens, and nothing breaks, which is a listed fault.
func TestSeed_B_GroupWithoutListeners(t *testing.T) {
	d := newDiary(t)
	r := rootOf(t, stage.EnterUpdateLeave, stage.System{Name: "silent", Watcher: hookOne})
	ids := d.create(3)
	d.step(r)
	d.dispose(ids...)
	d.step(r)
	d.s = hookTwo.Notify(d.s)
	d.remove(r, "silent")
	d.create(1)
	d.step(r)
	require.NoError(t, tool.Verify(d.s))
}
