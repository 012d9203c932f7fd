package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	overPlace  = layout.NewComponent("over place", [3]float32{1, 2, 3})
	overSpeed  = layout.NewComponent[[3]float32]("over speed")
	overMark   = layout.NewMark("over mark")
	overBall   = NewRecipe("over ball", overPlace, overSpeed, childOf)
	overMoving = NewQuery(Write(overPlace), Read(overSpeed))
	overBare   = overMoving.And(Without(overMark))
)

// inRooms runs a test in worlds of n balls, with free room and counted.
func inRooms(t *testing.T, n int, test func(t *testing.T, s State, ids []GameObject)) {
	t.Helper()
	for name, kinds := range map[string][]layout.Count{
		"free":    layout.Kinds(overPlace, overSpeed, overMark, childOf),
		"counted": layout.Kinds(overPlace.Count(500), overSpeed.Count(500), overMark, childOf.Count(500)),
	} {
		t.Run(name, func(t *testing.T) {
			c := Counts{Kinds: kinds, Recipes: []Recipe{overBall}, Tasks: 3}
			s, ids := closedLater(t, sure(CreateState(c))), []GameObject(nil)
			for range n {
				var id GameObject
				s, id = made(Spawn(s, overBall))
				ids = append(ids, id)
			}
			test(t, s, ids)
		})
	}
}

// usesOfABatch are all that is done with a batch of overMoving.
var usesOfABatch = map[string]func(b Batch){
	"Len":           func(b Batch) { b.Len() },
	"ID":            func(b Batch) { b.ID(0) },
	"AppendIDs":     func(b Batch) { b.AppendIDs(nil) },
	"Row":           func(b Batch) { b.Row(0, overPlace.Kind()) },
	"Column":        func(b Batch) { Column(b, overPlace) },
	"Parents":       func(b Batch) { Parents(b, overPlace) },
	"UpdateParents": func(b Batch) { UpdateParents(b, overPlace, func(int, *[3]float32) {}) },
	"Add":           func(b Batch) { b.Add(0, overMark) },
	"Remove":        func(b Batch) { b.Remove(0, overMark) },
	"Dispose":       func(b Batch) { b.Dispose(0) },
	"Spawn":         func(b Batch) { b.Spawn(overBall) },
}

// isOver checks that a batch is refused, whatever it is used for, and records nothing.
func isOver(t *testing.T, s State, b Batch) {
	t.Helper()
	recorded := ToolsOf(s).Unapplied()
	for _, use := range usesOfABatch {
		panicsWith(t, func() { use(b) }, "is over", "take one that a query yields")
	}
	require.Equal(t, recorded, ToolsOf(s).Unapplied())
}

// TestABatchIsOverWhenItsLoopContinues: in the next turn, after the walk however that ended, in
// another walk, and after SpawnN.
func TestABatchIsOverWhenItsLoopContinues(t *testing.T) {
	inRooms(t, 300, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		for i := 50; i < len(ids); i += 70 {
			s = sure(Add(s, ids[i], overMark))
		}
		walks := map[string]func(yield func(Batch) bool){
			"In": overBare.In(s), "Down": overMoving.Down(s, childOf), "Of": overBare.Of(s, ids[0]),
			"AtDepth": overMoving.AtDepth(s, childOf, 0),
		}
		for name, walk := range walks {
			t.Run(name, func(t *testing.T) {
				var all []Batch
				for b := range walk {
					for _, old := range all {
						isOver(t, s, old)
					}
					assert.Positive(t, b.Len(), "the batch itself is good")
					all = append(all, b) //flatecs:allow kept it is used when it is over
				}
				require.NotEmpty(t, all)
				for _, old := range all {
					isOver(t, s, old)
				}
				for b := range walk {
					all = append(all[:0], b) //flatecs:allow kept it is used when it is over
					break
				}
				for range walk {
					isOver(t, s, all[0])
					break
				}
			})
		}
		var spawned []Batch
		s = sure(SpawnN(s, overBall, 200, func(b Batch) {
			for _, old := range spawned {
				isOver(t, s, old)
			}
			spawned = append(spawned, b) //flatecs:allow kept it is used when it is over
		}))
		for _, old := range spawned {
			isOver(t, s, old)
		}
	})
}
