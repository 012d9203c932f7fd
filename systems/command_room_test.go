package systems

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
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
		at := s.job.commands.Room()
		for range 1000 {
			Record(s).Add(ids[2], frozenMark)
		}
		require.Equal(t, at, s.job.commands.Room(), "it does not grow again")
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

// TestCommandsData records fields of every size around where they fill one command more.
func TestCommandsData(t *testing.T) {
	recordsData[[1]uint8](t)
	recordsData[[15]uint8](t)
	recordsData[[16]uint8](t)
	recordsData[[17]uint8](t)
	recordsData[[47]uint8](t)
	recordsData[[48]uint8](t)
	recordsData[[49]uint8](t)
	recordsData[[80]uint8](t)
	recordsData[[81]uint8](t)
	recordsData[[1000]uint8](t)
	recordsData[[layout.MaxStride]uint8](t)
}

func recordsData[T any](t *testing.T) {
	t.Helper()
	field := layout.NewField[T]("wide")
	lanes := field.Spec().Stride
	t.Run(fmt.Sprint(lanes, " bytes"), func(t *testing.T) {
		kind := layout.NewKind("wide", layout.NewField[uint64]("id"), field)
		extra := (max(lanes-16, 0) + 31) / 32
		s := sure(CreateState(Counts{
			GameObjects: 2, Commands: 2*(1+extra) + 3,
			Kinds: []layout.Count{kind.Count(2)},
		}))
		c := Record(s)
		values := make([]T, 2)
		for i := range layout.Flat[uint8](field, values) {
			layout.Flat[uint8](field, values)[i] = uint8(3*i + i/lanes + 1)
		}
		for _, v := range values {
			Put(c, c.Create(), field, v)
		}
		c.Create() // one object too many, after the data
		s, err := Apply(s)
		require.ErrorIs(t, err, ErrTooMany)
		require.ErrorContains(t, err, "command 4, create")
		for o := range values {
			id := sure(objectAt(s, uint32(o)))
			got := sure(Get(s, id, field))
			require.Equal(t, values[o], got)
		}
	})
}
