package family_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/space"
)

var (
	tied    = layout.NewRelation("tied", layout.Relation{Disposed: layout.Clear, Disables: true})
	tagged  = layout.NewMark("tagged")
	body    = world.NewRecipe("disabled body", family.ChildOf, tied, likes, label)
	labels  = world.NewQuery(world.Read(label))
	outside = world.NewWatcher(labels)
)

// An absence is a world beside a naive model of it: the set of disabled objects, and the objects
// that the watcher saw.
type absence struct {
	t    *testing.T
	s    world.State
	ids  []world.GameObject // of places; some may be dead
	off  map[world.GameObject]bool
	seen map[world.GameObject]bool
	past *world.Snapshot
	old  struct {
		ids       []world.GameObject
		off, seen map[world.GameObject]bool
	}
}

func newAbsence(t *testing.T, objects int) *absence {
	t.Helper()
	n := objects + 2
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{body}, Watchers: []world.Watcher{outside},
		Kinds: layout.Kinds(family.ChildOf.Count(n), tied.Count(n), label.Count(n), tagged,
			likes.Count(n), needs.Count(n), layout.Disabled),
	}))
	a := &absence{
		t: t, s: s, off: map[world.GameObject]bool{}, seen: map[world.GameObject]bool{},
		past: world.Must(world.NewSnapshot(s)),
	}
	for range objects {
		var id world.GameObject
		a.s, id = world.Must2(world.Spawn(a.s, body))
		a.ids = append(a.ids, id)
	}
	a.take()
	return a
}

func (a *absence) close() {
	a.past.Close()
	world.Close(a.s)
}

// take remembers the world and the model.
func (a *absence) take() {
	require.NoError(a.t, a.past.Take(a.s))
	a.old.ids, a.old.off, a.old.seen = slices.Clone(a.ids), maps.Clone(a.off), maps.Clone(a.seen)
}

// restore goes back to the snapshot.
func (a *absence) restore() {
	a.s = world.Must(world.Restore(a.s, a.past))
	a.ids, a.off, a.seen = slices.Clone(a.old.ids), maps.Clone(a.old.off), maps.Clone(a.old.seen)
}

// below returns an object and all that are disabled with it, found by looking at each, again and
// again.
func (a *absence) below(id world.GameObject) map[world.GameObject]bool {
	set := map[world.GameObject]bool{id: true}
	for more := true; more; {
		more = false
		for c := range world.GameObjects(a.s) {
			for _, r := range []layout.Field[world.GameObject]{family.ChildOf, tied} {
				if to, err := world.Get(a.s, c, r); err == nil && set[to] && !set[c] {
					set[c], more = true, true
				}
			}
		}
	}
	return set
}

// toggled changes the model as an object got the mark, or lost it, if that was not refused.
func (a *absence) toggled(id world.GameObject, on bool) {
	if !world.Alive(a.s, id) || a.off[id] == on {
		return
	}
	for o := range a.below(id) {
		if a.off[o] = true; !on {
			delete(a.off, o)
		}
	}
}

// toggle disables an object in way 0, 3, 4 or 5, or enables it in way 1, 2, 3 or 4.
func (a *absence) toggle(id world.GameObject, on bool, way int) {
	want := world.Alive(a.s, id) && a.off[id] != on
	a.toggled(id, on)
	var err error
	switch way {
	case 0:
		a.s, err = world.Add(a.s, id, layout.Disabled)
	case 1:
		a.s, err = world.Remove(a.s, id, layout.Disabled)
	case 2:
		a.s, err = world.Suspend(a.s, id, layout.Disabled)
	case 3:
		if c := world.Record(a.s); on {
			c.Add(id, layout.Disabled)
		} else {
			c.Remove(id, layout.Disabled)
		}
		a.s, err = world.Apply(a.s)
	case 4: // with another one
		if world.Has(a.s, id, tagged) {
			a.s = world.Must(world.Remove(a.s, id, tagged))
		}
		if !on && want {
			a.s = world.Must(world.Add(a.s, id, tagged))
		}
		if on {
			a.s, err = world.Add(a.s, id, tagged, layout.Disabled)
		} else {
			a.s, err = world.Remove(a.s, id, tagged, layout.Disabled)
		}
	case 5:
		a.s, _, err = systems.Ensure(a.s, id, layout.Disabled)
		want = world.Alive(a.s, id)
	}
	require.Equal(a.t, want, err == nil, "%v", err)
}

// all disables the tagged ones, or enables them.
func (a *absence) all(on bool) {
	marked := world.NewQuery(world.With(tagged), world.Optional(layout.Disabled))
	ids := slices.Collect(marked.Objects(a.s))
	if on {
		marked = world.NewQuery(world.With(tagged))
		ids = slices.DeleteFunc(ids, func(id world.GameObject) bool { return a.off[id] })
	}
	for _, id := range ids {
		a.toggled(id, on)
	}
	var err error
	if on {
		a.s, err = marked.AddAll(a.s, layout.Disabled)
	} else {
		a.s, err = marked.RemoveAll(a.s, layout.Disabled)
	}
	require.NoError(a.t, err)
}

// record disables and enables objects by commands that are carried out together, and spawns one.
func (a *absence) record(on, off, parent world.GameObject) {
	c := world.Record(a.s)
	c.Add(on, layout.Disabled)
	c.Remove(off, layout.Disabled)
	c.Add(off, layout.Disabled)
	c.Remove(parent, layout.Disabled)
	for _, change := range []struct {
		id world.GameObject
		on bool
	}{{on, true}, {off, false}, {off, true}, {parent, false}} {
		a.toggled(change.id, change.on)
	}
	a.s, _ = world.Apply(a.s) // some may be refused
}

// dispose disposes an object, and what goes with it.
func (a *absence) dispose(id world.GameObject) {
	a.s, _ = world.Dispose(a.s, id)
	maps.DeleteFunc(a.off, func(id world.GameObject, _ bool) bool { return !world.Alive(a.s, id) })
}

// spawn spawns an object that refers to another one.
func (a *absence) spawn(place int, parent world.GameObject) {
	if world.Alive(a.s, a.ids[place]) || !world.Alive(a.s, parent) {
		return
	}
	a.s, a.ids[place] = world.Must2(world.Spawn(a.s, body, family.ChildOf.Value(parent)))
}

// check compares the world with the model.
func (a *absence) check(why any) {
	for _, l := range looked {
		var want []world.GameObject
		for id := range world.GameObjects(a.s) {
			if l.match(a.had(id)) {
				want = append(want, id)
			}
			if l.query.Matches(a.s, id) != (len(want) > 0 && want[len(want)-1] == id) {
				a.t.Fatalf("%v: %v matches %v or not", why, l.query, id)
			}
		}
		var walked []world.GameObject
		for b := range l.query.In(a.s) {
			walked = b.AppendIDs(walked)
		}
		slices.Sort(walked)
		if slices.Sort(want); !slices.Equal(want, walked) || l.query.Count(a.s) != len(want) {
			a.t.Fatalf("%v: %v walks %v, counts %d, not %v", why, l.query, walked,
				l.query.Count(a.s), want)
		}
	}
	a.look(why)
}

// had says what an object has.
func (a *absence) had(id world.GameObject) had {
	has := func(k layout.AnyKind) bool { return world.Has(a.s, id, k) }
	return had{
		has(label), has(label) && has(family.ChildOf) && has(tied), has(tagged), a.off[id],
	}
}

// look compares what the watcher says with what it says of the model.
func (a *absence) look(why any) {
	now := map[world.GameObject]bool{}
	for id := range world.GameObjects(a.s) {
		if world.Has(a.s, id, label) && !a.off[id] {
			now[id] = true
		}
	}
	a.s = outside.Look(a.s)
	for id := range outside.Left(a.s) { // and may have come back
		if !a.seen[id] {
			a.t.Fatalf("%v: %v left", why, id)
		}
		delete(a.seen, id)
	}
	for id := range outside.Entered(a.s) {
		if !now[id] || a.seen[id] {
			a.t.Fatalf("%v: %v entered", why, id)
		}
		a.seen[id] = true
	}
	if !maps.Equal(now, a.seen) {
		a.t.Fatalf("%v: the watcher saw %v, not %v", why, a.seen, now)
	}
}

// refer makes an object refer to another one, if that closes no ring.
func (a *absence) refer(id world.GameObject, r layout.Field[world.GameObject], to world.GameObject) {
	a.s, _ = world.Set(a.s, id, r, to)
}

// hang suspends a reference, or brings it back.
func (a *absence) hang(id world.GameObject, r layout.Field[world.GameObject]) {
	if next, err := world.Suspend(a.s, id, r); err == nil {
		a.s = next
		return
	}
	a.s, _ = world.Add(a.s, id, r)
}

// tag tags an object, or takes the tag away.
func (a *absence) tag(id world.GameObject) {
	if next, err := world.Add(a.s, id, tagged); err == nil {
		a.s = next
		return
	}
	a.s, _ = world.Remove(a.s, id, tagged)
}

// absences are what may happen to three objects.
var absences = []func(a *absence){
	func(a *absence) { a.toggle(a.ids[0], true, 0) },
	func(a *absence) { a.toggle(a.ids[1], true, 3) },
	func(a *absence) { a.toggle(a.ids[2], true, 4) },
	func(a *absence) { a.toggle(a.ids[1], true, 5) },
	func(a *absence) { a.toggle(a.ids[0], false, 3) },
	func(a *absence) { a.toggle(a.ids[1], false, 1) },
	func(a *absence) { a.toggle(a.ids[1], false, 2) },
	func(a *absence) { a.refer(a.ids[1], family.ChildOf, a.ids[0]) },
	func(a *absence) { a.refer(a.ids[2], family.ChildOf, a.ids[1]) },
	func(a *absence) { a.refer(a.ids[0], tied, a.ids[2]) },
	func(a *absence) { a.refer(a.ids[1], family.ChildOf, world.Nobody) },
	func(a *absence) { a.refer(a.ids[2], likes, a.ids[0]) },
	func(a *absence) { a.hang(a.ids[1], family.ChildOf) },
	func(a *absence) { a.dispose(a.ids[0]) },
	func(a *absence) { a.spawn(0, a.ids[2]) },
	func(a *absence) { a.take() },
	func(a *absence) { a.restore() },
	func(a *absence) { a.record(a.ids[0], a.ids[1], a.ids[2]) },
}

// TestEachSequenceOfDisabling: after any four changes of three objects, the same objects are
// disabled as in the model, and queries and watchers see the others.
func TestEachSequenceOfDisabling(t *testing.T) {
	length := 3
	if worldtest.AtLength() {
		length = 4
	}
	a := newAbsence(t, 3)
	defer func() { a.close() }()
	begin := world.Must(world.NewSnapshot(a.s))
	defer begin.Close()
	require.NoError(t, begin.Take(a.s))
	ids, n, total := a.ids, len(absences), 1
	for range length {
		total *= n
	}
	for number := range total {
		a.s = world.Must(world.Restore(a.s, begin))
		a.ids = slices.Clone(ids)
		clear(a.off)
		clear(a.seen)
		a.take()
		for k, at := 0, number; k < length; k, at = k+1, at/n {
			absences[at%n](a)
		}
		a.check(number)
	}
}

// TestDisablingAgainstModel is TestEachSequenceOfDisabling for random changes of many objects.
func TestDisablingAgainstModel(t *testing.T) {
	seeds, steps := uint64(3), 150
	if worldtest.AtLength() {
		seeds, steps = 40, 500
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 36))
		a := newAbsence(t, 150)
		one := func() world.GameObject { return a.ids[r.IntN(len(a.ids))] }
		for step := range steps {
			switch r.IntN(14) {
			case 0, 1:
				a.toggle(one(), true, []int{0, 3, 4, 5}[r.IntN(4)])
			case 2, 3:
				a.toggle(one(), false, 1+r.IntN(4))
			case 4, 5:
				a.refer(one(), family.ChildOf, one())
			case 6:
				a.refer(one(), tied, one())
				a.refer(one(), likes, one())
			case 7:
				a.record(one(), one(), one())
			case 8:
				a.dispose(one())
			case 9:
				a.spawn(r.IntN(len(a.ids)), one())
			case 10:
				a.tag(one())
			case 11:
				a.all(r.IntN(2) == 0)
			case 12:
				a.hang(one(), tied)
			default:
				a.elsewhere(r.IntN(4))
			}
			if step%8 == 0 {
				a.check(fmt.Sprint(seed, ", step ", step))
			}
		}
		require.NoError(t, tool.Verify(a.s))
		a.close()
	}
}

// elsewhere goes back, or on in a copy of the world.
func (a *absence) elsewhere(n int) {
	switch n {
	case 0:
		a.take()
	case 1:
		a.restore()
	default:
		next, err := world.Clone(a.s)
		if n == 3 {
			world.Close(next)
			next, err = world.Resized(a.s, world.CountsOf(a.s))
		}
		require.NoError(a.t, err)
		world.Close(a.s)
		a.s = next
		a.past.Close()
		a.past = world.Must(world.NewSnapshot(next))
		a.take()
	}
}

// A had is what an object has.
type had struct{ label, whole, tagged, off bool } // whole: label and all references

// looked are queries beside what they match.
var looked = []struct {
	query world.Query
	match func(h had) bool
}{
	{labels, func(h had) bool { return h.label && !h.off }},
	{world.NewQuery(), func(h had) bool { return !h.off }},
	{world.NewQuery(world.Without(tagged)), func(h had) bool { return !h.tagged && !h.off }},
	{world.NewQuery(world.With(layout.Disabled)), func(h had) bool { return h.off }},
	{
		world.NewQuery(world.Read(label), world.With(layout.Disabled)),
		func(h had) bool { return h.label && h.off },
	},
	{world.NewQuery(world.Without(layout.Disabled)), func(h had) bool { return !h.off }},
	{
		world.NewQuery(world.Read(label), world.Optional(layout.Disabled)),
		func(h had) bool { return h.label },
	},
	{world.NewQuery(world.Optional(layout.Disabled)), func(_ had) bool { return true }},
	{
		world.NewQuery(world.Any(tagged, layout.Disabled)),
		func(h had) bool { return h.tagged || h.off },
	},
	{
		world.NewQuery(world.Any(tagged, label)),
		func(h had) bool { return (h.label || h.tagged) && !h.off },
	},
	{
		world.NewQuery(world.Only(label, family.ChildOf, tied, likes)),
		func(h had) bool { return h.whole && !h.tagged && !h.off },
	},
	{
		world.NewQuery(world.Only(label, family.ChildOf, tied, likes, layout.Disabled)),
		func(h had) bool { return h.whole && !h.tagged && h.off },
	},
	{
		world.NewQuery(family.NoTarget(needs), world.Optional(label)),
		func(h had) bool { return !h.off },
	},
}

var (
	spot     = layout.NewComponent[[2]float32]("disabled spot")
	wagon    = world.NewRecipe("disabled wagon", label, spot)
	trailer  = world.NewRecipe("disabled trailer", family.ChildOf, label, spot)
	sleeping = world.NewRecipe("disabled sleeping", label, spot, layout.Disabled)
	everyone = world.NewQuery(world.Read(label), world.Optional(layout.Disabled))
)

// parked is a world of two wagons with two trailers each; the first wagon and its trailers are
// disabled.
func parked(t *testing.T) (s world.State, wagons, trailers []world.GameObject) {
	t.Helper()
	s = world.Must(world.CreateState(world.Counts{
		GameObjects: 20, Recipes: []world.Recipe{wagon, trailer, sleeping},
	}))
	for i := range uint32(2) {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, wagon, label.Value(i)))
		wagons = append(wagons, id)
		for j := range uint32(2) {
			s, id = world.Must2(world.Spawn(s, trailer, family.ChildOf.Value(wagons[i]),
				label.Value(10*i+j)))
			trailers = append(trailers, id)
		}
	}
	return world.Must(world.Add(s, wagons[0], layout.Disabled)), wagons, trailers
}

// labelsOf returns the labels that a query finds, ascending.
func labelsOf(s world.State, q world.Query) (found []uint32) {
	for b := range q.In(s) {
		found = append(found, world.Column(b, label)...)
	}
	slices.Sort(found)
	return found
}

// TestWhoSeesDisabled: queries leave the disabled out, in all walks; ids, relations, indexes and
// recipes find them.
func TestWhoSeesDisabled(t *testing.T) {
	s, wagons, trailers := parked(t)
	defer func() { world.Close(s) }()
	assert.Equal(t, 6, world.Len(s))
	assert.Len(t, slices.Collect(world.GameObjects(s)), 6)
	assert.Equal(t, uint32(1), world.Must(world.Get(s, trailers[1], label)))
	assert.Equal(t, trailers[:2], children(s, family.ChildOf, wagons[0]))
	count := func(of func(func(world.Batch) bool)) (n int) {
		for b := range of {
			n += b.Len()
		}
		return n
	}
	assert.Zero(t, count(labels.ChildrenOf(s, family.ChildOf, wagons[0])))
	assert.Equal(t, 2, count(everyone.ChildrenOf(s, family.ChildOf, wagons[0])))
	assert.Equal(t, 3, count(labels.Down(s, family.ChildOf)))
	assert.Equal(t, 6, count(everyone.Up(s, family.ChildOf)))
	assert.Zero(t, count(labels.Of(s, trailers[0])))

	byLabel := index.New(label)
	assert.Equal(t, 2, byLabel.Count(s, 0), "by value, disabled or not")
	assert.Equal(t, 3, count(byLabel.Sorted(s, labels)), "a walk of a query")

	cells := world.Must(space.NewCells(s, spot, space.Options{Size: 1}))
	s = cells.Build(s, nil)
	assert.Equal(t, 3, cells.In(s).Len())

	seen := 0
	s = systems.RunTasks(s, nil, []systems.Task{{
		Run: []func(world.State) world.State{func(s world.State) world.State {
			seen = count(labels.In(s))
			return s
		}},
		Queries: []world.Query{labels},
	}})
	assert.Equal(t, 3, seen)
}

// TestSpawningDisabled: a recipe may have the mark; the function of SpawnN sees its objects.
func TestSpawningDisabled(t *testing.T) {
	s, wagons, _ := parked(t)
	defer func() { world.Close(s) }()
	next, id := world.Must2(world.Spawn(s, sleeping, label.Value(7)))
	s = world.Must(world.SpawnN(next, sleeping, 3, func(b world.Batch) {
		for i := range world.Column(b, label) {
			world.Column(b, label)[i] = 8
		}
	}))
	assert.Equal(t, []uint32{1, 10, 11}, labelsOf(s, labels))
	assert.Equal(t, []uint32{0, 0, 1, 1, 7, 8, 8, 8, 10, 11}, labelsOf(s, everyone))
	s = world.Must(world.Remove(s, id, layout.Disabled))
	assert.Equal(t, []uint32{1, 7, 10, 11}, labelsOf(s, labels))

	s, child := world.Must2(world.Spawn(s, trailer, family.ChildOf.Value(wagons[0])))
	assert.False(t, world.Has(s, child, layout.Disabled), "a child that comes later is not")
}

// TestDisabledAndWorldsWithout: worlds that do not count the mark have no term more, and refuse it
// as they refuse other kinds.
func TestDisabledAndWorldsWithout(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Recipes: []world.Recipe{wagon},
	}))
	defer func() { world.Close(s) }()
	counted, _, _ := parked(t)
	defer world.Close(counted)
	assert.Equal(t, "allOf:0", world.Must(labels.Key(s)))
	assert.Equal(t, "allOf:0", world.Must(everyone.Key(s)))
	assert.Contains(t, world.Must(labels.Key(counted)), "excludeOf:")
	assert.NotContains(t, world.Must(everyone.Key(counted)), "excludeOf:")
	s, id := world.Must2(world.Spawn(s, wagon))
	_, err := world.Add(s, id, layout.Disabled)
	require.ErrorIs(t, err, world.ErrNoKind)
	assert.Equal(t, []uint32{0}, labelsOf(s, everyone))
	worldtest.PanicsWith(t, func() { world.NewQuery(world.With(layout.Disabled)).Count(s) },
		"no kind disabled")
	for _, wrong := range []world.Term{world.Optional(tagged), world.Read(layout.Disabled)} {
		worldtest.PanicsWith(t, func() { world.NewQuery(wrong).Count(counted) }, "no fields")
	}
}
