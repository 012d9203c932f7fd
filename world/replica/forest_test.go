package replica

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
)

// Relations of all policies, trees and others; family.ChildOf cascades, disables and is a tree.
var (
	rides   = layout.NewRelation("rides", layout.Relation{Disposed: layout.Refuse, Tree: true})
	follows = layout.NewRelation("follows", layout.Relation{Disposed: layout.Cascade, Disables: true})
	likes   = layout.NewRelation("likes", layout.Relation{Disposed: layout.Clear})
	near    = layout.NewComponent[world.GameObject]("near")
	leaf    = layout.NewComponent[uint32]("leaf")

	branches = []layout.Field[world.GameObject]{family.ChildOf, rides, follows, likes, near}
	tree     = world.NewRecipe("branch", leaf, family.ChildOf, rides, likes)
	grown    = NewSchema(tree, Field(leaf, Raw()), Ref(family.ChildOf), Ref(rides), Ref(follows),
		Ref(likes), Ref(near), Mark(layout.Disabled))
)

// A branch is what a client may know of an object: the numbers of what it refers to by each
// relation, and whether it is disabled.
type branch struct {
	to       [5]uint32
	disabled bool
}

// A forest is a server's world of branches, and the mirror of one client.
type forest struct {
	tb      testing.TB
	s, cs   world.State
	server  *Server
	network *link.Network
	client  link.Link
	m       *Mirror
	ids     []world.GameObject // by number
	hidden  []bool             // by number
	next    uint32
	tick    int
	lose    int // in this tick, what came is lost
	past    map[uint32]map[uint32]branch
	wholes  int
}

func newForest(tb testing.TB, room int, o Options, n link.Conditions) *forest {
	tb.Helper()
	f := &forest{tb: tb, past: map[uint32]map[uint32]branch{}, lose: -1, network: link.NewNetwork(2, n)}
	f.s = world.Must(world.CreateState(world.Counts{
		GameObjects: room, Kinds: layout.Kinds(follows, near, layout.Disabled),
		Recipes: []world.Recipe{tree},
	}))
	o.Clients, o.Known = 1, room
	f.server = NewServer(f.s, grown, o)
	f.server.Accept(f.network.Link(0, 1))
	f.client = f.network.Link(1, 0)
	f.cs = world.Must(world.CreateState(grown.Counts(room)))
	f.m = NewMirror(f.cs, grown, room, Show{Behind: 1e-9})
	f.client.Send(f.m.Append(nil, nil))
	return f
}

func (f *forest) close() {
	world.Close(f.s)
	world.Close(f.cs)
}

func (f *forest) grow() {
	f.next++
	s, id := world.Must2(world.Spawn(f.s, tree, leaf.Value(f.next)))
	f.s = s
	f.ids, f.hidden = append(f.ids, id), append(f.hidden, false)
}

// set makes one branch refer to another, or to nobody, unless the server's world refuses.
func (f *forest) set(i, relation int, to world.GameObject) {
	id, by := f.ids[i], branches[relation]
	if !world.Has(f.s, id, by.Kind()) && world.Alive(f.s, id) {
		f.s = world.Must(world.Add(f.s, id, by.Kind()))
	}
	if s, err := world.Set(f.s, id, by, to); err == nil {
		f.s = s
	}
}

func (f *forest) dispose(i int) {
	if s, err := world.Dispose(f.s, f.ids[i]); err == nil {
		f.s = s
	}
}

// swap has a branch and what it refers to change places.
func (f *forest) swap(i, relation int) {
	by := branches[relation]
	parent, err := world.Get(f.s, f.ids[i], by)
	for k, id := range f.ids {
		if err == nil && id == parent && parent != world.Nobody {
			above, _ := world.Get(f.s, parent, by)
			f.set(i, relation, above)
			f.set(k, relation, f.ids[i])
		}
	}
}

func (f *forest) disable(i int) {
	id := f.ids[i]
	switch {
	case !world.Alive(f.s, id):
	case world.Has(f.s, id, layout.Disabled):
		f.s = world.Must(world.Remove(f.s, id, layout.Disabled))
	default:
		f.s = world.Must(world.Add(f.s, id, layout.Disabled))
	}
}

// step ends a tick on both sides, and compares the client's world with the server's of its tick, if
// it says that it has all of that.
func (f *forest) step() {
	f.tick++
	f.s = world.Advance(f.s)
	for range f.server.Joined() {
	}
	named := map[world.GameObject]bool{}
	for i, id := range f.ids {
		named[id] = !f.hidden[i] && world.Alive(f.s, id)
	}
	f.s = f.server.Send(f.s, func(v *View, _ *Conn) {
		for _, id := range f.ids {
			if named[id] {
				v.See(id, 1)
			}
		}
	})
	f.past[f.server.table.tick] = f.branchesOf(f.s, func(id world.GameObject) bool { return named[id] })
	f.network.Step()
	for b, ok := f.client.Receive(); ok; b, ok = f.client.Receive() {
		if f.tick == f.lose {
			continue
		}
		cs := world.Must(f.m.Apply(f.cs, b))
		f.cs = f.m.Present(cs, time.Duration(f.tick)*time.Second)
		if f.m.Whole() == f.m.Tick() {
			f.wholes++
			require.Equal(f.tb, f.past[f.m.Tick()],
				f.branchesOf(f.cs, func(world.GameObject) bool { return true }), "tick %d", f.tick)
		}
	}
	f.client.Send(f.m.Append(nil, nil))
}

// branchesOf returns the objects that are seen, by number.
func (f *forest) branchesOf(s world.State, sees func(world.GameObject) bool) map[uint32]branch {
	all := map[uint32]branch{}
	for id := range world.GameObjects(s) {
		if !sees(id) {
			continue
		}
		b := branch{disabled: world.Has(s, id, layout.Disabled)}
		for i, by := range branches {
			if to, err := world.Get(s, id, by); err == nil && to != world.Nobody && sees(to) {
				if n, err := world.Get(s, to, leaf); err == nil {
					b.to[i] = n
				}
			}
		}
		all[world.Must(world.Get(s, id, leaf))] = b
	}
	return all
}

// rest heals the network, and has the client get all.
func (f *forest) rest() {
	f.network.Set(link.Conditions{})
	f.lose = -1
	for range 24 {
		f.step()
	}
	require.Equal(f.tb, f.m.Tick(), f.m.Whole())
	require.EqualValues(f.tb, f.tick, f.m.Tick())
	require.NoError(f.tb, tool.Verify(f.cs))
}

// live lets one of all things happen.
func (f *forest) live(r *rand.Rand) {
	i, k, by := r.IntN(len(f.ids)), r.IntN(len(f.ids)), r.IntN(len(branches))
	switch r.IntN(8) {
	case 0:
		f.set(i, by, world.Nobody)
	case 1, 2:
		f.set(i, by, f.ids[k])
	case 3:
		f.swap(i, by)
	case 4, 5:
		f.hidden[i] = !f.hidden[i]
	case 6:
		f.disable(i)
	case 7:
		if f.dispose(i); !world.Alive(f.s, f.ids[i]) && r.IntN(2) == 0 {
			f.grow()
		}
	}
}

// A mirror has the objects that the server shows, with their values and references, for all
// policies of their relations, even if datagrams are lost, late or duplicated.
func TestMirrorsAreForestsOfTheServers(t *testing.T) {
	worldtest.OneGoroutine(t)
	seeds := 12
	switch {
	case worldtest.AtLength():
		seeds = 400
	case testing.Short():
		seeds = 4
	}
	wholes := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		f := newForest(t, 60, Options{Budget: []int{0, 0, 200}[seed%3]}, link.Conditions{
			Delay: r.IntN(3), Jitter: r.IntN(4), Loss: float32(r.IntN(4)) / 8, Duplicates: 0.1,
			Seed: uint64(seed) + 1,
		})
		n := 3 + r.IntN(12)
		for range n {
			f.grow()
		}
		for range 150 {
			for range r.IntN(4) {
				f.live(r)
			}
			f.step()
		}
		f.rest()
		wholes += f.wholes
		f.close()
	}
	t.Log(wholes, "ticks of which the client had all")
}

// Every sequence of three changes of three objects, with one datagram lost at each place, leaves
// the mirror with what the server has; at length, every eleventh one of four changes too.
func TestEveryChangeOfThreeBranches(t *testing.T) {
	worldtest.OneGoroutine(t)
	changes := []func(f *forest, by int){
		func(f *forest, by int) { f.set(0, by, f.ids[1]) },
		func(f *forest, by int) { f.set(1, by, f.ids[0]) },
		func(f *forest, by int) { f.set(1, by, f.ids[2]) },
		func(f *forest, by int) { f.set(2, by, f.ids[0]) },
		func(f *forest, by int) { f.set(0, by, world.Nobody) },
		func(f *forest, by int) { f.swap(0, by) },
		func(f *forest, _ int) { f.hidden[0] = !f.hidden[0] },
		func(f *forest, _ int) { f.hidden[1] = !f.hidden[1] },
		func(f *forest, _ int) { f.dispose(1) },
		func(f *forest, _ int) { f.disable(0) },
		func(f *forest, _ int) { f.disable(1) },
	}
	switch {
	case worldtest.AtLength():
		tryChanges(t, changes, 3, 1)
		tryChanges(t, changes, 4, 11)
	case testing.Short():
		tryChanges(t, changes, 3, 101)
	default:
		tryChanges(t, changes, 3, 29)
	}
}

// tryChanges tries one of stride sequences of so many changes.
func tryChanges(t *testing.T, changes []func(f *forest, by int), length, stride int) {
	t.Helper()
	n, total := len(changes), 5*4
	for range length {
		total *= n
	}
	for number := 0; number < total; number += stride {
		by, lost, all := number%4, 5+number/4%5, number/20
		f := newForest(t, 4, Options{}, link.Conditions{})
		f.lose = lost
		for range 3 {
			f.grow()
		}
		f.set(0, by, f.ids[1])
		for range 4 {
			f.step()
		}
		for range length {
			changes[all%n](f, by)
			f.step()
			all /= n
		}
		f.rest()
		if f.close(); t.Failed() {
			t.Fatalf("sequence %d of %d changes", number, length)
		}
	}
}

// A program's objects below an object of its mirror follow their own policies, and cannot keep the
// mirror's object alive.
func TestWhatAProgramHangsOnAMirror(t *testing.T) {
	f := newForest(t, 8, Options{}, link.Conditions{})
	defer f.close()
	f.grow()
	for range 4 {
		f.step()
	}
	seat := f.m.slots[0].id
	cs, plate := world.Must2(world.CreateWith(f.cs, family.ChildOf))
	cs, rider := world.Must2(world.CreateWith(cs, rides))
	cs = world.Must(world.Set(cs, plate, family.ChildOf, seat))
	f.cs = world.Must(world.Set(cs, rider, rides, seat))
	f.hidden[0] = true
	f.s = f.server.Send(f.s, func(*View, *Conn) {})
	b, ok := f.client.Receive()
	for ; !ok; b, ok = f.client.Receive() {
		f.network.Step()
	}
	f.cs = world.Must(f.m.Apply(f.cs, b))
	require.False(t, world.Alive(f.cs, seat))
	require.Equal(t, world.Nobody, world.Must(world.Get(f.cs, rider, rides)))
}
