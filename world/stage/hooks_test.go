package stage_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	hookWork  = layout.NewField[float32]("work") // seconds
	hookKind  = layout.NewKind("hooked", hookWork)
	hookMark  = layout.NewMark("hooked mark")
	hookQuery = world.NewQuery(world.Write(hookWork))
	hookOne   = world.NewWatcher(hookQuery)
	hookTwo   = world.NewWatcher(hookQuery)
	hookBare  = world.NewWatcher(world.NewQuery(world.Without(hookKind)))
)

// A diary is a world, and what its hooks wrote down.
type diary struct {
	*testing.T
	s     world.State
	lines []string
}

func newDiary(t *testing.T) *diary {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		Kinds:    []layout.Count{hookKind.Count(100), hookMark.Count(0)},
		Watchers: []world.Watcher{hookOne, hookTwo, hookBare},
	}))
	return &diary{T: t, s: s}
}

// note writes words down, and of objects their indexes.
func (d *diary) note(words ...any) {
	words = slices.Clone(words)
	for i, word := range words {
		if id, ok := word.(world.GameObject); ok {
			words[i] = id.Index()
		}
	}
	d.lines = append(d.lines, strings.TrimSuffix(fmt.Sprintln(words...), "\n"))
}

// says returns a hook that writes its words down.
func (d *diary) says(words ...any) func(world.State) world.State {
	return func(s world.State) world.State {
		d.note(words...)
		return s
	}
}

// hooks returns a system with every hook, each of which writes down what it was told.
func (d *diary) hooks(name string, w world.Watcher) stage.System {
	h := stage.System{
		Name: name, Watcher: w, Init: d.says(name, "init"), Destroy: d.says(name, "destroy"),
		Update: func(s world.State, dt float32) world.State {
			d.note(name, "update", dt)
			return s
		},
		DrawGizmos: func(s world.State, g *stage.Gizmos) world.State {
			d.note(name, "gizmos")
			return s
		},
	}
	if w != (world.Watcher{}) {
		h.FirstUpdate = d.says(name, "first")
		h.Enter, h.Leave = d.telling(name, "enter", w.Entered), d.telling(name, "leave", w.Left)
	}
	return h
}

// telling returns a hook that writes down a list of objects.
func (d *diary) telling(
	name, what string, list func(world.State) iter.Seq[world.GameObject],
) func(world.State) world.State {
	return func(s world.State) world.State {
		words := []any{name, what}
		for id := range list(s) {
			words = append(words, id)
		}
		d.note(words...)
		return s
	}
}

// step is an update of 0.5 seconds, after which the diary has these lines.
func (d *diary) step(r *stage.Root, lines ...string) {
	d.Helper()
	d.s = r.Update(d.s, 0.5)
	d.wrote(lines...)
}

// wrote checks what was written since.
func (d *diary) wrote(lines ...string) {
	d.Helper()
	assert.Equal(d, lines, d.lines)
	d.lines = nil
}

// create creates n objects of the kind.
func (d *diary) create(n int) (ids []world.GameObject) {
	d.Helper()
	for range n {
		var id world.GameObject
		d.s, id = world.Must2(world.CreateWith(d.s, hookKind))
		ids = append(ids, id)
	}
	return ids
}

func (d *diary) dispose(ids ...world.GameObject) {
	d.Helper()
	d.s = world.Must(world.Dispose(d.s, ids...))
}

// remove takes something out of a root.
func (d *diary) remove(r *stage.Root, name string) {
	d.Helper()
	d.s = world.Must(r.Remove(d.s, name))
}

// rootOf returns a root of systems and sets.
func rootOf(t *testing.T, order stage.Order, parts ...stage.System) *stage.Root {
	t.Helper()
	r := &stage.Root{Order: order}
	require.NoError(t, r.Add(parts...))
	return r
}

func TestHooksAreRefused(t *testing.T) {
	d := newDiary(t)
	none := world.Watcher{}
	r := rootOf(t, stage.LeaveEnterUpdate,
		stage.System{Name: "set", Parts: []stage.System{d.hooks("a", hookOne)}})
	for _, name := range []string{"a", "set"} {
		err := r.Add(d.hooks("b", none), stage.System{Parts: []stage.System{d.hooks(name, none)}})
		require.ErrorIs(t, err, stage.ErrTwice)
		require.ErrorContains(t, err, name)
	}
	require.ErrorIs(t, r.Add(d.hooks("b", none), d.hooks("b", none)), stage.ErrTwice)
	for _, name := range []string{"b", ""} {
		var err error
		d.s, err = r.Remove(d.s, name)
		require.ErrorIs(t, err, stage.ErrAbsent)
		require.ErrorContains(t, err, `"`+name+`"`)
	}
	worldtest.PanicsWith(t, func() { _ = r.Add(d.hooks("b", hookOne)) }, "system a and system b share")
	for _, h := range []stage.System{
		{Enter: d.says("")}, {FirstUpdate: d.says("")}, {Leave: d.says("")},
	} {
		worldtest.PanicsWith(t, func() { _ = r.Add(h) }, "need a Watcher; set it")
	}
	assert.Equal(t, []string{"a"}, r.Names(), "nothing was added")
	assert.Equal(t, []world.Watcher{hookOne}, r.Watchers())

	_, err := rootOf(t, stage.LeaveEnterUpdate, stage.System{}).Remove(d.s, "")
	require.ErrorIs(t, err, stage.ErrAbsent, "a system without a name")

	stranger := world.NewWatcher(hookQuery)
	r2 := rootOf(t, stage.LeaveEnterUpdate, stage.System{Watcher: stranger})
	worldtest.PanicsWith(t, func() { d.s = r2.Update(d.s, 1) }, "this world has no watcher", "Counts.Watchers")
}

// A hook may not change the root that calls it, nor run it; another root is not its own.
func TestHooksLeaveTheirRootAlone(t *testing.T) {
	d := newDiary(t)
	r, other := &stage.Root{}, rootOf(t, stage.LeaveEnterUpdate, d.hooks("other", hookTwo))
	for name, f := range map[string]func(world.State){
		"Add":        func(world.State) { _ = r.Add(stage.System{}) },
		"Init":       func(s world.State) { d.s = r.Init(s) },
		"Update":     func(s world.State) { d.s = r.Update(s, 1) },
		"DrawGizmos": func(s world.State) { d.s = r.DrawGizmos(s, nil) },
		"Remove":     func(s world.State) { d.s, _ = r.Remove(s, "x") },
		"Clear":      func(s world.State) { d.s = r.Clear(s) },
	} {
		r.Clear(d.s)
		require.NoError(t, r.Add(stage.System{
			Name: "x",
			Update: func(s world.State, _ float32) world.State {
				worldtest.PanicsWith(t, func() { f(s) }, "Root."+name, "call it after the step")
				return other.Update(s, 0.5)
			},
		}))
		d.s = r.Update(d.s, 1)
	}
}

// A panic in a hook leaves the root in order.
func TestHooksThatPanic(t *testing.T) {
	d := newDiary(t)
	fails := true
	r := rootOf(t, stage.EnterUpdateLeave, stage.System{
		Update: func(s world.State, _ float32) world.State {
			if fails {
				panic("it failed")
			}
			return s
		},
	}, d.hooks("a", hookOne))
	s := d.s
	worldtest.PanicsWith(t, func() { r.Update(world.Must(world.Clone(s)), 1) }, "it failed")
	fails = false
	d.step(r, "a enter", "a update 0.5", "a leave")
}

// Each turn is a step of the tick, so that walks since a tick tell the systems apart.
func TestHooksStepTheTick(t *testing.T) {
	d := newDiary(t)
	none := world.Watcher{}
	r := rootOf(t, stage.LeaveEnterUpdate, d.hooks("a", none), d.hooks("b", hookOne))
	tick := world.Tick(d.s)
	d.s = r.Update(d.s, 1)
	assert.Equal(t, tick+2, world.Tick(d.s))
}
