package systems

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// strangers are ids that name no live object of a world: dead, later, foreign and nobody.
func strangers(s State, dead GameObject) []GameObject {
	return []GameObject{
		dead, dead + 1<<32, gameobject.Nobody,
		gameobject.MakeID(uint32(ArenaOf(s).Objects.Cap()), 1), gameobject.MakeID(1<<31, 1),
		gameobject.MakeRecorded(3, 0),
	}
}

// TestAtNIsAtOfEach: in worlds where rows are in lockstep, odd, suspended and absent, many look-ups
// at once return and stamp the same as single ones, for any ids.
func TestAtNIsAtOfEach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		s, ids := scrambled(t, r, 200)
		ids = append(ids, strangers(s, sure(firstDead(s, ids)))...)
		asked := make([]GameObject, 1+r.IntN([]int{3, 300}[round&1]))
		for i := range asked {
			asked[i] = ids[r.IntN(len(ids))]
		}
		before := bytes.Clone(Bytes(s))
		checkReaders(t, s, asked)
		require.Equal(t, before, Bytes(s), "readers change nothing")
		checkWriters(t, s, asked, round%3 == 0)
	}
}

// scrambled is a world of n objects that lost and got a kind in any order; a few are dead.
func scrambled(t *testing.T, r *rand.Rand, n int) (State, []GameObject) {
	t.Helper()
	s, ids := mixed(t, n)
	var err error
	for range r.IntN(2 * n) {
		id := ids[r.IntN(n)]
		switch {
		case r.IntN(40) == 0 && Alive(s, id):
			s, err = Dispose(s, id)
		case Has(s, id, kindC) && r.IntN(4) == 0:
			s, err = Suspend(s, id, kindC)
		case Has(s, id, kindC):
			s, err = Remove(s, id, kindC)
		case Alive(s, id):
			s, _, err = Reset(s, id, kindC)
		}
		require.NoError(t, err)
	}
	for i, id := range ids {
		if Has(s, id, kindC) {
			s = sure(Set(s, id, fieldC, [5]uint8{uint8(i), 1, 2}))
		}
	}
	return Advance(s), ids
}

func firstDead(s State, ids []GameObject) (GameObject, error) {
	for _, id := range ids {
		if !Alive(s, id) {
			return id, nil
		}
	}
	s, err := Dispose(sure(Clone(s)), ids[0])
	defer Close(s)
	return ids[0] + 1<<32, err // the next generation
}

func checkReaders(t *testing.T, s State, asked []GameObject) {
	t.Helper()
	one, many := ReaderOf(s, fieldC), ReaderOf(s, fieldC)
	got := make([][5]uint8, len(asked)+3)
	for i := range got {
		got[i] = [5]uint8{7, 7, 7}
	}
	found := 0
	want := make([][5]uint8, len(asked))
	for i, id := range asked {
		var ok bool
		if want[i], ok = one.Get(id); ok {
			found++
		}
		require.Equal(t, ok, one.Has(id))
		require.Equal(t, Has(s, id, kindC), one.Has(id))
		require.Equal(t, Alive(s, id), one.Alive(id))
	}
	require.Equal(t, found, many.AtN(got, asked))
	require.Equal(t, want, got[:len(asked)])
	require.Equal(t, [5]uint8{7, 7, 7}, got[len(asked)], "what follows is left as it is")
}

func checkWriters(t *testing.T, s State, asked []GameObject, dead bool) {
	t.Helper()
	if dead { // none of them is found
		asked = strangers(s, asked[0]+1<<32)[:2]
	}
	twin := sure(Clone(s))
	defer func() { Close(twin) }()
	one := WriterOf(twin, fieldC)
	many := WriterOf(s, fieldC)
	got, found := make([]*[5]uint8, len(asked)), 0
	n := many.AtN(got, asked)
	for i, id := range asked {
		p := one.At(id)
		require.Equal(t, p == nil, got[i] == nil)
		if p == nil {
			_, _, err := Edit(twin, id, fieldC)
			require.PanicsWithError(t, placed("Writer.Must", err,
				"; where that can happen, ask At").Error(), func() { one.Must(id) })
		} else {
			require.Same(t, p, one.Must(id))
			found++
			p[0]++
			got[i][0]++
		}
	}
	require.Equal(t, found, n)
	require.Equal(t, Bytes(twin), Bytes(s), "values and stamps")
}

// TestAtNOfNothing: of no ids nothing is asked, and a dst that is too short is refused before
// anything is written.
func TestAtNOfNothing(t *testing.T) {
	s, ids := mixed(t, 100)
	reader := ReaderOf(s, fieldC)
	writer := WriterOf(s, fieldC)
	assert.Zero(t, reader.AtN(nil, nil))
	assert.Zero(t, writer.AtN(nil, nil))
	before := bytes.Clone(Bytes(s))
	values, places := make([][5]uint8, 2), make([]*[5]uint8, 2)
	panicsWith(t, func() { reader.AtN(values, ids[:3]) }, "AtN", "3 ids", "room for 2", "as long")
	panicsWith(t, func() { writer.AtN(places, ids[:3]) }, "AtN", "3 ids", "room for 2", "as long")
	assert.Equal(t, before, Bytes(s))
	assert.Zero(t, values[0])
	assert.Nil(t, places[0])
}

// TestScatterIsSetOfWhatDiffers: Scatter leaves the bytes of a Set of each value that differs, so it
// stamps no other, where some objects lack the field.
func TestScatterIsSetOfWhatDiffers(t *testing.T) {
	r, q := rand.New(rand.NewPCG(5, 6)), NewQuery(With(kindA))
	for range 40 {
		s, _ := scrambled(t, r, 690)
		s = Advance(s)
		one, values, i := sure(Clone(s)), Gather(nil, s, q, fieldC), 0
		for id := range q.Objects(s) {
			if r.IntN(200) == 0 {
				if values[i][4]++; Has(one, id, kindC) {
					one = sure(Set(one, id, fieldC, values[i]))
				}
			}
			i++
		}
		s = Scatter(s, q, fieldC, values)
		require.True(t, Equal(one, s))
		panicsWith(t, func() { _ = Scatter(s, q, fieldC, values[1:]) }, "Gather them again")
		assert.Zero(t, testing.AllocsPerRun(1, func() {
			values = Gather(values[:0], s, q, fieldC)
			values[0][0]++
			s = Scatter(s, q, fieldC, values)
		}))
	}
}

// TestWritersAndTasks: one of before is refused in a task and valid after it; one of a task ends
// with it, also when it panics.
func TestWritersAndTasks(t *testing.T) {
	if !statesChecked {
		return
	}
	inRooms(t, 100, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		before := WriterOf(s, overPlace)
		var own Writer[[3]float32]
		open := func(s State) State {
			own = WriterOf(s, overPlace)
			own.At(ids[1])[0] = 9
			return s
		}
		use := func(s State) State {
			own.At(ids[1])[0]++ // by the next system of the task
			return s
		}
		list := []Query{overMoving}
		s = RunTasks(s, nil, []Task{{Run: []func(State) State{open, use}, Queries: list}})
		panicsWith(t, func() { own.At(ids[1]) }, "the task that opened this Writer has ended")
		fault := panicOf(t, func() {
			RunTasks(s, nil, []Task{{Run: doing(func(State) { before.At(ids[1]) }), Queries: list}})
		})
		assert.Contains(t, fault.Cause(), "opened before the tasks")
		_ = panicOf(t, func() {
			RunTasks(s, nil, []Task{{Queries: list, Run: []func(State) State{open, func(State) State {
				panic("on purpose")
			}}}})
		})
		panicsWith(t, func() { own.At(ids[1]) }, "the task that opened this Writer has ended")
		before.At(ids[1])[0] += 2
		assert.Equal(t, float32(11), sure(Get(s, ids[1], overPlace))[0])
		Close(s)
		panicsWith(t, func() { before.At(ids[1]) }, "closed")
	})
}
