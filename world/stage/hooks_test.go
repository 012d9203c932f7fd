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
	"github.com/flatecs/flatecs/systems/tool"
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

// hooks returns a system with every hook, each of which records its arguments.
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

// wrote checks the lines written since the last call.
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

var (
	placePosition = layout.NewField[[3]float32]("position") // world units; x, y, z
	placeKind     = layout.NewKind("Transform", placePosition)
	workerHours   = layout.NewField[float32]("hours")
	workerKind    = layout.NewKind("Worker", workerHours)
	servantTasks  = layout.NewField[int32]("tasks")
	servantKind   = layout.NewKind("Servant", servantTasks)
	statusA       = layout.NewMark("StatusA")
	staff         = world.NewWatcher(world.NewQuery(
		world.Any(workerKind, servantKind), world.Optional(workerHours, servantTasks)))
)

// A staffView is an object that works, with its fields by their names: good until the next change
// of structure.
type staffView struct {
	ID       world.GameObject
	Position *[3]float32 // world units; x, y, z
	Hours    *float32    // nil for a servant
	Tasks    *int32      // nil for a worker
}

func viewStaff(s world.State, id world.GameObject) (world.State, staffView) {
	v := staffView{ID: id}
	s, v.Position, _ = world.Edit(s, id, placePosition)
	s, v.Hours, _ = world.Edit(s, id, workerHours)
	s, v.Tasks, _ = world.Edit(s, id, servantTasks)
	return s, v
}

// TestSeed_A14_WorkInASlowRoot: a root that runs now and then, and writes by views.
func TestSeed_A14_WorkInASlowRoot(t *testing.T) {
	d := &diary{T: t, s: world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Kinds: layout.Kinds(placeKind, workerKind, servantKind, statusA),
		Watchers: []world.Watcher{staff},
	}))}
	slow := rootOf(t, stage.LeaveEnterUpdate, stage.System{
		Name: "work", Watcher: staff, Leave: d.telling("work", "leave", staff.Left),
		Enter: func(s world.State) world.State {
			for id := range staff.Entered(s) {
				s = world.Must(world.Add(s, id, statusA))
			}
			return s
		},
		Update: func(s world.State, dt float32) world.State {
			for id := range staff.Members(s) {
				var v staffView
				s, v = viewStaff(s, id)
				if v.Position[0] += dt; v.Hours != nil {
					*v.Hours += dt
				} else {
					*v.Tasks++
				}
			}
			return s
		},
	})
	hire := func(kinds ...layout.AnyKind) (id world.GameObject) {
		d.s, id = world.Must2(world.CreateWith(d.s, append(kinds, placeKind)...))
		return id
	}
	worker, servant, idle := hire(workerKind), hire(servantKind), hire()
	d.step(slow)
	d.step(slow)
	var v staffView
	hours, two := float32(1), int32(2)
	d.s, v = viewStaff(d.s, worker)
	assert.Equal(t, staffView{worker, &[3]float32{1, 0, 0}, &hours, nil}, v)
	d.s, v = viewStaff(d.s, servant)
	assert.Equal(t, staffView{servant, &[3]float32{1, 0, 0}, nil, &two}, v)
	assert.True(t, world.Has(d.s, servant, statusA))
	assert.False(t, world.Has(d.s, idle, statusA))

	d.s = world.Must(world.Remove(d.s, worker, workerKind))
	d.s = world.Must(world.Add(d.s, servant, workerKind)) // still one of the two
	d.step(slow, "work leave 0")
}

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

// A system that is removed and added again sees all objects enter, like a system in a new world.
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

// hearing returns a system that walks over all objects it gets, and adds up their values. It may
// not be inlined: a walk in a function literal of an inlined function would allocate.
//
//go:noinline
func hearing(w world.Watcher, sum *int) stage.System {
	return stage.System{
		Watcher: w,
		Enter: func(s world.State) world.State {
			for range w.Entered(s) {
				*sum++
			}
			return s
		},
		FirstUpdate: func(s world.State) world.State { return s },
		Update: func(s world.State, dt float32) world.State {
			for b := range hookQuery.In(s) {
				for i := range world.Column(b, hookWork) {
					world.Column(b, hookWork)[i] += dt
				}
			}
			return s
		},
		Leave: func(s world.State) world.State {
			for range w.Left(s) {
				*sum++
			}
			return s
		},
	}
}

func TestAllocsHooks(t *testing.T) {
	for _, order := range []stage.Order{stage.LeaveEnterUpdate, stage.EnterUpdateLeave} {
		d, sum := newDiary(t), 0
		told := func(s world.State, _ world.GameObject) world.State {
			sum++
			return s
		}
		r := rootOf(t, order, stage.System{Name: "set", Parts: []stage.System{
			hearing(hookOne, &sum), hearing(hookTwo, &sum),
		}})
		hookTwo.Listen(d.s, told, told)
		ids := d.create(100)
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			for _, id := range ids[40:60] {
				d.s, _ = world.Remove(d.s, id, hookKind)
				d.s, _ = world.Add(d.s, id, hookKind)
			}
			d.s = r.Update(d.s, 0.5)
		}))
		assert.Equal(t, 3*100+20*3*2*20, sum)
	}
}
