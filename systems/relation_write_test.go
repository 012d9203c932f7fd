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
		"writer": func() { OpenWrite(s, childOf) },
		"row":    func() { SetRow(s, childOf, 0, 0) },
		"query":  func() { NewQuery(Write(childOf)).Count(s) },
		"recipe": func() { node.With(childOf.Value(ids[0])) },
		"fill":   func() { _, _ = SpawnN(s, node, 1, func(b Batch) { Column(b, childOf) }) },
		"fill all": func() {
			_, _ = SpawnN(s, node, 1, func(b Batch) { Overwrite(b, childOf) })
		},
	} {
		t.Run(name, func(t *testing.T) { mustPanic(t, "reference", f) })
	}
	mustPanic(t, "in SpawnN nothing refers to anybody: call Set after it", func() {
		_, _ = SpawnN(s, node, 1, func(b Batch) { Column(b, childOf) })
	})
	Close(s)
}

// TestSpawnNFillsTheOtherFieldsOfRelations, such as the one that sorts.
func TestSpawnNFillsTheOtherFieldsOfRelations(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	s, err := SpawnN(s, related, 5, func(b Batch) {
		slots := Column(b, slot)
		for i := range slots {
			slots[i] = uint32(len(slots) - i)
		}
	})
	require.NoError(t, err)
	ids := slices.Collect(GameObjects(s))
	for _, id := range ids[1:] {
		s = must(Set(s, id, carried, ids[0]))
	}
	require.Equal(t, []GameObject{ids[4], ids[3], ids[2], ids[1]},
		slices.Collect(Children(s, carried, ids[0])))
	Close(s)
}
