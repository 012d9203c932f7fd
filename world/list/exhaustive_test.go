package list_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

var numbers = layout.NewList[uint64]("numbers")

// calls are the calls on a list, each beside what it does to a Go slice. The elements are n, n+1, …
var calls = []struct {
	name string
	to   func(s world.State, id world.GameObject, n uint64) (world.State, error)
	of   func(l []uint64, n uint64) []uint64
}{
	{"append 1", func(s world.State, id world.GameObject, n uint64) (world.State, error) {
		return list.Append(s, id, numbers, n)
	}, func(l []uint64, n uint64) []uint64 { return append(l, n) }},
	{"append 9", func(s world.State, id world.GameObject, n uint64) (world.State, error) {
		return list.Append(s, id, numbers, nine(n)...)
	}, func(l []uint64, n uint64) []uint64 { return append(l, nine(n)...) }},
	{"insert 9", func(s world.State, id world.GameObject, n uint64) (world.State, error) {
		return list.Insert(s, id, numbers, min(1, length(s, id)), nine(n)...)
	}, func(l []uint64, n uint64) []uint64 { return slices.Insert(l, min(1, len(l)), nine(n)...) }},
	{"remove", func(s world.State, id world.GameObject, _ uint64) (world.State, error) {
		return list.RemoveAt(s, id, numbers, 0)
	}, func(l []uint64, _ uint64) []uint64 { return slices.Delete(l, 0, 1) }},
	{"swap", func(s world.State, id world.GameObject, _ uint64) (world.State, error) {
		return list.SwapRemove(s, id, numbers, 0)
	}, func(l []uint64, _ uint64) []uint64 {
		l[0] = l[len(l)-1]
		return l[:len(l)-1]
	}},
	{"set 2", func(s world.State, id world.GameObject, n uint64) (world.State, error) {
		return list.Set(s, id, numbers, n, n+1)
	}, func(_ []uint64, n uint64) []uint64 { return []uint64{n, n + 1} }},
	{"set at", func(s world.State, id world.GameObject, n uint64) (world.State, error) {
		return list.SetAt(s, id, numbers, 0, n)
	}, func(l []uint64, n uint64) []uint64 { return append([]uint64{n}, l[1:]...) }},
	{"clear", func(s world.State, id world.GameObject, _ uint64) (world.State, error) {
		return list.Clear(s, id, numbers)
	}, func(_ []uint64, _ uint64) []uint64 { return nil }},
	{"shrink", func(s world.State, id world.GameObject, _ uint64) (world.State, error) {
		return list.Shrink(s, id, numbers)
	}, func(l []uint64, _ uint64) []uint64 { return l }},
	{"drop", func(s world.State, id world.GameObject, _ uint64) (world.State, error) {
		s, err := world.Remove(s, id, numbers)
		if err != nil {
			return s, err
		}
		return world.Add(s, id, numbers)
	}, func(_ []uint64, _ uint64) []uint64 { return nil }},
}

func nine(n uint64) []uint64 {
	all := make([]uint64, 9)
	for i := range all {
		all[i] = n + uint64(i)
	}
	return all
}

// neededRows returns the number of rows, of eight elements, in the shortest run for n of them.
func neededRows(n int) (rows int) {
	for _, rows = range []int{0, 1, 2, 3, 4, 6, 8, 12} {
		if n <= 8*rows {
			break
		}
	}
	return rows
}

func length(s world.State, id world.GameObject) int {
	l, _ := list.Of(s, id, numbers)
	return len(l)
}

// A sequence is some calls on three objects, and the Go slices that they lead to.
type sequence struct {
	t     *testing.T
	state world.State
	ids   [3]world.GameObject
	past  []*world.Snapshot // per call
	names []string
	full  int // calls that found no room
	calls int
}

// TestEverySequenceOfCalls does all sequences of four calls on three objects in a world that has
// room for five rows of elements, so that some find none: those after which the lists would need
// more.
func TestEverySequenceOfCalls(t *testing.T) {
	depth := 3
	if worldtest.AtLength() {
		depth = 4
	}
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, Kinds: []layout.Count{numbers.Count(3, 8)},
	}))
	q := &sequence{t: t, state: s}
	for i := range q.ids {
		q.state, q.ids[i] = world.Must2(world.CreateWith(q.state, numbers))
	}
	for range depth {
		q.past = append(q.past, world.Must(world.NewSnapshot(q.state)))
	}
	q.do(depth, 1, [3][]uint64{})
	t.Logf("%d calls, %d of them without room", q.calls, q.full)
	require.Positive(t, q.full)
}

// do does all calls, and after each of them all others. Since the objects are equal at first, the
// first call is on one of them only.
func (q *sequence) do(depth, objects int, lists [3][]uint64) {
	if depth == 0 {
		return
	}
	past := q.past[depth-1]
	require.NoError(q.t, past.Take(q.state))
	for o := range objects {
		for i := range calls {
			q.names = append(q.names, string(rune('a'+o))+": "+calls[i].name)
			after := lists
			after[o] = q.call(i, o, lists[o])
			q.check(after)
			q.do(depth-1, 3, after)
			q.state = world.Must(world.Restore(q.state, past))
			q.names = q.names[:len(q.names)-1]
		}
	}
}

// call makes call i on object o, whose list is l, and returns the new list.
func (q *sequence) call(i, o int, l []uint64) []uint64 {
	q.calls++
	n := uint64(100 * len(q.names))
	before := world.Digest(q.state)
	s, err := calls[i].to(q.state, q.ids[o], n)
	q.state = s
	switch name := calls[i].name; {
	case len(l) == 0 && (name == "remove" || name == "swap" || name == "set at"):
		require.ErrorIs(q.t, err, list.ErrIndex, "%v", q.names)
	case err != nil:
		require.ErrorIs(q.t, err, world.ErrFull, "%v", q.names)
		rows := neededRows(len(calls[i].of(slices.Clone(l), n)))
		for k, id := range q.ids {
			if k != o {
				rows += neededRows(length(q.state, id))
			}
		}
		require.Greater(q.t, rows, 5, "%v", q.names)
		q.full++
	default:
		return calls[i].of(slices.Clone(l), n)
	}
	require.Equal(q.t, before, world.Digest(q.state), "%v", q.names)
	return l
}

func (q *sequence) check(lists [3][]uint64) {
	if err := tool.Verify(q.state); err != nil {
		require.NoError(q.t, err, "%v", q.names)
	}
	for o, id := range q.ids {
		got, err := list.Of(q.state, id, numbers)
		if err != nil || !slices.Equal(got, lists[o]) {
			require.Equal(q.t, lists[o], got, "%v: %v", q.names, err)
		}
	}
}

// The written part of a long list is stamped, so that a snapshot copies all of it.
func TestLongListsAreStamped(t *testing.T) {
	s, ids := owners(t, 20, 0, 4000)
	p := world.Must(world.NewSnapshot(s))
	defer p.Close()
	more := make([]uint64, 3000) // 375 rows, which have six stamps
	for i := range more {
		more[i] = uint64(i) + 1
	}
	for n, write := range []func() (world.State, error){
		func() (world.State, error) { return list.Append(s, ids[1], numbers, more...) },
		func() (world.State, error) { return list.Set(s, ids[1], numbers, more[1:]...) },
		func() (world.State, error) { return list.Insert(s, ids[1], numbers, 0, 7, 8) },
		func() (world.State, error) { return list.RemoveAt(s, ids[1], numbers, 0) },
		func() (world.State, error) { return list.SetAt(s, ids[1], numbers, 2000, 7) },
		func() (world.State, error) { return list.SwapRemove(s, ids[1], numbers, 1) },
		func() (world.State, error) { return list.Shrink(s, ids[1], numbers) },
		func() (world.State, error) { return list.Clear(s, ids[1], numbers) },
	} {
		require.NoError(t, p.Take(s))
		s = world.Must(write()) // within the room that the list has
		require.NoError(t, p.Take(s))
		require.Equal(t, world.Digest(s), p.Digest(), "write %d", n)
		s = world.Advance(s)
	}
}
