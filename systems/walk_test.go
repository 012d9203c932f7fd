package systems

import (
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

var (
	writeA = NewQuery(Write(fieldA))
	readA  = NewQuery(Read(fieldA))
	writeC = NewQuery(Write(fieldC))
)

// mixed returns a world of n objects with A and C, the rows of C in another order.
func mixed(t *testing.T, n int) (State, []GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: n, Kinds: []layout.Count{
		kindA.Count(n), kindB.Count(n), kindC.Count(n), markX.Count(0), markY.Count(0),
	}}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(CreateWith(s, kindA))
	}
	for i := range ids {
		s = sure(Add(s, ids[(i*7+3)%n], kindC))
	}
	return s, ids
}

// TestRulesOfAnOpenWalk: written fields are accessible through batches only. That structure must not
// change is a part of each function's contract, which package world tests.
func TestRulesOfAnOpenWalk(t *testing.T) {
	s, ids := mixed(t, 100)
	before := string(Bytes(s))
	at := ReaderOf(s, fieldA)
	for range writeA.In(s) {
		_, get := Get(s, ids[1], fieldA)
		_, set := Set(s, ids[1], fieldA, [3]float32{})
		_, _, edit := Edit(s, ids[1], fieldA)
		_, clone := Clone(s)
		_, several := addSome(s, ids[1], kindB, markX)
		for _, err := range []error{get, set, edit, clone, several} {
			require.ErrorIs(t, err, ErrWalking)
		}
		for name, f := range map[string]func(){
			"At":       func() { at.Get(ids[0]) },
			"GetRow":   func() { GetRow(s, fieldA, 0) },
			"SetRow":   func() { _ = SetRow(s, fieldA, 0, [3]float32{}) },
			"WriterOf": func() { _ = WriterOf(s, fieldA) },
			"View":     func() { View(s, fieldA) },
			"Dispose":  func() { _ = DisposeComponent(s, kindC, 0) },
			"Close":    func() { Close(s) },
			"nested write": func() {
				for range writeA.In(s) {
					t.Error("walked")
				}
			},
			"nested read": func() {
				for range readA.In(s) {
					t.Error("walked")
				}
			},
		} {
			mustPanic(t, name, f)
		}
		sure(Get(s, ids[0], fieldC))
		assert.Equal(t, "onlyOf:0", sure(NewQuery(Only(kindA)).Key(s)), "keys may be asked for")
	}
	assert.Equal(t, before, string(Bytes(s)))
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		assert.Regexp(t, `;|\. `, fmt.Sprint(recover()), "%s tells no cure", name)
	}()
	f()
}

// TestMisusedQueries: each panics with a message that tells the fix.
func TestMisusedQueries(t *testing.T) {
	s, ids := mixed(t, 10)
	for name, f := range map[string]func(){
		"a field that is not asked for": func() {
			for b := range readA.In(s) {
				layout.Flat[uint8](fieldC, Column(b, fieldC))
			}
		},
		"the zero query":             func() { Query{}.Count(s) },
		"a recipe with a kind twice": func() { NewRecipe("twice", markX, markX) },
		"a field twice":              func() { NewQuery(Read(fieldA), Write(kindA)).Count(s) },
		"a field of no kind": func() {
			NewQuery(Read(layout.NewField[uint8]("loose"))).Count(s)
		},
		"a kind without fields": func() { NewQuery(Read(Instance)).Count(s) },
		"another element": func() {
			for b := range readA.In(s) {
				layout.Flat[uint32](fieldA, Column(b, fieldA))
			}
		},
		"an id in a row-wise batch": func() {
			for b := range NewQuery(Read(fieldA), RowWise()).In(s) {
				b.ID(0)
			}
		},
		"the ids of a row-wise batch": func() {
			for b := range NewQuery(Read(fieldA), RowWise()).In(s) {
				b.AppendIDs(nil)
			}
		},
		"the ids of no batch": func() { Batch{}.AppendIDs(nil) },
		"an id outside": func() {
			for b := range readA.In(s) {
				b.ID(b.Len())
			}
		},
		"since without changed": func() {
			for range readA.Since(s, 1) {
				t.Error("walked")
			}
		},
	} {
		mustPanic(t, name, f)
	}
	n := 0
	for b := range writeC.Of(s, ids[4]) {
		layout.Flat[uint8](fieldC, Column(b, fieldC))[1] = 77
		n += b.Len()
	}
	assert.Equal(t, 1, n, "Of shows one object")
	assert.EqualValues(t, 77, View(s, fieldC)[sure(RowOf(s, ids[4], kindC))][1])
	for range writeC.Of(s, 0) {
		t.Error("Of shows nobody")
	}
}

// TestLookupsKnowWhatOpenWalksWrite: in any order of ends, Reader, Get and Edit refuse the fields
// that an open walk writes, and no others; and they look for none when no walk is open.
func TestLookupsKnowWhatOpenWalksWrite(t *testing.T) {
	s := taskWorld(t, 200)
	id, ok := NewQuery(With(taskAge, Position)).First(s)
	require.True(t, ok)
	age, place := ReaderOf(s, taskAge), ReaderOf(s, Position)
	check := func(ages, places bool) {
		t.Helper()
		_, err := Get(s, id, taskAge)
		assert.Equal(t, ages, err != nil, "Get: %v", err)
		_, err = Get(s, id, Position)
		assert.Equal(t, places, err != nil, "Get: %v", err)
		for _, c := range []struct {
			held bool
			read func()
		}{{ages, func() { age.Get(id) }}, {places, func() { place.Get(id) }}} {
			if c.held {
				panicsWith(t, c.read, "is written by this walk")
			} else {
				assert.NotPanics(t, c.read)
			}
		}
	}
	first, endFirst := iter.Pull(NewQuery(Write(taskAge)).In(s))
	_, _ = first()
	check(true, false)
	second, endSecond := iter.Pull(NewQuery(Write(Position)).In(s))
	batch, _ := second()
	objects := batch.Len()
	check(true, true)
	third, endThird := iter.Pull(NewQuery(With(taskAge)).In(s))
	_, _ = third()
	endFirst() // before walks that began later
	check(false, true)
	endThird()
	check(false, true)
	assert.Equal(t, objects, batch.Len(), "the open walk's batch stays what it is")
	assert.Equal(t, query.MaskOf(Position.Kind().Spec()), s.use().walks.Writes)
	endSecond()
	check(false, false)
	assert.Zero(t, s.use().walks.Writes)
}

// between returns a world of 200 objects where the first 58 and those from one on up to 127 have A,
// with six rows between them: the first of these is another object's, the others are free.
func between(t *testing.T, from int) (s State, other GameObject) {
	t.Helper()
	s = sure(CreateState(Counts{GameObjects: 200, Kinds: []layout.Count{kindA.Count(200)}}))
	var ids []GameObject
	for range 200 {
		var id GameObject
		s, id = made(Create(s))
		ids = append(ids, id)
	}
	give := func(ids ...GameObject) {
		for _, id := range ids {
			s = sure(Add(s, id, kindA))
		}
	}
	give(ids[:58]...)
	give(ids[199])
	give(ids[190:195]...)
	give(ids[from:128]...)
	for _, id := range ids[190:195] {
		s = sure(Remove(s, id, kindA))
	}
	row := sure(RowOf(s, ids[199], kindA))
	require.Equal(t, Row(58), row)
	return s, ids[199]
}

// TestRowWiseRunsEndBeforeRowsOfOthers: also where as many rows as it takes lie behind them.
func TestRowWiseRunsEndBeforeRowsOfOthers(t *testing.T) {
	s, _ := between(t, 65)
	for b := range NewQuery(Write(fieldA), RowWise()).In(s) {
		for i := range Column(b, fieldA) {
			Column(b, fieldA)[i][2]++
		}
	}
	for id := range NewQuery(With(kindA)).Objects(s) {
		require.Equal(t, [3]float32{1, 2, 3 + 1}, sure(Get(s, id, fieldA)), "%v is written once", id)
	}
	require.NoError(t, ToolsOf(s).Verify())
}

// TestRowWiseTasksLeaveRowsOfOthers: and free ones, which may lie between the objects of another
// task too.
func TestRowWiseTasksLeaveRowsOfOthers(t *testing.T) {
	for _, free := range []bool{false, true} {
		s, other := between(t, 64)
		if free {
			s = sure(Dispose(s, other))
		}
		q := NewQuery(Write(fieldA), RowWise())
		rows := 0
		s = RunTasks(s, nil, []Task{{First: 0, End: 2, Queries: []Query{q}, Run: []func(State) State{
			func(s State) State {
				for b := range q.In(s) {
					for i := range b.Len() {
						row := b.Row(i, kindA)
						require.True(t, row < 58 || row > 63, "row %d is no matching object's", row)
						rows++
					}
				}
				return s
			},
		}}})
		require.Equal(t, 58+64, rows)
		require.NoError(t, ToolsOf(s).Verify())
	}
}

// TestRowWiseRunsKeepWhatSuspendedObjectsHave: by block, their rows are in one run with matching
// rows, in tasks too, and keep their values.
func TestRowWiseRunsKeepWhatSuspendedObjectsHave(t *testing.T) {
	r, q := NewRecipe("kept rows", kindA), NewQuery(Write(fieldA), RowWise())
	s := sure(CreateState(Counts{GameObjects: 256, Recipes: []Recipe{r}}))
	var ids []GameObject
	s = sure(SpawnN(s, r, 128, func(b Batch) { ids = b.AppendIDs(ids) }))
	s = sure(Suspend(s, ids[70], kindA))
	s = sure(Remove(s, ids[90], kindA))
	lengths := []int{}
	write := func(s State) State {
		for b := range q.In(s) {
			lengths = append(lengths, b.Len())
			for i := range Column(b, fieldA) {
				Column(b, fieldA)[i][2]++
			}
		}
		return s
	}
	s = write(s)
	s = RunTasks(s, nil, []Task{
		{First: 0, End: 2, Queries: []Query{q}, Run: []func(State) State{write}},
	})
	require.Equal(t, []int{128, 128}, lengths)
	for i, id := range ids {
		want := [3]float32{1, 2, 3 + 2}
		if s, _, _ = Ensure(s, id, kindA); i == 70 || i == 90 {
			want[2] = 3
		}
		require.Equal(t, want, sure(Get(s, id, fieldA)), i)
	}
	require.NoError(t, ToolsOf(s).Verify())
}

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

// isOver checks that every use of a batch is refused, and records nothing.
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
