package world_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

var (
	stampA      = layout.NewField("stamp a", [2]float32{1, 2})
	stampB      = layout.NewField[uint32]("stamp b")
	stampMarks  = layout.NewListField[uint16]("stamp marks")
	stampBody   = layout.NewKind("stamp body", stampA, stampB, stampMarks)
	stampBag    = layout.NewList[uint64]("stamp bag")
	stampTitle  = layout.NewText("stamp title")
	stampClose  = layout.NewComponent[uint64]("stamp packed", 7) // packed where kinds are counted
	stampFriend = layout.NewComponent[world.GameObject]("stamp friend")
	stampTree   = layout.NewRelation("stamp tree", layout.Relation{Disposed: layout.Cascade, Tree: true})
	stampOwner  = layout.NewRelation("stamp owner", layout.Relation{Disposed: layout.Clear})
	stampIced   = layout.NewMark("stamp iced")
	stampScore  = layout.NewField[uint64]("stamp score")
	stampBest   = layout.NewListField[uint32]("stamp best")
	stampBoard  = world.NewResource("stamp board", stampScore, stampBest)
	stampPower  = layout.NewField[float32]("stamp power")
	stampHits   = world.NewEvents("stamp hits", stampPower)
	stampReader = stampHits.NewReader("stamp reader")
	stampOther  = stampHits.NewReader("stamp other reader")
	stampHero   = world.NewRecipe("stamp hero", stampBody, stampBag, stampTree)
	stampRock   = world.NewRecipe("stamp rock", heroes.Position, heroes.Velocity, stampBody)
	stampNet    = network.New("stamp links")
	stampYard   = space.NewGrid("stamp yard", space.GridOptions{Width: 6, Height: 6, Limit: 2})
	stampBags   = world.NewQuery(world.Write(stampBag))
	stampMoves  = world.NewQuery(world.Write(stampA, stampMarks), world.Without(stampIced))
	stampFar    = world.NewQuery(world.Write(stampB), world.Read(heroes.Velocity))
	stampRowing = world.NewQuery(world.Write(heroes.Velocity), world.Without(stampIced), world.RowWise())
	stampWatch  = world.NewWatcher(world.NewQuery(world.With(stampBody), world.Without(stampIced))).Keep(stampA)
	stampNamed  = world.NewQuery(world.With(world.NameKind))
	stampSince  = world.NewQuery(world.Read(stampB), world.Changed(stampBody))
)

func stampCounts(counted bool) world.Counts {
	c := world.Counts{
		GameObjects: 700, Recipes: []world.Recipe{stampHero, stampRock},
		Kinds: layout.Kinds(layout.Count{Kind: stampBody, Free: true, ByRow: true}, stampBag, stampTitle, stampClose, stampFriend, stampTree,
			stampOwner, stampIced, heroes.Position, heroes.Velocity, pose.Local2, pose.Global2,
			family.ChildOf),
		Resources: []world.ResourceKind{stampBoard},
		Events:    []world.EventCount{stampHits.Count(70, stampReader, stampOther)},
		Watchers:  []world.Watcher{stampWatch}, Names: 200, Globals: 300, Seed: 3, Tasks: 2,
	}
	if counted {
		c.Kinds = []layout.Count{
			{Kind: stampBody, Rows: 700, Elements: 9000, ByRow: true},
			stampBag.Count(700, 30000), stampTitle.Count(200, 6000),
			{Kind: stampClose.Kind(), Rows: 300, Packed: true},
			stampFriend.Count(700), stampTree.Count(700), stampOwner.Count(700), stampIced.Count(0),
			heroes.Position.Count(700), heroes.Velocity.Count(700),
			pose.Local2.Count(300), pose.Global2.Count(300), family.ChildOf.Count(300),
		}
	}
	stampNet.AddTo(&c, 300)
	stampYard.AddTo(&c)
	return c
}

// A stampLife is a world that every function which writes is called on, at random.
type stampLife struct {
	t    *testing.T
	pcg  rand.PCG // of r
	r    *rand.Rand
	s    world.State
	ids  []world.GameObject // that are alive, as far as known
	rows []layout.Row       // of bodies, on no object
	held [3]stampHeld

	last    world.GameObject // that was made
	counted bool
	resized int
}

// A stampHeld is a snapshot, and what the world was when it was taken.
type stampHeld struct {
	snapshot *world.Snapshot
	digest   uint64
	ids      []world.GameObject
	rows     []layout.Row
}

func newStampLife(t *testing.T, seed uint64, counted bool) *stampLife {
	t.Helper()
	l := &stampLife{t: t, pcg: *rand.NewPCG(seed, 3), counted: counted}
	l.r = rand.New(&l.pcg)
	l.s = world.Must(world.CreateState(stampCounts(counted)))
	l.s = world.Must(stampYard.Create(l.s))
	for range 500 {
		stampDoings[l.r.IntN(4)].do(l)
		l.try(world.Add(l.s, l.id(), l.kind()))
	}
	return l
}

func (l *stampLife) close() {
	for i := range l.held {
		if l.held[i].snapshot != nil {
			l.held[i].snapshot.Close()
		}
	}
	world.Close(l.s)
}

func (l *stampLife) id() world.GameObject {
	if len(l.ids) == 0 || l.r.IntN(50) == 0 {
		return 0 // a resource's list, or nobody
	}
	return l.ids[l.r.IntN(len(l.ids))]
}

// bagged returns an object that has a bag, most often.
func (l *stampLife) bagged() (id world.GameObject) {
	for range 4 {
		if id = l.id(); world.Has(l.s, id, stampBag) {
			break
		}
	}
	return id
}

// kind returns any kind that objects can have.
func (l *stampLife) kind() layout.Kind {
	all := l.all()
	return all[l.r.IntN(len(all))]
}

func (*stampLife) all() []layout.Kind {
	return []layout.Kind{
		stampBody, stampBag.Kind(), stampTitle.Kind(), stampClose.Kind(), stampFriend.Kind(),
		stampTree.Kind(), stampOwner.Kind(), stampIced, heroes.Position.Kind(), heroes.Velocity.Kind(),
		pose.Local2.Kind(), pose.Global2.Kind(),
	}
}

// try goes on from a State, whether or not it came with an error.
func (l *stampLife) try(s world.State, _ error) { l.s = s }

func (l *stampLife) made(s world.State, id world.GameObject, err error) {
	if l.s, l.last = s, id; err == nil {
		l.ids = append(l.ids, id)
	}
}

// createRow creates a body that is on no object.
func (l *stampLife) createRow() {
	if s, row, err := world.CreateComponent(l.s, stampBody); err == nil {
		l.s, l.rows = s, append(l.rows, row)
	}
}

// loose returns bodies that are on no object: at least one, where there is room.
func (l *stampLife) loose() []layout.Row {
	if len(l.rows) == 0 {
		l.createRow()
	}
	return l.rows
}

// length returns the length of a bag.
func (l *stampLife) length(id world.GameObject) int {
	all, err := lists.Of(l.s, id, stampBag)
	if err != nil {
		return 1
	}
	return max(1, len(all))
}

func (l *stampLife) items() []uint64 {
	items := make([]uint64, l.r.IntN(6)*l.r.IntN([]int{2, 8, 300}[l.r.IntN(3)]))
	for i := range items {
		items[i] = l.r.Uint64()
	}
	return items
}

// A stampDoing is one call, or a few.
type stampDoing struct {
	name string
	do   func(l *stampLife)
}

var stampDoings = []stampDoing{
	{"Spawn", func(l *stampLife) { l.made(world.Spawn(l.s, stampHero)) }},
	{"Spawn of values", func(l *stampLife) {
		l.made(world.Spawn(l.s, stampRock, stampB.Value(l.r.Uint32()), stampA.Value([2]float32{3, l.r.Float32()})))
	}},
	{"CreateWith", func(l *stampLife) { l.made(world.CreateWith(l.s, l.kind(), heroes.Velocity)) }},
	{"list.Append", func(l *stampLife) { l.try(lists.Append(l.s, l.bagged(), stampBag, l.items()...)) }},

	{"SpawnN", func(l *stampLife) {
		l.try(world.SpawnN(l.s, stampRock, l.r.IntN(80), func(b world.Batch) {
			for i, at := range world.Column(b, heroes.Position) {
				at[1] = float32(i)
			}
			l.ids = b.AppendIDs(l.ids)
		}))
	}},
	{"SpawnTree", func(l *stampLife) {
		leaf := systems.Tree{Recipe: stampHero}
		tree := systems.Tree{Recipe: stampHero, Children: []systems.Tree{leaf, leaf}}
		l.s, l.ids, _ = systems.SpawnTree(l.ids, l.s, stampTree, tree)
	}},
	{"Create", func(l *stampLife) { l.made(world.Create(l.s)) }},
	{"Copy", func(l *stampLife) { l.made(world.Copy(l.s, l.id())) }},
	{"CopyTree", func(l *stampLife) { l.made(systems.CopyTree(l.s, stampTree, l.id())) }},
	{"Dispose", func(l *stampLife) { l.try(world.Dispose(l.s, l.id())) }},
	{"DisposeTree", func(l *stampLife) { l.try(systems.DisposeTree(l.s, stampTree, l.id())) }},
	{"Add", func(l *stampLife) { l.try(world.Add(l.s, l.id(), l.kind())) }},
	{"Ensure", func(l *stampLife) { l.s, _, _ = world.Ensure(l.s, l.id(), l.kind()) }},
	{"Reset", func(l *stampLife) { l.s, _, _ = world.Reset(l.s, l.id(), l.kind()) }},
	{"Remove", func(l *stampLife) { l.try(world.Remove(l.s, l.id(), l.kind())) }},
	{"Suspend", func(l *stampLife) {
		if k := l.kind(); k != stampClose.Kind() {
			l.try(world.Suspend(l.s, l.id(), k))
		}
	}},
	{"CreateComponent", (*stampLife).createRow},
	{"Mount", func(l *stampLife) {
		if n := len(l.loose()); n > 0 && l.r.IntN(2) == 0 {
			if s, err := world.Mount(l.s, l.id(), stampBody, l.rows[n-1]); err == nil {
				l.s, l.rows = s, l.rows[:n-1]
			}
		}
	}},
	{"SetRow", func(l *stampLife) {
		if n := len(l.loose()); n > 0 {
			l.s = world.SetRow(l.s, stampB, l.rows[l.r.IntN(n)], l.r.Uint32())
		}
	}},
	{"DisposeComponent", func(l *stampLife) {
		if n := len(l.loose()); n > 0 && l.r.IntN(3) == 0 {
			l.s = world.DisposeComponent(l.s, stampBody, l.rows[n-1])
			l.rows = l.rows[:n-1]
		}
	}},

	{"Set", func(l *stampLife) { l.try(world.Set(l.s, l.id(), stampB, l.r.Uint32())) }},
	{"Set of a packed kind", func(l *stampLife) { l.try(world.Set(l.s, l.id(), stampClose, l.r.Uint64())) }},
	{"Set of an id", func(l *stampLife) { l.try(world.Set(l.s, l.id(), stampFriend, l.id())) }},
	{"Set of a tree", func(l *stampLife) { l.try(world.Set(l.s, l.id(), stampTree, l.id())) }},
	{"Set of a relation", func(l *stampLife) { l.try(world.Set(l.s, l.id(), stampOwner, l.id())) }},
	{"Edit", func(l *stampLife) {
		s, at, err := world.Edit(l.s, l.id(), stampA)
		if l.s = s; err == nil {
			at[1]++
		}
	}},
	{"Writer", func(l *stampLife) {
		w := world.WriterOf(l.s, stampA)
		for range l.r.IntN(4) {
			if at := w.At(l.id()); at != nil {
				at[0]--
			}
		}
		at := make([]*[2]float32, 3)
		w.AtN(at, []world.GameObject{l.id(), l.id(), l.id()})
		for _, p := range at {
			if p != nil {
				p[1] += 2
			}
		}
	}},
	{"walks", func(l *stampLife) {
		for b := range stampMoves.In(l.s) {
			world.Column(b, stampA)[0][0]++
			marks := lists.Column(b, stampMarks)
			if i := l.r.IntN(marks.Len()); l.r.IntN(2) == 0 {
				_, _ = marks.Append(i, uint16(l.r.Uint32()))
			} else if n := len(marks.At(i)); n > 0 {
				marks.At(i)[0]++
				marks.Cut(i, l.r.IntN(n+1))
			}
			if l.r.IntN(4) == 0 {
				break
			}
		}
	}},
	{"walks of lists", func(l *stampLife) {
		for b := range stampBags.In(l.s) {
			bags := lists.Column(b, stampBag)
			for i := range bags.Len() {
				if all := bags.At(i); len(all) > 0 {
					all[len(all)-1]++
				}
			}
			break
		}
	}},
	{"a walk of one", func(l *stampLife) {
		for b := range stampFar.Of(l.s, l.id()) {
			world.Column(b, stampB)[0] = l.r.Uint32()
		}
	}},
	{"a RowWise walk", func(l *stampLife) {
		for b := range stampRowing.In(l.s) {
			for i := range world.Column(b, heroes.Velocity) {
				world.Column(b, heroes.Velocity)[i]++
			}
			break
		}
	}},
	{"a walk of levels", func(l *stampLife) {
		for b := range stampMoves.Down(l.s, stampTree) {
			world.Column(b, stampA)[b.Len()-1][0]++
			if l.r.IntN(2) == 0 {
				break
			}
		}
	}},
	{"tasks", func(l *stampLife) {
		half := uint32(320)
		run := func(s world.State) world.State {
			for b := range stampBags.In(s) {
				bags := lists.Column(b, stampBag)
				for i := 0; i < bags.Len(); i += 7 {
					for k := range bags.At(i) {
						bags.At(i)[k]++
					}
				}
				b.Add(0, heroes.Velocity)
			}
			return s
		}
		one := systems.Task{Run: []func(world.State) world.State{run}, Queries: []world.Query{stampBags}}
		other := one
		one.End, other.First = half/64, half/64
		l.s = systems.RunTasks(l.s, nil, []systems.Task{one, other})
		l.try(world.Apply(l.s))
	}},
	{"a task that writes by id", func(l *stampLife) {
		id, other := l.id(), l.id()
		l.s = systems.RunTasks(l.s, nil, []systems.Task{{
			Run: []func(world.State) world.State{func(s world.State) world.State {
				w := world.WriterOf(s, stampB)
				for _, id := range []world.GameObject{id, other} {
					if at := w.At(id); at != nil {
						*at += 3
					}
				}
				return s
			}}, Queries: []world.Query{stampFar},
		}})
	}},

	{"list.Insert", func(l *stampLife) {
		id := l.bagged()
		l.try(lists.Insert(l.s, id, stampBag, l.r.IntN(l.length(id)), l.items()...))
	}},
	{"list.RemoveAt", func(l *stampLife) {
		id := l.bagged()
		l.try(lists.RemoveAt(l.s, id, stampBag, l.r.IntN(l.length(id))))
	}},
	{"list.SwapRemove", func(l *stampLife) {
		id := l.bagged()
		l.try(lists.SwapRemove(l.s, id, stampBag, l.r.IntN(l.length(id))))
	}},
	{"list.Set", func(l *stampLife) { l.try(lists.Set(l.s, l.bagged(), stampBag, l.items()...)) }},
	{"list.SetAt", func(l *stampLife) {
		id := l.bagged()
		l.try(lists.SetAt(l.s, id, stampBag, l.r.IntN(l.length(id)), l.r.Uint64()))
	}},
	{"list.Clear", func(l *stampLife) { l.try(lists.Clear(l.s, l.bagged(), stampBag)) }},
	{"list.Shrink", func(l *stampLife) { l.try(lists.Shrink(l.s, l.bagged(), stampBag)) }},
	{"list.SetText", func(l *stampLife) {
		l.try(lists.SetText(l.s, l.id(), stampTitle, strings.Repeat("x", l.r.IntN(30))))
	}},
	{"list of a resource", func(l *stampLife) {
		l.try(lists.Append(l.s, 0, stampBest, l.r.Uint32()))
		if all := world.Must(lists.Of(l.s, 0, stampBest)); len(all) > 9 {
			l.try(lists.SwapRemove(l.s, 0, stampBest, l.r.IntN(9)))
			l.try(lists.SwapRemove(l.s, 0, stampBest, 0))
		}
	}},

	{"Commands", func(l *stampLife) {
		c := world.Record(l.s)
		id := c.Spawn(stampHero)
		world.Put(c, id, stampTree, l.id())
		lists.AppendLater(c, id, stampBag, l.r.Uint64())
		lists.AppendLater(c, l.id(), stampBag, l.r.Uint64())
		rock := c.Spawn(stampRock)
		world.Put(c, rock, stampB, l.r.Uint32())
		world.Put(c, l.id(), stampB, l.r.Uint32())
		c.Add(l.id(), l.kind())
		world.Put(c, l.id(), stampFriend, rock)
		c.Remove(l.id(), l.kind())
		c.Copy(l.id())
		if l.r.IntN(3) == 0 {
			c.Dispose(l.id())
		}
		l.try(world.Apply(l.s))
		for _, id := range []world.GameObject{id, rock} {
			if id, err := world.Applied(l.s, id); err == nil {
				l.ids = append(l.ids, id)
			}
		}
	}},
	{"AddAll", func(l *stampLife) {
		l.try(world.NewQuery(world.With(heroes.Position), world.Without(stampIced)).AddAll(l.s, stampIced))
	}},
	{"RemoveAll", func(l *stampLife) {
		l.try(world.NewQuery(world.With(stampIced)).RemoveAll(l.s, stampIced))
	}},
	{"DisposeAll", func(l *stampLife) {
		if l.r.IntN(5) == 0 {
			l.try(world.NewQuery(world.With(stampIced, heroes.Position)).DisposeAll(l.s))
		}
	}},

	{"SetName", func(l *stampLife) {
		id := l.id()
		if named, ok := stampNamed.First(l.s); ok && l.r.IntN(2) == 0 {
			id = named
		}
		l.try(world.SetName(l.s, id, string(rune('a'+l.r.IntN(26)))+string(rune('a'+l.r.IntN(26)))))
	}},
	{"SetGlobal", func(l *stampLife) { l.try(pack.SetGlobal(l.s, l.id(), uint64(1+l.r.IntN(500)))) }},
	{"NewGlobal", func(l *stampLife) { l.s, _, _ = pack.NewGlobal(l.s, l.id()) }},
	{"NextGlobal", func(l *stampLife) {
		id := l.id()
		l.s, _, _ = pack.NewGlobal(l.s, id)
		l.s, _, _ = pack.NextGlobal(l.s, id)
	}},
	{"SetResource", func(l *stampLife) { l.s = world.SetResource(l.s, stampScore, l.r.Uint64()) }},
	{"UpdateResource", func(l *stampLife) {
		l.s = world.UpdateResource(l.s, stampScore, func(n *uint64) { *n ^= l.r.Uint64() })
	}},
	{"Scatter", func(l *stampLife) {
		all := world.Gather(nil, l.s, world.NewQuery(), stampB)
		for range min(len(all), 3) {
			all[l.r.IntN(len(all))] = l.r.Uint32()
		}
		l.s = world.Scatter(l.s, world.NewQuery(), stampB, all)
	}},
	{"Send", func(l *stampLife) {
		var b world.EventBatch
		l.s, b = stampHits.Send(l.s)
		world.EventColumn(b, stampPower)[0] = l.r.Float32()
	}},
	{"Receive", func(l *stampLife) { l.s, _, _ = stampReader.Receive(l.s) }},
	{"Receive by another", func(l *stampLife) { l.s, _, _ = stampOther.Receive(l.s) }},
	{"NextStream", func(l *stampLife) { l.s, _ = world.NextStream(l.s) }},
	{"SetSeed", func(l *stampLife) { l.s = systems.SetSeed(l.s, l.r.Uint64()) }},
	{"Look", func(l *stampLife) { l.s = stampWatch.Look(l.s) }},
	{"Forget", func(l *stampLife) {
		if l.r.IntN(4) == 0 {
			l.s = stampWatch.Forget(l.s)
		}
	}},

	{"Grid.Enter", func(l *stampLife) { l.try(stampYard.Enter(l.s, l.r.IntN(36), l.id())) }},
	{"Grid.Leave", func(l *stampLife) {
		cell := l.r.IntN(36)
		for n := 0; n < 36 && stampYard.Occupant(l.s, cell) == 0; n++ {
			cell = (cell + 1) % 36
		}
		if stampYard.Occupant(l.s, cell) == 0 {
			l.try(stampYard.Enter(l.s, cell, l.id()))
		}
		l.try(stampYard.Leave(l.s, cell, stampYard.Occupant(l.s, cell)))
	}},
	{"Network.Link", func(l *stampLife) { l.s, _, _ = stampNet.Link(l.s, l.id(), l.id(), 1) }},
	{"pose", func(l *stampLife) {
		l.try(world.Add(l.s, l.id(), pose.Local2))
		l.try(world.Add(l.s, l.id(), pose.Global2))
		l.try(pose.Reparent2(l.s, l.id(), l.id()))
		l.s = pose.Update2(l.s)
	}},
	{"heroes", func(l *stampLife) {
		if l.r.IntN(3) == 0 {
			l.s = heroes.Update(heroes.MoveAll(l.s))
		}
	}},
	{"tool.Set", func(l *stampLife) {
		l.try(tool.Set(l.s, l.id(), "stamp body.stamp b", "77"))
		l.try(tool.Set(l.s, l.id(), "stamp bag", "[4 5 6]"))
	}},
	{"pack.Unpack", func(l *stampLife) {
		var ids []world.GameObject
		for _, id := range []world.GameObject{l.id(), l.id()} {
			if world.Alive(l.s, id) && len(ids) == 0 {
				ids = append(ids, id)
			}
		}
		if b, err := pack.Pack(nil, l.s, ids...); err == nil {
			l.s, ids, _ = pack.Unpack(l.s, b)
			l.ids = append(l.ids, ids...)
		}
	}},
	{"delta.Apply", func(l *stampLife) {
		if h := &l.held[l.r.IntN(3)]; h.snapshot != nil && l.r.IntN(4) == 0 {
			d := world.Must(delta.Append(nil, l.s, h.snapshot.State()))
			l.s = world.Must(delta.Apply(l.s, d))
			l.ids, l.rows = append(l.ids[:0], h.ids...), append(l.rows[:0], h.rows...)
			require.Equal(l.t, h.digest, world.Digest(l.s), "after a delta")
		}
	}},
	{"a walk of what changed", func(l *stampLife) {
		for b := range stampSince.Since(l.s, world.Tick(l.s)-1) {
			b.Len()
		}
	}},
	{"Advance", func(l *stampLife) { l.s = world.Advance(l.s) }},
	{"a walk in the order of an index", (*stampLife).walksInOrder},
	{"what an index finds", (*stampLife).setsFound},
}

// take makes a snapshot equal to the world.
func (l *stampLife) take(h *stampHeld, when string) {
	l.t.Helper()
	if h.snapshot == nil {
		h.snapshot = world.Must(world.NewSnapshot(l.s))
	}
	require.NoError(l.t, h.snapshot.Take(l.s))
	h.digest = world.Digest(l.s)
	h.ids, h.rows = append(h.ids[:0], l.ids...), append(h.rows[:0], l.rows...)
	l.equal(h, "Take after "+when)
}

// restore goes back to a snapshot.
func (l *stampLife) restore(h *stampHeld, when string) {
	l.t.Helper()
	l.s = world.Must(world.Restore(l.s, h.snapshot))
	l.ids, l.rows = append(l.ids[:0], h.ids...), append(l.rows[:0], h.rows...)
	l.equal(h, "Restore after "+when)
}

// some does a few things, and then takes a snapshot or goes back to one.
func (l *stampLife) some() {
	l.t.Helper()
	did := "nothing"
	for range l.r.IntN(8) {
		d := &stampDoings[l.r.IntN(len(stampDoings))]
		d.do(l)
		did += ", " + d.name
	}
	if h := &l.held[l.r.IntN(len(l.held))]; h.snapshot == nil || l.r.IntN(2) == 0 {
		l.take(h, did)
	} else {
		l.restore(h, did)
	}
	if l.indexed(did); l.r.IntN(4) == 0 {
		l.elsewhere(&stampWays[l.r.IntN(len(stampWays))], did)
	}
	if l.r.IntN(4) != 0 {
		l.s = world.Advance(l.s)
	}
}

// twin returns the same life, to go on in an equal world.
func (l *stampLife) twin(s world.State) *stampLife {
	twin := *l
	twin.s, twin.r = s, rand.New(&twin.pcg)
	twin.ids, twin.rows = slices.Clone(l.ids), slices.Clone(l.rows)
	return &twin
}

// alone does one thing, and the same in a clone and, at times, again from where it began, which
// leads to the same world each time; then one snapshot is taken again and another one restored. It
// reports whether the thing was done.
func (l *stampLife) alone(d *stampDoing) (done bool) {
	l.t.Helper()
	l.take(&l.held[0], "nothing")
	l.take(&l.held[1], "nothing")
	l.s = world.Advance(l.s)
	before, twin, begin := world.Digest(l.s), l.twin(world.Must(world.Clone(l.s))), l.pcg
	times := 0
	for ; times < 9 && world.Digest(l.s) == before; times++ {
		d.do(l)
		d.do(twin)
	}
	after := world.Digest(l.s)
	require.Equal(l.t, after, world.Digest(twin.s), "%s in a clone", d.name)
	world.Close(twin.s)
	if l.r.IntN(2) == 0 {
		l.restore(&l.held[1], d.name)
		l.s, l.pcg = world.Advance(l.s), begin
		for range times {
			d.do(l)
		}
		require.Equal(l.t, after, world.Digest(l.s), "%s once more", d.name)
	}
	l.take(&l.held[0], d.name)
	if l.r.IntN(2) == 0 {
		l.restore(&l.held[1], d.name)
	}
	return after != before
}

// equal checks that the world is what a snapshot has.
func (l *stampLife) equal(h *stampHeld, when string) {
	l.t.Helper()
	if world.Digest(l.s) != h.digest || h.snapshot.Digest() != h.digest {
		d, _, err := tool.FirstDifference(l.s, h.snapshot.State())
		require.Fail(l.t, when, "%v %v", d, err)
	}
}

// TestEveryWriteIsStamped: whatever is called, all of it is in a snapshot that is taken again, in
// one that is restored, and in each world of stampWays, where the life goes on; and it does the same
// to a copy. Under ecsdebug, ticks that begin find it, too.
func TestEveryWriteIsStamped(t *testing.T) {
	worldtest.OneGoroutine(t)
	done := map[string]bool{}
	for name, counted := range map[string]bool{"free": false, "counted": true} {
		t.Run(name, func(t *testing.T) {
			lives := uint64(3)
			if worldtest.AtLength() {
				lives = 40
			}
			for seed := range lives {
				l := newStampLife(t, seed, counted)
				for range 30 {
					l.some()
				}
				for range 3 {
					for _, i := range l.r.Perm(len(stampDoings)) {
						d := &stampDoings[i]
						done[d.name] = l.alone(d) || done[d.name]
					}
				}
				require.NoError(t, tool.Verify(l.s))
				l.close()
			}
		})
	}
	for _, d := range stampDoings {
		assert.True(t, done[d.name] || d.name == "a walk of what changed", "%s changes nothing", d.name)
	}
}
