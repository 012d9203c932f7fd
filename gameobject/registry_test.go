package gameobject_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

func newRegistry(n int) gameobject.Registry {
	blocks := (n + 63) / 64
	return gameobject.New(gameobject.Views{
		Generations: make([]uint32, n), Next: make([]uint32, n), Alive: make([]uint64, blocks),
		Owners: make([]uint16, blocks), Groups: make([]gameobject.Group, (blocks+63)/64),
		Count: new(gameobject.Counters),
	})
}

// create creates n objects.
func create(t *testing.T, r *gameobject.Registry, n int) []gameobject.ID {
	t.Helper()
	ids := make([]gameobject.ID, n)
	for i := range ids {
		var err error
		ids[i], err = r.Create(0)
		require.NoError(t, err)
	}
	return ids
}

func indexes(ids []gameobject.ID) (all []uint32) {
	for _, id := range ids {
		all = append(all, id.Index())
	}
	return all
}

func TestCheck(t *testing.T) {
	r := newRegistry(4)
	ids := create(t, &r, 3)
	r.Dispose(ids[1].Index())
	reused := create(t, &r, 1)[0]
	r.Dispose(ids[2].Index())
	for _, c := range []struct {
		name string
		id   gameobject.ID
		want error
	}{
		{"alive", ids[0], nil},
		{"alive again", reused, nil},
		{"an earlier owner of the index", ids[1], gameobject.ErrDead},
		{"disposed", ids[2], gameobject.ErrDead},
		{"its next generation, not handed out yet", r.At(2), gameobject.ErrDead},
		{"never created", gameobject.MakeID(3, 1), gameobject.ErrDead},
		{"never created, no generation", gameobject.MakeID(3, 0), gameobject.ErrDead},
		{"a later generation", gameobject.MakeID(0, 2), gameobject.ErrDead},
		{"nobody", gameobject.Nobody, gameobject.ErrDead},
		{"first beyond", gameobject.MakeID(4, 1), gameobject.ErrOutOfRange},
		{"far beyond", gameobject.MakeID(math.MaxUint32, 1), gameobject.ErrOutOfRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want == nil, r.Alive(c.id))
			assert.Equal(t, c.want, r.Check(c.id))
		})
	}
}

func TestAllIsAscending(t *testing.T) {
	r := newRegistry(300)
	ids := create(t, &r, 200)
	var want []gameobject.ID
	for i, id := range ids {
		if i%3 == 0 || i/64 == 1 { // the second word is emptied
			r.Dispose(id.Index())
		} else {
			want = append(want, id)
		}
	}
	assert.Equal(t, want, slices.Collect(r.All()))
	assert.Len(t, want, r.Live())

	for n := range want {
		var got []gameobject.ID
		for id := range r.All() {
			if got = append(got, id); len(got) == n+1 {
				break
			}
		}
		require.Equal(t, want[:n+1], got, "stopped after %d", n+1)
	}
}

func TestAllLeavesOutWhatIsDisposedMeanwhile(t *testing.T) {
	r := newRegistry(130)
	ids := create(t, &r, 130)
	var got []uint32
	for id := range r.All() {
		got = append(got, id.Index())
		if next := id.Index() + 1; next%2 == 1 && next < 130 {
			r.Dispose(ids[next].Index())
		}
	}
	assert.Len(t, got, 65)
	for i, index := range got {
		assert.Equal(t, uint32(2*i), index)
	}
}

func TestAllocs(t *testing.T) {
	r := newRegistry(100)
	ids := create(t, &r, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		id, err := r.Create(0)
		if err != nil || !r.Alive(id) || r.Check(id) != nil || r.Check(ids[0]) != nil {
			t.Fail()
		}
		for range r.All() {
		}
		r.Dispose(id.Index())
		_ = r.Check(id)
	}))
}
