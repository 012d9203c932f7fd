package systems

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

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

// TestRowWiseRunsKeepWhatSuspendedObjectsHave: by block they are one run with those that match, in
// tasks too, and come out as they were.
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
