package systems

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A copied tree goes with its first object, though only depths were asked for since.
func TestCopiedTreesGoTogether(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{GameObjects: 9, Kinds: layout.Kinds(childOf)})))
	s, parent := made(CreateWith(s))
	s, child := made(CreateWith(s, childOf))
	s = sure(Set(s, child, childOf, parent))
	require.Equal(t, 1, ChildCount(s, childOf, parent))
	s, twin := made(CopyTree(s, childOf, parent))
	require.Equal(t, 2, Depth(s, childOf))
	s = sure(Dispose(s, twin))
	require.Equal(t, []GameObject{parent, child}, slices.Collect(GameObjects(s)))
}

// What a watcher keeps of objects that are disposed together are their references before.
func TestLastReferences(t *testing.T) {
	for _, relation := range []layout.Field[GameObject]{aimsAt, hangsOn, standsOn} {
		watcher := NewWatcher(NewQuery(With(relation))).Keep(relation)
		s := closedLater(t, sure(CreateState(Counts{
			GameObjects: 9, Kinds: layout.Kinds(relation), Watchers: []Watcher{watcher},
		})))
		s, target := made(CreateWith(s))
		s, id := made(CreateWith(s, relation))
		s = watcher.Look(sure(Set(s, id, relation, target)))
		s = watcher.Look(sure(Dispose(s, target, id)))
		require.Equal(t, target, sure(LastOf(s, watcher, id, relation)), relation)
		require.NoError(t, ArenaOf(s).Verify())
		require.Zero(t, Dangling(s))
	}
}

// An object whose disposal waits may be disposed before, and another one get its index.
func TestIndexesOfThoseWhoWait(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 9, Recipes: []Recipe{related}, Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	})))
	s, gone := made(CreateWith(s))
	s, bag := made(CreateWith(s))
	s, item := made(CreateWith(s, carried))
	s = sure(Set(s, item, carried, bag))

	c := Record(s)
	c.Dispose(gone)
	first := c.Create()
	c.Dispose(bag)
	Put(c, item, carried, 0)
	Put(c, item, slot, 5)
	c.Dispose(bag)
	second := c.Create()
	Put(c, item, carried, second)
	s = sure(Apply(s))
	require.Equal(t, sure(Applied(s, second)), sure(Get(s, item, carried)))
	require.Equal(t, 3, Len(s))
	for _, id := range []GameObject{first, second} {
		require.True(t, Alive(s, sure(Applied(s, id))))
	}
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

// After a disposal, some goroutines look for those who refer to nobody, and others for children.
func TestQuestionsSideBySide(t *testing.T) {
	s, parents := families(t, 200)
	loose := NewQuery(NoTarget(childOf))
	for i, parent := range parents[:20] {
		require.Equal(t, 1, ChildCount(s, childOf, parents[100]))
		s = sure(Dispose(s, parent))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if n := loose.Count(s); n != 199-i {
					t.Errorf("%d refer to nobody, not %d", n, 199-i)
				}
			})
			all.Go(func() {
				for _, id := range parents[20:] {
					if n := ChildCount(s, childOf, id); n != 1 {
						t.Errorf("%d children of %v", n, id)
					}
				}
			})
		}
		all.Wait()
	}
}
