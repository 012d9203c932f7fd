package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// TestNumbersGoOnAndBeginAgain: the numbers of creations go on from one Apply to the next, and begin
// again before they would leave their bits. What they became is known until the next.
func TestNumbersGoOnAndBeginAgain(t *testing.T) {
	var b Buffer
	b.Births.here.first = 1<<31 - 2
	for _, want := range []uint32{1<<31 - 2, 1<<31 - 1, 0, 1} {
		id := b.Births.NewID()
		assert.Equal(t, gameobject.MakeRecorded(want, 0), id)
		assert.True(t, b.Births.any())
		b.Births.begin()
		made, known := b.Births.find(id)
		assert.True(t, known)
		assert.Equal(t, gameobject.Nobody, made)
		b.Births.became(id, gameobject.MakeID(want&7, 3))
		assert.Equal(t, gameobject.MakeID(want&7, 3), b.Births.object(id))
		assert.Equal(t, gameobject.MakeID(want&7, 3), b.Births.revised(id))
		b.end(1, 0)
		assert.False(t, b.Births.any())
		made, ok := b.Births.Made(id)
		assert.True(t, ok)
		assert.Equal(t, gameobject.MakeID(want&7, 3), made)
		assert.Equal(t, id, b.Births.revised(id), "it is of an earlier Apply")
	}
}

// TestNumbersOfTasks: a task numbers on where the task of its place did, and its commands and
// creations come to the world's when it has ended.
func TestNumbersOfTasks(t *testing.T) {
	world, err := New(4)
	require.NoError(t, err)
	task := world.ForTask(2)
	for turn := range uint32(3) {
		world.Lend(&task)
		id := task.Births.NewID()
		assert.Equal(t, gameobject.MakeRecorded(turn, 3), id)
		task.Record(Create, 0, id, false)
		task.Record(Dispose, 0, id, false)
		world.Record(Create, 0, world.Births.NewID(), false)
		world.Append(&task)
		assert.Zero(t, task.Recorded())
		assert.Equal(t, 3, world.Recorded())
		world.Births.begin()
		world.Births.became(id, gameobject.MakeID(5, turn))
		assert.Equal(t, gameobject.MakeID(5, turn), world.Births.object(id))
		world.end(1, 0)
		assert.Zero(t, world.Recorded())
	}
}

// TestDataOfAnySize: values go on in the commands behind theirs, and lie apart.
func TestDataOfAnySize(t *testing.T) {
	for size := range 200 {
		n := more(size)
		assert.GreaterOrEqual(t, headSize+n*commandSize, size)
		assert.Less(t, (n-1)*commandSize+headSize, max(size, 1), "and no more than they need")
	}
}
