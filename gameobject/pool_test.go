package gameobject_test

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// newPooled returns a registry of 256 objects with a pool that has two blocks.
func newPooled() gameobject.Registry {
	r := gameobject.New(gameobject.Views{
		Generations: make([]uint32, 256), Next: make([]uint32, 256), Alive: make([]uint64, 4),
		Owners: make([]uint16, 4), Room: make([]uint64, 1), Pools: make([]gameobject.Pool, 1),
		Groups: make([]gameobject.Group, 1), Count: new(gameobject.Counters),
	})
	r.Reserve(1, 128)
	return r
}

// verify checks the registry as it is, and as a file would have it.
func verify(t *testing.T, r *gameobject.Registry) {
	t.Helper()
	require.NoError(t, r.Verify())
	before := *r.Count
	require.NoError(t, r.Rebuild(false))
	require.Equal(t, before, *r.Count)
}

// disposeWays end objects of block 0.
var disposeWays = map[string]func(r *gameobject.Registry, x uint64){
	"together": func(r *gameobject.Registry, x uint64) { r.DisposeBlock(0, x) },
	"one by one": func(r *gameobject.Registry, x uint64) {
		for i := range uint32(64) {
			if x>>i&1 != 0 {
				r.Dispose(i)
			}
		}
	},
}

func TestDisposedIDsOfAPoolStayDead(t *testing.T) {
	for name, dispose := range disposeWays {
		t.Run(name, func(t *testing.T) {
			r := newPooled()
			_, x := r.TakeBlock(1, 64)
			require.Equal(t, ^uint64(0), x)
			dispose(&r, 0b1010)
			verify(t, &r)
			_, again := r.TakeBlock(1, 2)
			require.Equal(t, uint64(0b1010), again)
			for i := range uint32(64) {
				first, second := gameobject.MakeID(i, 1), gameobject.MakeID(i, 2)
				disposed := x&0b1010>>i&1 != 0
				assert.Equal(t, !disposed, r.Alive(first), "%d", i)
				assert.Equal(t, disposed, r.Alive(second), "%d", i)
			}
			assert.Equal(t, 64, r.Live())
			verify(t, &r)
		})
	}
}

func TestExhaustedGenerationRetiresItsIndexOfAPool(t *testing.T) {
	const last, before = gameobject.LastGeneration, gameobject.LastGeneration - 1
	for name, dispose := range disposeWays {
		t.Run(name, func(t *testing.T) {
			r := newPooled()
			r.TakeBlock(1, 64)
			r.Generations[0], r.Generations[1], r.Generations[2] = last, before, last
			dispose(&r, 0b111)
			assert.Equal(t, uint32(2), r.Count.Retired)
			assert.Equal(t, 256-61-2, r.Left())
			verify(t, &r)
			id, ok := r.Take(1)
			require.True(t, ok)
			assert.Equal(t, gameobject.MakeID(1, last), id, "the only one of them that is left")
			verify(t, &r)
			_, x := r.TakeBlock(1, 64)
			assert.Equal(t, ^uint64(0), x, "of the next block")
			id, ok = r.Take(1)
			assert.False(t, ok, "%v", id)
			dispose(&r, 0b10)
			assert.Equal(t, uint32(3), r.Count.Retired)
			_, ok = r.Take(1)
			assert.False(t, ok, "what is retired is handed out no more")
			verify(t, &r)
		})
	}
}

// TestLooseBlocksAreOneByOne creates and disposes loose objects by blocks in one registry and one
// by one in another, and finds the same.
func TestLooseBlocksAreOneByOne(t *testing.T) {
	for _, inOrder := range []uint32{0, 1} {
		at, by := newRegistry(150), newRegistry(150)
		at.Count.InOrder, by.Count.InOrder = inOrder, inOrder
		var told [3]uint64
		at.Touched = func(block uint32, x uint64) { told[block] ^= x }
		by.Touched = at.Touched // for both together, each object is reported twice
		r := rand.New(rand.NewPCG(3, uint64(inOrder)))
		for range 3000 {
			n, made := 1+r.IntN(40), 0
			var missed []uint32 // that could have been created with the last ones
			for made < n && r.IntN(3) > 0 && at.Left() > 0 {
				block, x, down := at.CreateBlock(0, n-made)
				require.NotZero(t, x)
				beside := besides(block, x, down)
				for made += bits.OnesCount64(x); x != 0; {
					i := bits.TrailingZeros64(x)
					if down {
						i = bits.Len64(x) - 1
					}
					next := create(t, &by, 1)[0].Index()
					require.Equal(t, block<<6+uint32(i), next)
					require.NotContains(t, missed, next)
					missed, x = nil, x&^(1<<i)
				}
				missed = beside
			}
			block := uint32(r.IntN(3))
			x := at.Words()[block] & (math.MaxUint64 >> r.IntN(64) << r.IntN(64))
			at.DisposeBlock(block, x)
			for ; x != 0; x &= x - 1 {
				by.Dispose(block<<6 + uint32(bits.TrailingZeros64(x)))
			}
			require.Equal(t, by.Views, at.Views)
			require.Zero(t, told)
		}
		require.NoError(t, at.Verify())
	}
}

// besides returns the indexes of a block by which a run of objects, in its direction, could go on.
func besides(block uint32, x uint64, down bool) (indexes []uint32) {
	low, high := uint32(bits.TrailingZeros64(x)), uint32(bits.Len64(x))
	if low > 0 && (down || low+1 == high) {
		indexes = append(indexes, block<<6+low-1)
	}
	if high < 64 && !down {
		indexes = append(indexes, block<<6+high)
	}
	return indexes
}

// TestInOrder: every index once before any is used again, and then the first disposed first.
func TestInOrder(t *testing.T) {
	r := newRegistry(70)
	r.Count.InOrder = 1
	ids := create(t, &r, 3)
	for _, i := range []int{1, 0} {
		r.Dispose(ids[i].Index())
		require.NoError(t, r.Verify())
		require.NoError(t, r.Rebuild(true))
	}
	for want := range uint32(67) {
		assert.Equal(t, 3+want, create(t, &r, 1)[0].Index())
	}
	r.Dispose(2)
	require.NoError(t, r.Rebuild(true))
	assert.Equal(t, []uint32{1, 0, 2}, indexes(create(t, &r, 3)))
	require.NoError(t, r.Rebuild(true))
	_, err := r.Create(0)
	require.ErrorIs(t, err, gameobject.ErrTooMany)
	r.Dispose(1)
	require.NoError(t, r.Verify(), "it leads nowhere any more")
	assert.Equal(t, []uint32{1}, indexes(create(t, &r, 1)))
}

// TestGenerationsThatCannotBeAreNamed: see also TestForgedRegistriesWorkOrAreRefused.
func TestGenerationsThatCannotBeAreNamed(t *testing.T) {
	r := newRegistry(64)
	create(t, &r, 3)
	r.Dispose(1)
	r.Generations[1] = gameobject.LastGeneration + 2
	require.ErrorContains(t, r.Verify(), "index 1 is in generation 2147483649")
	assert.ErrorContains(t, r.Rebuild(false), "index 1 is in generation 2147483649")
}

// A model is a registry made of maps and slices.
type model struct {
	limit       int
	alive       map[uint32]uint32 // index to generation
	generations map[uint32]uint32 // the last one handed out
	free        []uint32          // last disposed last
	next        uint32
	retired     int
}

func newModel(limit int) *model {
	return &model{limit: limit, alive: map[uint32]uint32{}, generations: map[uint32]uint32{}}
}

func (m *model) create() (id gameobject.ID, ok bool) {
	var i uint32
	switch {
	case len(m.free) > 0:
		i, m.free = m.free[len(m.free)-1], m.free[:len(m.free)-1]
	case int(m.next) < m.limit:
		i = m.next
		m.next++
	default:
		return gameobject.Nobody, false
	}
	m.generations[i]++
	m.alive[i] = m.generations[i]
	return gameobject.MakeID(i, m.alive[i]), true
}

func (m *model) dispose(i uint32) {
	delete(m.alive, i)
	if m.generations[i] == gameobject.LastGeneration {
		m.retired++
		return
	}
	m.free = append(m.free, i)
}

// jump moves a free or live index close to its last generation.
func (m *model) jump(r *gameobject.Registry, i uint32) {
	switch {
	case m.generations[i] == 0 || m.generations[i] == gameobject.LastGeneration:
		return // never used, or retired
	case m.alive[i] != 0:
		m.alive[i], m.generations[i] = gameobject.LastGeneration-1, gameobject.LastGeneration-1
		r.Generations[i] = gameobject.LastGeneration - 1
	default:
		m.generations[i] = gameobject.LastGeneration - 2
		r.Generations[i] = gameobject.LastGeneration - 1 // what a dead index has is its next
	}
}

func (m *model) compare(t *testing.T, r *gameobject.Registry, known []gameobject.ID) {
	t.Helper()
	require.Equal(t, len(m.alive), r.Live())
	require.Equal(t, int(m.next), r.High())
	var want []gameobject.ID
	for _, i := range slices.Sorted(maps.Keys(m.alive)) {
		want = append(want, gameobject.MakeID(i, m.alive[i]))
	}
	require.Equal(t, want, slices.Collect(r.Each))
	words := make([]uint64, (m.limit+63)/64)
	for i := range m.alive {
		words[i/64] |= 1 << (i % 64)
	}
	require.Equal(t, words, r.Words())
	require.Equal(t, m.retired, int(r.Count.Retired))
	require.NoError(t, r.Verify())
	before := *r.Count
	require.NoError(t, r.Rebuild(false))
	require.Equal(t, before, *r.Count)
	for _, id := range known {
		g, alive := m.alive[id.Index()]
		alive = alive && g == id.Generation()
		if r.Alive(id) != alive || (r.Check(id) == nil) != alive {
			t.Fatalf("%+v: alive is %t", id, alive)
		}
	}
}

func TestRandomOperationsAgainstModel(t *testing.T) {
	for _, limit := range []int{0, 1, 2, 63, 64, 65, 200} {
		registry := newRegistry(limit)
		m, r := newModel(limit), rand.New(rand.NewPCG(3, uint64(limit)))
		var known []gameobject.ID // every id ever handed out
		for step := range 2000 {
			switch op := r.IntN(10); {
			case op < 5:
				id, err := registry.Create(0)
				want, ok := m.create()
				require.Equal(t, want, id, "step %d", step)
				if require.Equal(t, ok, err == nil, "step %d", step); ok {
					known = append(known, id)
				} else {
					require.ErrorIs(t, err, gameobject.ErrTooMany)
				}
			case op < 9 && len(m.alive) > 0:
				live := slices.Sorted(maps.Keys(m.alive))
				i := live[r.IntN(len(live))]
				registry.Dispose(i)
				m.dispose(i)
			case op == 9 && step%20 == 0 && limit > 0:
				m.jump(&registry, uint32(r.IntN(limit)))
			}
			m.compare(t, &registry, known[max(0, len(known)-100):])
		}
		require.Equal(t, limit > 0, m.retired > 0, "the operations reach the last generation")
	}
}
