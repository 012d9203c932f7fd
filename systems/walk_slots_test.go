package systems

import (
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// TestAWalkIsOpenAfterOneInsideIt: also when both had been walked before.
func TestAWalkIsOpenAfterOneInsideIt(t *testing.T) {
	s := taskWorld(t, 200)
	outer, inner := NewQuery(Read(taskAge)), NewQuery(Read(Position))
	for turn := range 3 {
		for range outer.In(s) {
			for range inner.In(s) {
			}
			assert.True(t, ArenaOf(s).Walking(), "turn %d", turn)
			_, _, err := Create(s)
			require.ErrorIs(t, err, ErrWalking, "turn %d", turn)
		}
		assert.False(t, ArenaOf(s).Walking(), "turn %d", turn)
	}
}

// TestListedRowsAreStampedOnBothSides: of objects whose rows lie apart and on both sides of a
// multiple of 64, by which stamps are kept, each shows as written.
func TestListedRowsAreStampedOnBothSides(t *testing.T) {
	for before := range 64 { // rows of the block that the block of objects begins in
		s := sure(CreateState(Counts{GameObjects: 64, Kinds: []layout.Count{
			kindA.Count(128), markX.Count(0),
		}}))
		for range before {
			s = changed(CreateComponent(s, kindA))
		}
		var want []GameObject
		for i := range 64 {
			var id GameObject
			s, id = made(CreateWith(s, kindA))
			if i%9 == 0 {
				s = sure(Add(s, id, markX))
				want = append(want, id)
			}
		}
		since := Tick(s)
		s = Advance(s)
		for range NewQuery(Write(fieldA), With(markX)).In(s) {
		}
		var got []GameObject
		for b := range NewQuery(Changed(kindA), With(markX)).Since(s, since) {
			got = b.AppendIDs(got)
		}
		slices.Sort(got)
		require.Equal(t, want, got, "%d rows before", before)
	}
}

// TestLookupsKnowWhatOpenWalksWrite: whatever ends first, Reader, Get and Edit refuse the fields
// that an open walk writes, and no others; and once none is open, none is looked for.
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
	endFirst() // before those that began later
	check(false, true)
	endThird()
	check(false, true)
	assert.Equal(t, objects, batch.Len(), "the open walk's batch stays what it is")
	assert.Equal(t, query.MaskOf(Position.Kind().Spec()), s.use().walks.Writes)
	endSecond()
	check(false, false)
	assert.Zero(t, s.use().walks.Writes)
}
