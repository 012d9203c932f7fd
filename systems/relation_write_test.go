package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

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

// TestSpawnNRefusesReferences: nothing is left of what was spawned, also of batches before, nor of
// what fill wrote when it panics.
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

// TestSpawnsRecordedAloneRefer: also those whose object is ready in a slab.
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
