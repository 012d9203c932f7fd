package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestRowWiseAgainstGathered: over worlds of whole blocks whose rows begin anywhere, marked by
// blocks more or less, a row-wise walk ends in the same bytes, stamps among them, as one that
// gathers the objects that match, and those that do not match keep theirs.
func TestRowWiseAgainstGathered(t *testing.T) {
	OneGoroutine(t)
	longest := 0
	for _, offset := range []int{0, 1, 10, 32, 40, 63} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%d rows before, seed %d", offset, seed), func(t *testing.T) {
				s := markedBlocks(t, offset, rand.New(rand.NewPCG(seed, uint64(offset))))
				other := sure(Clone(s))
				s, other = Advance(s), Advance(other)
				q := NewQuery(Write(fieldA, fieldC), Without(markX), RowWise())
				rows, holes := 0, 0
				for b := range q.In(s) {
					rows, holes = rows+b.Len(), holes+b.walk.Holes()
					longest = max(longest, b.Len())
					addToAll(b)
				}
				for b := range inCopies(q).In(other) {
					addToAll(b)
				}
				require.Equal(t, q.Count(s), rows-holes)
				require.Equal(t, Bytes(other), Bytes(s))
				for id := range GameObjects(s) {
					v := sure(Get(s, id, fieldC))
					want := uint8(10)
					if Has(s, id, markX) {
						want = 9
					}
					require.Equal(t, want, v[0])
				}
			})
		}
	}
	require.Greater(t, longest, 500, "rows of the longest run")
}

// markedBlocks returns a world of objects with A and C, their rows side by side; each block has its
// own share of marks.
func markedBlocks(t *testing.T, offset int, r *rand.Rand) State {
	t.Helper()
	const n = 2000
	s, err := CreateState(Counts{GameObjects: n, Kinds: []layout.Count{
		kindA.Count(n + offset), kindC.Count(n), markX.Count(0),
	}})
	for range offset {
		require.NoError(t, err)
		s, _, err = CreateComponent(s, kindA)
	}
	shares := []float64{0, 0, 0.05, 0.1, 0.2, 0.25, 0.5, 0.9, 1}
	share := 0.1
	for i := range n {
		require.NoError(t, err)
		var id GameObject
		s, id, err = CreateGameObject(s)
		for _, k := range []Kind{kindA, kindC} {
			if err == nil {
				s, err = Add(s, id, k)
			}
		}
		if i%64 == 0 && r.IntN(3) == 0 {
			share = shares[r.IntN(len(shares))]
		}
		if err == nil && r.Float64() < share {
			s, err = Add(s, id, markX)
		}
	}
	require.NoError(t, err)
	return s
}

// addToAll adds to every row of a batch of A and C.
func addToAll(b Batch) {
	for i, a := range Column(b, fieldA) {
		Column(b, fieldA)[i][2] = a[2] * 3
	}
	c := Flat[uint8](b, fieldC)
	for i := range c {
		c[i]++
	}
}

// between returns a world of 200 objects where the first 58 and those from one on up to 127 have A,
// with six rows between them: the first of these is another object's, the others are free.
func between(t *testing.T, from int) (s State, other GameObject) {
	t.Helper()
	s = sure(CreateState(Counts{GameObjects: 200, Kinds: []layout.Count{kindA.Count(200)}}))
	var ids []GameObject
	for range 200 {
		var id GameObject
		s, id = made(CreateGameObject(s))
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
	require.NoError(t, ArenaOf(s).Verify())
}

// TestRowWiseTasksLeaveRowsOfOthers: and free ones, which may lie between the objects of another
// task too.
func TestRowWiseTasksLeaveRowsOfOthers(t *testing.T) {
	for _, free := range []bool{false, true} {
		s, other := between(t, 64)
		if free {
			s = sure(DisposeGameObject(s, other))
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
		require.NoError(t, ArenaOf(s).Verify())
	}
}
