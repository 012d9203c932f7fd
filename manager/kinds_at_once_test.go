package manager

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// severalKinds are kinds by block and others, packed, in free room and with too few rows, marks,
// and some more.
func severalKinds(more int) (counts []layout.Count) {
	value := func(name string, rows int) layout.Count {
		return layout.NewKind(name, layout.NewField[[2]float32](name)).Count(rows)
	}
	packed := value("packed", 300)
	packed.Packed = true
	free := layout.NewKind("free", layout.NewField("free", uint16(3))).Counted()
	free.Rows = 320
	wide := value("wide", 500)
	wide.ByBlock, free.ByBlock = true, true
	counts = append(counts, wide, value("narrow", 60), packed, free,
		layout.NewMark("mark").Count(0))
	for i := range more {
		counts = append(counts, value("kind "+string(rune('A'+i)), 100))
	}
	return append(counts, layout.NewMark("last").Count(0))
}

// sure returns v of a call that has to succeed.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestSeveralAtOnceAreOneByOne gives objects several kinds at once and takes them all away in one
// arena, and kind by kind in another, and finds the same bytes: with few kinds, and with more than
// a word of them.
func TestSeveralAtOnceAreOneByOne(t *testing.T) {
	for _, more := range []int{6, 66} {
		t.Run(fmt.Sprint(more), func(t *testing.T) { severalAtOnce(t, more) })
	}
}

func severalAtOnce(t *testing.T, more int) {
	t.Helper()
	const objects = 320
	sizes := Sizes{Objects: objects, Kinds: severalKinds(more)}
	at, by := sure(NewArena(sizes)), sure(NewArena(sizes))
	for _, a := range []*Arena{at, by} {
		a.Fill()
		a.begin()
		for range objects {
			_ = sure(a.Objects.Create(0))
		}
	}
	r := rand.New(rand.NewPCG(23, 42))
	for step := range 4000 {
		*at.Tick, *by.Tick = uint64(step), uint64(step)
		object := uint32(r.IntN(objects))
		switch m := r.IntN(len(at.Managers)); {
		case !hasAny(by, object):
			several := someManagers(r, at, by)
			AddEach(several[0], object)
			for _, m := range several[1] {
				_ = sure(m.Add(object))
			}
		case r.IntN(3) == 0 && !by.Managers[m].packed && by.Managers[m].Has(object):
			require.NoError(t, at.Managers[m].Suspend(object))
			require.NoError(t, by.Managers[m].Suspend(object))
		case r.IntN(2) == 0:
			at.DropAll(object)
			for i := range by.Managers {
				by.Managers[i].Drop(object)
			}
		}
		if !bytes.Equal(at.Bytes, by.Bytes) {
			d, _ := at.FirstDifference(by)
			require.Fail(t, "bytes differ", "after step %d: %v", step, d)
		}
	}
	require.NoError(t, at.Verify())
}

// hasAny reports whether an object has or keeps a row of any kind, or a mark.
func hasAny(a *Arena, object uint32) bool {
	for i := range a.Managers {
		b := &a.Managers[i].blocks[object>>6]
		if (b.Present|b.Kept)>>(object&63)&1 != 0 {
			return true
		}
	}
	return false
}

// someManagers returns the same managers of two arenas, those with a row left, in any order.
func someManagers(r *rand.Rand, arenas ...*Arena) [][]*Manager {
	several := make([][]*Manager, len(arenas))
	for _, i := range r.Perm(len(arenas[0].Managers))[:r.IntN(12)] {
		m := &arenas[0].Managers[i]
		if !m.Kind.Mark && m.Live() == m.Cap() {
			continue
		}
		for k, a := range arenas {
			several[k] = append(several[k], &a.Managers[i])
		}
	}
	return several
}

// TestCheckRoomCountsEveryRowInUse: loose, mounted and suspended ones. Marks always have room.
func TestCheckRoomCountsEveryRowInUse(t *testing.T) {
	a := sure(NewArena(Sizes{Objects: 320, Kinds: severalKinds(66)}))
	a.Fill()
	wide, narrow, mark := &a.Managers[0], &a.Managers[1], &a.Managers[4]
	full := func(m *Manager) error { return &Error{Err: ErrFull, Kind: m.Kind.Name, Count: m.Cap()} }
	require.NoError(t, CheckRoom(60, mark, wide, narrow))
	require.Equal(t, full(narrow), CheckRoom(61, mark, wide, narrow))
	require.NoError(t, CheckRoom(501, mark, wide), "there is a row for each object")
	_ = sure(narrow.Create())
	for object := range uint32(2) {
		_ = sure(narrow.Add(object))
	}
	require.NoError(t, narrow.Suspend(1))
	require.NoError(t, CheckRoom(57, wide, narrow))
	require.ErrorIs(t, CheckRoom(58, wide, narrow), ErrFull)
	require.NoError(t, CheckRoom(1000, mark))
}
