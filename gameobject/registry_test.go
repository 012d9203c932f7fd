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
		Owners: make([]uint16, blocks), Count: new(gameobject.Counters),
	})
}

// create creates n objects.
func create(t *testing.T, r *gameobject.Registry, n int) []gameobject.ID {
	t.Helper()
	ids := make([]gameobject.ID, n)
	for i := range ids {
		var err error
		ids[i], err = r.Create()
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

func TestCreateCountsUp(t *testing.T) {
	r := newRegistry(130)
	assert.Equal(t, 130, r.Cap())
	for want := range uint32(130) {
		assert.Equal(t, int(want), r.High())
		id, err := r.Create()
		require.NoError(t, err)
		assert.Equal(t, gameobject.MakeID(want, 1), id)
		assert.True(t, r.Alive(id))
		assert.Equal(t, int(want)+1, r.Live())
	}
	id, err := r.Create()
	require.ErrorIs(t, err, gameobject.ErrTooMany)
	assert.Equal(t, gameobject.Nobody, id)
	assert.Equal(t, 130, r.Live())
	assert.Equal(t, 130, r.High())
}

func TestEmptyRegistry(t *testing.T) {
	r := newRegistry(0)
	_, err := r.Create()
	require.ErrorIs(t, err, gameobject.ErrTooMany)
	assert.Empty(t, slices.Collect(r.All()))
	assert.ErrorIs(t, r.Check(gameobject.MakeID(0, 1)), gameobject.ErrOutOfRange)
}

func TestLastDisposedFirst(t *testing.T) {
	r := newRegistry(8)
	ids := create(t, &r, 5)
	for _, i := range []int{1, 4, 2} {
		r.Dispose(ids[i].Index())
	}
	assert.Equal(t, 2, r.Live())
	assert.Equal(t, 5, r.High(), "disposing leaves it")
	again := create(t, &r, 5)
	assert.Equal(t, []uint32{2, 4, 1, 5, 6}, indexes(again))
	assert.Equal(t, uint32(2), again[0].Generation(), "the next generation")
	assert.Equal(t, uint32(1), again[3].Generation(), "never used before")
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

func TestExhaustedGenerationRetiresItsIndex(t *testing.T) {
	r := newRegistry(2)
	ids := create(t, &r, 2)
	r.Generations[0] = gameobject.LastGeneration - 1
	r.Dispose(ids[0].Index())
	require.NoError(t, r.Verify(), "an index whose last generation is next is free")
	require.NoError(t, r.Rebuild(false))
	last := create(t, &r, 1)[0]
	assert.Equal(t, gameobject.MakeID(0, gameobject.LastGeneration), last, "the last one is used")
	require.NoError(t, r.Verify())
	require.NoError(t, r.Rebuild(false))
	assert.True(t, r.Alive(last))

	r.Dispose(last.Index())
	assert.False(t, r.Alive(last))
	require.ErrorIs(t, r.Check(last), gameobject.ErrDead)
	_, err := r.Create()
	require.ErrorIs(t, err, gameobject.ErrTooMany, "index 0 is retired, not handed out from 0 again")
	assert.Equal(t, 1, r.Live())
	require.NoError(t, r.Verify())
	require.NoError(t, r.Rebuild(false))

	r.Dispose(ids[1].Index())
	assert.Equal(t, gameobject.MakeID(1, 2), create(t, &r, 1)[0], "the others go on")
	assert.Equal(t, []gameobject.ID{r.At(1)}, slices.Collect(r.All()))
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
		id, err := r.Create()
		if err != nil || !r.Alive(id) || r.Check(id) != nil || r.Check(ids[0]) != nil {
			t.Fail()
		}
		for range r.All() {
		}
		r.Dispose(id.Index())
		_ = r.Check(id)
	}))
}
