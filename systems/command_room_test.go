package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/manager"
)

// TestCommandsGrow records more than there is room for.
func TestCommandsGrow(t *testing.T) {
	for _, room := range []int{0, 1, 2, 100} {
		s, ids := commandWorld(t, room)
		for range 1000 {
			Record(s).Dispose(ids[0])
			Put(Record(s), ids[1], shove, [3]float32{1, 2, 3})
		}
		fresh := Record(s).Create()
		Put(Record(s), fresh, armour, 9)
		s = sure(Apply(s))
		require.False(t, Alive(s, ids[0]))
		made := sure(Applied(s, fresh))
		require.Equal(t, uint16(9), sure(Get(s, made, armour)))
		at := s.job.records.commands.Room()
		for range 1000 {
			Record(s).Add(ids[2], frozenMark)
		}
		require.Equal(t, at, s.job.records.commands.Room(), "it does not grow again")
	}
}

// TestManyCommandsAreRefused: the error says how many and the first.
func TestManyCommandsAreRefused(t *testing.T) {
	s, ids := commandWorld(t, 0)
	for range 900 {
		Record(s).Add(ids[1], frozenMark)
	}
	_, err := Apply(s)
	var refused *ApplyError
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Refused, 900)
	require.Equal(t, 900, refused.Recorded)
	require.ErrorIs(t, err, ErrTwice)
	require.ErrorContains(t, err, "900 of 900 recorded commands refused; the first is command 0, add frozen")
	require.Less(t, len(err.Error()), 400)
}

func TestCommandsCount(t *testing.T) {
	for _, c := range []struct {
		n   int
		err error
	}{{-1, ErrCount}, {math.MaxInt, ErrCount}, {manager.MaxRows + 1, ErrCount}} {
		_, err := CreateState(Counts{Commands: c.n})
		require.ErrorIs(t, err, c.err, "%d", c.n)
		require.ErrorContains(t, err, "command")
	}
}
