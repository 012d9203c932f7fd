package systems

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

var (
	local    = layout.NewComponent[[3]float32]("local")
	global   = layout.NewComponent("global", [3]float32{})
	burden   = layout.NewComponent[uint32]("burden")
	node     = NewRecipe("node", childOf, local, global, burden)
	rootless = NewRecipe("free", local, global, burden)
	posing   = NewQuery(Write(global), Read(local))
	summed   = NewQuery(Write(burden))
)

// forest returns a world of n nodes, whose parents are among the 100 before them, or nobody.
func forest(tb testing.TB, seed uint64, n int) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n + 64, Recipes: []Recipe{node, rootless},
		Kinds:   layout.Kinds(childOf, local, global, burden, markX),
		Queries: []Query{posing, summed},
	}))
	r := rand.New(rand.NewPCG(seed, 3))
	ids := make([]GameObject, n)
	for _, i := range r.Perm(n) {
		recipe := node
		if i < 20 {
			recipe = rootless
		}
		s, ids[i] = made(Spawn(s, recipe))
	}
	for i := 20; i < n; i++ {
		if r.IntN(20) > 0 {
			s = sure(Set(s, ids[i], childOf, ids[max(0, i-1-r.IntN(100))]))
		}
		s = sure(Set(s, ids[i], local, [3]float32{float32(i % 7), 1, float32(i % 3)}))
	}
	return s, ids
}

// parentOf returns the parent of an object, or nobody.
func parentOf(s State, id GameObject) GameObject {
	parent, _ := Get(s, id, childOf)
	return parent
}

func TestFamiliesAllocateNothing(t *testing.T) {
	s, ids := forest(t, 6, 5000)
	c := ids[4000]
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		s, _ = Set(s, c, childOf, ids[0])
		for b := range posing.Down(s, childOf) {
			g, up := Column(b, global), Parents(b, global)
			for i := range g {
				g[i] = up[i]
			}
		}
		for range Children(s, childOf, ids[0]) {
		}
		s, _ = Set(s, c, childOf, ids[1])
	}))
	Close(s)
}

// In a world without a relation, no object refers by it.
func TestNoTarget(t *testing.T) {
	s, ids := forest(t, 4, 700)
	roots := NewQuery(Read(local), NoTarget(childOf, looksAt))
	n := 0
	for b := range roots.Down(s, childOf) {
		n += b.Len()
	}
	require.Equal(t, roots.Count(s), n)
	require.NotZero(t, n)
	require.Less(t, n, len(ids))
	require.Equal(t, "NewQuery(Read(local), NoTarget(childOf, looksAt))", roots.String())
	require.Contains(t, sure(roots.Key(s)), "noTargetOf:0")
	require.Contains(t, slices.Collect(sure(roots.Kinds(s)).All()), ArenaOf(s).Slot(childOf.Kind().Spec()))

	mustPanic(t, "contradict", func() { NewQuery(HasTarget(childOf), NoTarget(childOf)).Count(s) })
	Close(s)
}

// Whoever refers to a creation that was kept does so before it is disposed.
func TestKeptCreationsAreDisposed(t *testing.T) {
	for relation, stay := range map[layout.Field[GameObject]]int{aimsAt: 1, hangsOn: 0, standsOn: 2} {
		counts := Counts{GameObjects: 1, Kinds: layout.Kinds(relation)}
		small := sure(CreateState(counts))
		small, id := made(CreateWith(small, relation))
		target := Record(small).Create()
		Put(Record(small), id, relation, target)
		small, err := ApplyKeeping(small)
		require.ErrorIs(t, err, ErrTooMany)
		counts.GameObjects = 2
		s := closedLater(t, sure(Resized(small, counts)))
		Close(small)
		Record(s).Dispose(target)
		s, err = Apply(s)
		require.Equal(t, relation == standsOn, err != nil)
		require.Equal(t, stay, Len(s), relation)
		require.Zero(t, Dangling(s))
	}
}

// families returns a world with n parents and a child of each, and the parents. Their objects are
// loose: which rows and indexes are used next depends on the order in which they are disposed.
func families(tb testing.TB, n int) (s State, parents []GameObject) {
	tb.Helper()
	s = closedLater(tb, sure(CreateState(Counts{
		GameObjects: 2*n + 64, Kinds: layout.Kinds(childOf, local),
	})))
	for range n {
		var parent, child GameObject
		s, parent = made(CreateWith(s, local))
		s, child = made(CreateWith(s, childOf, local))
		s = sure(Set(s, child, childOf, parent))
		parents = append(parents, parent)
	}
	return s, parents
}

// In any order of arguments, objects that are disposed together leave in the order of the objects,
// whether their blocks are near each other or far apart.
func TestDisposalIsInTheOrderOfObjects(t *testing.T) {
	for name, every := range map[string]int{"near": 3, "far": 1200} {
		t.Run(name, func(t *testing.T) {
			var digests [2]uint64
			for i := range digests {
				s, parents := families(t, 6000)
				var ids []GameObject
				for at := 0; at < len(parents); at += every {
					ids = append(ids, parents[at])
				}
				if i == 1 {
					rand.New(rand.NewPCG(1, 7)).Shuffle(len(ids), func(a, b int) {
						ids[a], ids[b] = ids[b], ids[a]
					})
				}
				s = sure(Dispose(s, ids...))
				require.Equal(t, 2*(6000-len(ids)), Len(s))
				digests[i] = Digest(s)
			}
			require.Equal(t, digests[0], digests[1])
		})
	}
}

// A world that is larger than caches asks for memory ahead of a disposal, which changes nothing.
func TestTreesLeaveALargeWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("it has half a million objects")
	}
	const n = 1<<19 + 20_000
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: n, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf.Count(n), local.Count(n), global.Count(n), burden.Count(n)),
	})))
	var ids, roots []GameObject
	s = sure(SpawnN(s, node, n, func(b Batch) { ids = b.AppendIDs(ids) }))
	for i, id := range ids { // trees of twenty: a body, three limbs, and 16 parts of them
		switch k := i % 20; {
		case k == 0 && i/20%3 == 0:
			roots = append(roots, id)
		case k > 3:
			s = sure(Set(s, id, childOf, ids[i-k+1+(k-4)%3]))
		case k > 0:
			s = sure(Set(s, id, childOf, ids[i-k]))
		}
	}
	require.Equal(t, kernel.Prefetches(), manager.Large(ArenaOf(s)))
	s = sure(Dispose(s, roots[0]))
	s = sure(Dispose(s, roots[1:]...))
	require.Equal(t, n-len(roots)*20, Len(s))
	for i, id := range ids {
		if gone := i/20%3 == 0; Alive(s, id) == gone {
			t.Fatal(i, "is alive, or not")
		}
	}
	require.NoError(t, ToolsOf(s).Verify())
}

var (
	aimsAt   = layout.NewRelation("aimsAt", layout.Relation{Disposed: layout.Clear})
	hangsOn  = layout.NewRelation("hangsOn", layout.Relation{Disposed: layout.Cascade})
	standsOn = layout.NewRelation("standsOn", layout.Relation{Disposed: layout.Refuse})
)

// TestMessagesOfRelations: fields named like their kind are named once, and refusing objects are
// counted.
func TestMessagesOfRelations(t *testing.T) {
	require.Equal(t, "childOf", childOf.Spec().String())
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	ids := make([]GameObject, 5)
	for i := range ids {
		s, ids[i], _ = Spawn(s, related)
		if i > 1 {
			s = sure(Set(s, ids[i], carried, ids[1]))
		}
	}
	s = sure(Set(s, ids[1], childOf, ids[0]))
	s, err := Dispose(s, ids[1], ids[3])
	require.ErrorContains(t, err, "object 1 is not disposed: 2 refer to 1 by carried, the first is 2: ")
	s, err = Dispose(s, ids[0])
	require.ErrorContains(t, err, "1 goes with it, and 3 refer to 1 by carried, the first is 2: ")
	for b := range NewQuery(With(childOf)).ChildrenOf(s, childOf, ids[0]) {
		mustPanic(t, "fieldA of parents is asked for in a walk that knows no parents; "+
			"walk by Down, Up or AtDepth", func() { Parents(b, fieldA) })
	}
	Close(s)
}

// A ring of recorded creations is refused where it closes.
func TestRingsOfCreations(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 9, Recipes: []Recipe{node}, Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	first := Record(s).Spawn(node)
	for n := GameObject(1); n < 4; n++ {
		Record(s).Spawn(node, childOf.Value(first+n%3+1)) // 1 → 2 → 3 → 1
	}
	Record(s).Spawn(node)
	s, err := Apply(s)
	refused := new(CommandError)
	require.ErrorAs(t, err, &refused)
	require.ErrorIs(t, refused, ErrRing)
	require.Equal(t, 3, refused.Number)
	require.Equal(t, 5, Len(s))
	Close(s)
}

func TestRingsOfKeptCreations(t *testing.T) {
	counts := Counts{
		GameObjects: 1, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf, local, global, burden),
	}
	s := sure(CreateState(counts))
	s, child := made(Spawn(s, node))
	parent := Record(s).Spawn(node)
	Put(Record(s), child, childOf, parent)
	s, err := ApplyKeeping(s)
	require.ErrorIs(t, err, ErrTooMany)
	require.True(t, sure(Get(s, child, childOf)).Recorded())
	require.NoError(t, ToolsOf(s).Verify(), "it may still be created")
	counts.GameObjects = 10
	larger := sure(Resized(s, counts))
	Close(s)
	s = larger
	require.NoError(t, ToolsOf(s).Verify())
	Put(Record(s), parent, childOf, child)
	s, err = Apply(s)
	require.ErrorIs(t, err, ErrRing)
	made := sure(Applied(s, parent))
	require.Equal(t, made, sure(Get(s, child, childOf)))
	require.Equal(t, []GameObject{child}, slices.Collect(Children(s, childOf, made)))
	require.Zero(t, sure(Get(s, made, childOf)))
	Close(s)
}

// TestParentsAreUpdatedInWalksByDepth: downwards and of one depth as upwards, and in no other walk.
func TestParentsAreUpdatedInWalksByDepth(t *testing.T) {
	s, ids := forest(t, 9, 2000)
	count := func(b Batch) { UpdateParents(b, burden, func(_ int, parent *uint32) { *parent++ }) }
	for b := range summed.Down(s, childOf) {
		count(b)
	}
	for depth := range Depth(s, childOf) {
		for b := range summed.AtDepth(s, childOf, depth) {
			count(b)
		}
	}
	for _, id := range ids {
		require.Equal(t, 2*ChildCount(s, childOf, id), int(sure(Get(s, id, burden))))
	}
	for b := range summed.In(s) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	for b := range summed.ChildrenOf(s, childOf, parentOf(s, ids[500])) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	Close(s)
}

func TestReferencesAreWrittenBySetAlone(t *testing.T) {
	s, ids := forest(t, 7, 100)
	for name, f := range map[string]func(){
		"edit":   func() { _, _, _ = Edit(s, ids[50], childOf) },
		"writer": func() { WriterOf(s, childOf) },
		"row":    func() { SetRow(s, childOf, 0, 0) },
		"query":  func() { NewQuery(Write(childOf)).Count(s) },
		"recipe": func() { node.With(childOf.Value(ids[0])) },
	} {
		t.Run(name, func(t *testing.T) { mustPanic(t, "reference", f) })
	}
	mustPanic(t, "the function of SpawnN gets it by Column, if the recipe has it", func() {
		_, _ = SpawnN(s, node, 1, func(b Batch) { Column(b, looksAt) })
	})
	Close(s)
}

// offspring returns a world of nodes with free room, or room for n.
func offspring(t *testing.T, n int) (s State, ids []GameObject) {
	t.Helper()
	c := Counts{Recipes: []Recipe{node}, Kinds: layout.Kinds(childOf, local, global, burden)}
	if n > 0 {
		c.GameObjects = n
		for i := range c.Kinds {
			c.Kinds[i].Rows = n
		}
	}
	s = sure(CreateState(c))
	for range 70 {
		var id GameObject
		s, id = made(Spawn(s, node))
		ids = append(ids, id)
	}
	return s, ids
}

// withHoles spawns n nodes and disposes each second one, so that batches are short.
func withHoles(t *testing.T, s State, n int) State {
	t.Helper()
	s = sure(SpawnN(s, node, n, nil))
	for _, id := range slices.Collect(GameObjects(s))[70:] {
		if id.Index()%2 == 0 {
			s = sure(Dispose(s, id))
		}
	}
	return s
}

// TestSpawnNRefusesReferences: no spawned object remains, also of earlier batches and after a panic
// of fill.
func TestSpawnNRefusesReferences(t *testing.T) {
	OneGoroutine(t)
	for name, c := range map[string]struct {
		to   func(s State, id GameObject, all []GameObject) GameObject
		want error
		text string
	}{
		"dead": {
			func(_ State, _ GameObject, all []GameObject) GameObject { return all[0] + 1<<32 },
			ErrDead, "childOf of game object ",
		},
		"beyond": {
			func(State, GameObject, []GameObject) GameObject { return 1<<32 | 1<<31 },
			ErrOutOfRange, "childOf of game object ",
		},
		"itself": {
			func(_ State, id GameObject, _ []GameObject) GameObject { return id },
			ErrRing, "childOf ",
		},
		"recorded": {
			func(s State, _ GameObject, _ []GameObject) GameObject { return Record(s).Create() },
			ErrDead, "stands for a recorded creation",
		},
		"a member": {
			func(State, GameObject, []GameObject) GameObject { return Member(0) },
			ErrDead, "stands for member 0 of a tree",
		},
	} {
		for _, late := range []bool{false, true} {
			s, ids := offspring(t, 0)
			if late {
				s = withHoles(t, s, 6000)
			}
			before, calls := Len(s), 0
			var seen []GameObject
			next, err := SpawnN(s, node, 5000, func(b Batch) {
				calls++
				refers := Column(b, childOf)
				seen = b.AppendIDs(seen)
				for i := range refers {
					if refers[i] = ids[3]; i == 0 && (!late || len(seen) > 2000) { // and sound ones behind
						refers[i] = c.to(s, b.ID(i), ids)
					}
				}
			})
			require.ErrorIs(t, err, c.want, name)
			require.ErrorContains(t, err, c.text)
			require.Equal(t, s, next, "it can be used on")
			require.Equal(t, before, Len(s))
			require.Equal(t, late, calls > 1)
			for _, id := range seen {
				require.False(t, Alive(s, id))
			}
			require.Zero(t, ChildCount(s, childOf, ids[3]))
			require.NoError(t, ToolsOf(s).Verify())
			require.Panics(t, func() {
				_, _ = SpawnN(s, node, 3, func(b Batch) {
					for i := range Column(b, childOf) {
						Column(b, childOf)[i] = b.ID(i)
					}
					panic("out")
				})
			})
			require.NoError(t, ToolsOf(s).Verify())
			require.Equal(t, before, Len(s))
			s = sure(SpawnN(s, node, 3, func(Batch) {}))
			require.Equal(t, before+3, Len(s))
			Close(s)
		}
	}
}

// TestSpawnNFillsTheOtherFieldsOfRelations, such as the one that sorts.
func TestSpawnNFillsTheOtherFieldsOfRelations(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	s = sure(SpawnN(s, related, 5, func(b Batch) {
		slots := Column(b, slot)
		for i := range slots {
			slots[i] = uint32(len(slots) - i)
		}
	}))
	ids := slices.Collect(GameObjects(s))
	for _, id := range ids[1:] {
		s = sure(Set(s, id, carried, ids[0]))
	}
	require.Equal(t, []GameObject{ids[4], ids[3], ids[2], ids[1]},
		slices.Collect(Children(s, carried, ids[0])))
	Close(s)
}

// TestSpawnsRecordedAloneRefer: also spawns whose object is ready in a slab.
func TestSpawnsRecordedAloneRefer(t *testing.T) {
	of := layout.NewRelation("of", layout.Relation{})
	member := NewRecipe("member", of)
	s := Must(CreateState(Counts{Recipes: []Recipe{member}}))
	s, target := Must2(Spawn(s, member))
	for range 20 {
		recorded := Record(s).Spawn(member, of.Value(target))
		s = Must(Apply(s))
		id, err := Applied(s, recorded)
		require.NoError(t, err)
		require.Equal(t, target, Must(Get(s, id, of)))
	}
}

type squad struct {
	Leader  GameObject
	Members [2]GameObject
	Strong  bool
	Rest    [7]uint8
}

var (
	squads   = layout.NewComponent[squad]("squad")
	headline = layout.NewField[GameObject]("headline")
	paper    = NewResource("paper", headline)
	victim   = layout.NewField[GameObject]("victim")
	murders  = NewEvents("murders", victim)
)

func TestDangling(t *testing.T) {
	counts := Counts{
		GameObjects: 100, Kinds: layout.Kinds(squads), Resources: []ResourceKind{paper},
		Events: []EventCount{murders.Count(4)},
	}
	s := sure(CreateState(counts))
	var ids [4]GameObject
	for i := range ids {
		s, ids[i] = made(Create(s))
	}
	s = sure(Add(s, ids[0], squads.Kind()))
	assert.Zero(t, Dangling(s), "nobody is not gone")

	s = sure(Set(s, ids[0], squads, squad{Leader: ids[1], Members: [2]GameObject{ids[2], ids[3]}}))
	s = SetResource(s, headline, ids[3])
	s, b := murders.Send(s)
	EventColumn(b, victim)[0] = ids[3]
	assert.Zero(t, Dangling(s))
	s = sure(Dispose(s, ids[1], ids[3]))
	before := Digest(s)
	assert.Equal(t, 3, Dangling(s), "a leader, a member and a headline; events tell of what was")
	assert.Equal(t, before, Digest(s), "it reads")

	s, id := made(Create(s))
	require.Contains(t, []uint32{ids[1].Index(), ids[3].Index()}, id.Index())
	assert.Equal(t, 3, Dangling(s), "a later object of the index is another")
	s = sure(Suspend(s, ids[0], squads.Kind()))
	assert.Equal(t, 3, Dangling(s), "its values are kept")
	s = sure(Dispose(s, ids[0]))
	assert.Equal(t, 1, Dangling(s), "rows that are free have none")
	s = SetResource(s, headline, GameObject(math.MaxInt64))
	assert.Equal(t, 1, Dangling(s), "of no index at all")
}
