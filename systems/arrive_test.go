package systems_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

var (
	spot    = layout.NewComponent[[3]float32]("spot")
	drift   = layout.NewComponent("drift", [3]float32{0, 5, 0})
	friend  = layout.NewField[systems.GameObject]("friend")
	friends = layout.NewKind("friends", friend)
	follows = layout.NewRelation("follows", layout.Relation{Disposed: layout.Cascade, Tree: true})
	iced    = layout.NewMark("iced")
	bubble  = systems.NewRecipe("bubble", spot, drift, follows)

	drifting  = systems.NewQuery(systems.Read(spot), systems.Without(iced))
	followers = systems.NewQuery(systems.HasTarget(follows))
	heads     = systems.NewQuery(systems.Read(spot), systems.NoTarget(follows))
)

func bubbles(free bool) systems.Counts {
	c := systems.Counts{
		GameObjects: 4_096, Recipes: []systems.Recipe{bubble},
		Kinds: layout.Kinds(spot, drift, follows, friends, iced),
	}
	if !free {
		c.GameObjects = 400
		c.Kinds = []layout.Count{
			spot.Count(400), drift.Count(400), follows.Count(400), friends.Count(400), iced.Count(0),
		}
	}
	return c
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// bubbled makes random changes to a world, each in a tick of its own.
func bubbled(s systems.State, seed uint64, changes int) systems.State {
	r := rand.New(rand.NewPCG(seed, 1))
	for range changes {
		s = systems.Advance(s)
		var ids []systems.GameObject
		for id := range systems.GameObjects(s) {
			ids = append(ids, id)
		}
		switch n := r.IntN(9); {
		case len(ids) < 60 || n == 0:
			s = must(systems.SpawnN(s, bubble, 1+r.IntN(20), nil))
		case n == 1:
			s = must(systems.Dispose(s, ids[r.IntN(len(ids))]))
		case n == 2:
			if next, err := systems.Add(s, ids[r.IntN(len(ids))], iced); err == nil {
				s = next
			}
		case n == 3:
			if next, err := systems.Add(s, ids[r.IntN(len(ids))], friends); err == nil {
				s = next
			}
		case n < 6: // refused where it closes a ring
			s, _ = systems.Set(s, ids[r.IntN(len(ids))], follows, ids[r.IntN(len(ids))])
		default:
			s, _ = systems.Set(s, ids[r.IntN(len(ids))], spot, [3]float32{r.Float32(), 1, 2})
		}
	}
	return s
}

func fileOf(s systems.State) []byte {
	var b bytes.Buffer
	if err := save.Write(&b, s, save.Options{}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func read(b []byte, c systems.Counts) systems.State {
	s, _, err := save.Read(bytes.NewReader(b), int64(len(b)), c, save.Options{})
	return must(s, err)
}

func snapshotOf(s systems.State) *systems.Snapshot {
	p := must(systems.NewSnapshot(s))
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}

// A wayIn puts the bytes of a world a into another one, which begin returns, or makes a new world.
type wayIn struct {
	name   string
	isRead bool // the world is only read
	isNew  bool // begin returns a, and arrive a copy of it
	begin  func(e *arrival) systems.State
	arrive func(e *arrival, s systems.State) systems.State
}

// An arrival is what a way in is given.
type arrival struct {
	counts   systems.Counts
	a, b     systems.State // a is to arrive in b
	snapshot *systems.Snapshot
	memory   []byte
	inMemory systems.State
}

func (e *arrival) late() systems.State { return e.b }
func (e *arrival) same() systems.State { return e.a }

// lateMemory returns a world over memory that holds b.
func (e *arrival) lateMemory() systems.State {
	e.memory = memory.Make(must(memory.SizeOf(e.counts)))
	e.inMemory = must(memory.CreateState(e.counts, e.memory))
	e.inMemory = must(systems.Restore(e.inMemory, snapshotOf(e.b)))
	return must(memory.Attach(e.counts, e.memory))
}

func (e *arrival) sameMemory() systems.State {
	e.memory = memory.Make(must(memory.SizeOf(e.counts)))
	return must(systems.Restore(must(memory.CreateState(e.counts, e.memory)), snapshotOf(e.a)))
}

var waysIn = []wayIn{
	{
		name: "Restore", begin: (*arrival).late,
		arrive: func(e *arrival, s systems.State) systems.State {
			return must(systems.Restore(s, snapshotOf(e.a)))
		},
	},
	{
		name: "Restore of a snapshot that was taken of another world", begin: (*arrival).late,
		arrive: func(e *arrival, s systems.State) systems.State {
			p := snapshotOf(s)
			if err := p.Take(e.a); err != nil {
				panic(err)
			}
			return must(systems.Restore(s, p))
		},
	},
	{name: "RestoreFrom", begin: (*arrival).late, arrive: restoredFrom},
	{
		name: "Rollback", begin: (*arrival).late,
		arrive: func(e *arrival, s systems.State) systems.State {
			h := must(history.New(s, 2, 0))
			if err := h.Record(e.a, nil); err != nil {
				panic(err)
			}
			return must(h.Rollback(s, 0))
		},
	},
	{
		name: "Reread", begin: (*arrival).late,
		arrive: func(e *arrival, s systems.State) systems.State {
			b := fileOf(e.a)
			s, _, err := save.Reread(bytes.NewReader(b), int64(len(b)), s, save.Options{})
			return must(s, err)
		},
	},
	{
		name: "delta.Apply", begin: (*arrival).late,
		arrive: func(e *arrival, s systems.State) systems.State {
			return must(delta.Apply(s, must(delta.Append(nil, s, e.a))))
		},
	},
	{
		name: "Take", isRead: true,
		begin: func(e *arrival) systems.State {
			e.snapshot = snapshotOf(e.b)
			return e.snapshot.State()
		},
		arrive: func(e *arrival, _ systems.State) systems.State {
			if err := e.snapshot.Take(e.a); err != nil {
				panic(err)
			}
			return e.snapshot.State()
		},
	},
	{
		name: "Anew", isRead: true, begin: (*arrival).lateMemory,
		arrive: func(e *arrival, s systems.State) systems.State {
			s = systems.Anew(s) // as package share does
			e.inMemory = must(systems.Restore(e.inMemory, snapshotOf(e.a)))
			return systems.Anew(s)
		},
	},
	{
		name: "Load", isNew: true, begin: (*arrival).same,
		arrive: func(e *arrival, s systems.State) systems.State { return read(fileOf(s), e.counts) },
	},
	{name: "CloneIn", isNew: true, begin: (*arrival).same, arrive: clonedIn},
	{
		name: "Clone", isNew: true, begin: (*arrival).same,
		arrive: func(_ *arrival, s systems.State) systems.State { return must(systems.Clone(s)) },
	},
	{
		name: "Resized", isNew: true, begin: (*arrival).same,
		arrive: func(e *arrival, s systems.State) systems.State {
			return must(systems.Resized(s, e.counts))
		},
	},
	{
		name: "Attach", isNew: true, isRead: true, begin: (*arrival).sameMemory,
		arrive: func(e *arrival, _ systems.State) systems.State {
			return must(memory.Attach(e.counts, e.memory))
		},
	},
	{
		name: "Open", isNew: true, begin: (*arrival).sameMemory,
		arrive: func(e *arrival, _ systems.State) systems.State {
			return must(memory.Open(e.counts, e.memory))
		},
	},
	{
		name: "Copy", isNew: true, begin: (*arrival).sameMemory,
		arrive: func(e *arrival, _ systems.State) systems.State {
			return must(memory.Copy(e.counts, e.memory))
		},
	},
}

// A probe uses what an entry of the list is about, before other bytes arrive and after it.
type probe struct {
	entry  string
	writes bool
	before func(p *probed, s systems.State) systems.State
	after  func(t *testing.T, p *probed, s, fresh systems.State)
}

type probed struct {
	snapshot *systems.Snapshot
	moment   tool.Moment
	recorded systems.GameObject
}

// befriended lists all objects with a friend, in the order of their friends.
func befriended(s systems.State) []systems.GameObject {
	return slices.Collect(func(yield func(systems.GameObject) bool) {
		systems.OrderedBy(s, friend.Spec()).Between(0, math.MaxUint64, yield)
	})
}

var probes = []probe{
	{
		entry: "versions",
		before: func(p *probed, s systems.State) systems.State {
			p.moment = tool.MomentOf(s, spot.Kind())
			families(s)
			befriended(s)
			return s
		},
		after: func(t *testing.T, p *probed, s, fresh systems.State) {
			t.Helper()
			require.Equal(t, families(fresh), families(s))
			require.Equal(t, befriended(fresh), befriended(s))
			require.NotEqual(t, p.moment, tool.MomentOf(s, spot.Kind()))
		},
	},
	{
		entry: "past",
		before: func(p *probed, s systems.State) systems.State {
			p.snapshot = snapshotOf(s)
			return s
		},
		after: func(t *testing.T, p *probed, s, fresh systems.State) {
			t.Helper()
			require.NoError(t, p.snapshot.Take(s))
			require.Equal(t, systems.Digest(fresh), p.snapshot.Digest())
		},
	},
	{
		entry: "commands", writes: true,
		before: func(p *probed, s systems.State) systems.State {
			p.recorded = systems.Record(s).Spawn(bubble)
			return must(systems.Apply(s))
		},
		after: func(t *testing.T, p *probed, s, _ systems.State) {
			t.Helper()
			made, err := systems.Applied(s, p.recorded)
			require.Error(t, err, "%v was created in other bytes", made)
			s, id, err := systems.Create(s)
			require.NoError(t, err)
			s, err = systems.Add(s, id, friends)
			require.NoError(t, err)
			s = must(systems.Set(s, id, friend, systems.Record(s).Spawn(bubble)))
			s = must(systems.Apply(s))
			require.True(t, systems.Alive(s, must(systems.Get(s, id, friend))))
		},
	},
	{
		entry: "shown", // it panics if a column that View returned differs now
		before: func(_ *probed, s systems.State) systems.State {
			systems.View(s, spot)
			return s
		},
		after: func(t *testing.T, _ *probed, s, fresh systems.State) {
			t.Helper()
			require.Equal(t, systems.Len(fresh), systems.Len(s))
		},
	},
}

// families lists the referrers of each object, by lists, levels and walks.
func families(s systems.State) string {
	var b bytes.Buffer
	for id := range systems.GameObjects(s) {
		fmt.Fprint(&b, id, ":")
		for child := range systems.Children(s, follows, id) {
			fmt.Fprint(&b, " ", child)
		}
	}
	for range 3 { // what walks learn of a tree, they learn in the second and use in the third
		for batch := range drifting.Down(s, follows) {
			up := systems.Parents(batch, spot)
			for i := range up {
				fmt.Fprint(&b, " ", batch.ID(i), up[i])
			}
		}
	}
	for _, q := range []systems.Query{followers, heads, drifting} {
		for batch := range q.In(s) {
			fmt.Fprint(&b, " ", batch.AppendIDs(nil))
		}
	}
	return b.String()
}

// TestWhatLiesBesideOtherBytes goes through all entries of the list after each way in: worlds of
// free room and counted ones, an earlier time of the same world, and a later one of another.
func TestWhatLiesBesideOtherBytes(t *testing.T) {
	systems.OneGoroutine(t)
	entries := map[string]bool{}
	for _, p := range probes {
		entries[p.entry] = true
	}
	for _, name := range systems.Beside() {
		require.True(t, entries[name], "no probe uses %s before and after other bytes arrive", name)
	}
	for _, free := range []bool{true, false} {
		for _, w := range waysIn {
			for _, p := range probes {
				for _, other := range []bool{false, true} {
					if w.isRead && p.writes {
						continue
					}
					name := fmt.Sprintf("%s/%s/free %t/other %t", w.name, p.entry, free, other)
					t.Run(name, func(t *testing.T) { arrives(t, &w, &p, bubbles(free), other) })
				}
			}
		}
	}
}

func arrives(t *testing.T, w *wayIn, p *probe, c systems.Counts, other bool) {
	t.Helper()
	e := &arrival{counts: c}
	e.a = bubbled(must(systems.CreateState(c)), 1, 30)
	e.b = bubbled(must(systems.Clone(e.a)), 2, 30)
	if other {
		e.a = bubbled(must(systems.CreateState(c)), 3, 60)
		for range 100 {
			e.a = systems.Advance(e.a)
		}
	}
	var x probed
	s := p.before(&x, w.begin(e))
	from := e.a
	if w.isNew {
		from = s
	}
	fresh := read(fileOf(from), c)
	p.after(t, &x, w.arrive(e, s), fresh)
}

// changed says which objects each tick of a world may have written, by kind.
func changed(s systems.State) (all [][]systems.GameObject) {
	for _, k := range []layout.AnyKind{spot, drift, follows, friends} {
		q := systems.NewQuery(systems.Changed(k))
		for tick := range systems.Tick(s) {
			var ids []systems.GameObject
			for b := range q.Since(s, tick) {
				ids = b.AppendIDs(ids)
			}
			all = append(all, ids)
		}
	}
	return all
}

// TestEachWaySeesTheSameChanges: a step that walks what changed does the same in a world that
// arrived, also for a kind by block of some objects of a slab, which their recipe lacks.
func TestEachWaySeesTheSameChanges(t *testing.T) {
	c := bubbles(true)
	c.Recipes = append(c.Recipes, systems.NewRecipe("pals", friends)) // their rows go by block
	for _, w := range waysIn {
		e := &arrival{counts: c, b: must(systems.CreateState(c))}
		e.a = bubbled(must(systems.CreateState(c)), 1, 90)
		s, want := w.begin(e), changed(e.a)
		require.Equal(t, want, changed(w.arrive(e, s)), w.name)
	}
}
