package systems

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/internal/query"
)

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
