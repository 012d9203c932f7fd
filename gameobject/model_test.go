package gameobject_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// A model is a registry told with maps and slices.
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
	require.Equal(t, want, slices.Collect(r.All()))
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
