package gameobject_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// newLived returns a registry that had room for n objects, in a larger one. Its pool of one block
// and its loose indexes were used, reused and retired; most blocks are full if seed is above 1, and
// indexes are reused in order if it is odd.
func newLived(n, room int, seed uint64) gameobject.Registry {
	r := newRegistry(room)
	r.Generations = r.Generations[:n]
	r.Room, r.Pools = make([]uint64, len(r.Groups)), make([]gameobject.Pool, 1)
	r.Count.InOrder = uint32(seed & 1)
	r.Reserve(1, 64)
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	for range 2 * n {
		switch i := uint32(random.IntN(n)); {
		case !r.Alive(r.At(i)):
			_, _ = r.Take(random.IntN(2))
			_, _ = r.Create(random.IntN(2))
		case random.IntN(4) == 0 && seed < 2:
			r.Generations[i] = gameobject.LastGeneration
			fallthrough
		default:
			r.Dispose(i)
		}
	}
	for seed > 1 && r.Left() > int(seed-2) {
		if _, ok := r.Take(1); !ok {
			_, _ = r.Create(1)
		}
	}
	r.Generations = r.Generations[:room]
	return r
}

// fill creates objects until none is left, and reports whether each index was handed out once.
func fill(r *gameobject.Registry) bool {
	made := 0
	for all := r.Left(); made < all; made++ {
		block, x := r.TakeBlock(1, 1)
		id := r.At(block<<6 + uint32(bits.TrailingZeros64(x))&63)
		var err error
		if x == 0 {
			id, err = r.Create(0)
		}
		if err != nil || !r.Alive(id) {
			return false
		}
	}
	_, err := r.Create(0)
	return err != nil && r.Live()+int(r.Count.Retired) == r.Cap()
}

// numbers are pointers to the numbers of a registry that a file has.
func numbers(r *gameobject.Registry) (all []*uint32) {
	c := r.Count
	all = []*uint32{&c.High, &c.Used, &c.Live, &c.Free, &c.Last, &c.Fresh, &c.End, &c.Retired}
	for i := range r.Generations {
		all = append(all, &r.Generations[i], &r.Next[i])
	}
	return all
}

// TestForgedRegistriesWorkOrAreRefused changes a number or the owner of a block, or kills or
// revives an object: Rebuild refuses it, or Verify finds no fault and all free indexes can be used.
func TestForgedRegistriesWorkOrAreRefused(t *testing.T) {
	taken, refused := 0, 0
	for _, n := range []int{65, 128, 130} {
		for _, room := range []int{n, n + 3, n + 70} {
			for seed := range uint64(4) {
				try := func(what string, i, change int, forge func(r *gameobject.Registry)) {
					r := newLived(n, room, seed)
					forge(&r)
					if r.Rebuild(seed&1 == 1) != nil {
						refused++
						return
					}
					taken++
					require.NoError(t, r.Verify(), "%d in %d, %d: %s %d %d", n, room, seed, what, i, change)
					require.True(t, fill(&r), "%d in %d, %d: %s %d %d", n, room, seed, what, i, change)
					require.NoError(t, r.Verify(), "%d in %d, %d: %s %d %d", n, room, seed, what, i, change)
				}
				r := newLived(n, room, seed)
				try("nothing", 0, 0, func(*gameobject.Registry) {})
				require.NotZero(t, taken)
				for i := range numbers(&r) {
					for change, v := range []uint32{0, 1, 2, 64, 1 << 31, 1<<31 + 1, 1<<32 - 1} {
						try("number", i, change, func(r *gameobject.Registry) { *numbers(r)[i] += v })
					}
					try("zero", i, 0, func(r *gameobject.Registry) { *numbers(r)[i] = 0 })
				}
				for i := range r.Count.High {
					try("alive", int(i), 0, func(r *gameobject.Registry) { r.Views.Alive[i/64] ^= 1 << (i % 64) })
				}
				for b := range (r.Count.High + 63) / 64 {
					for _, pool := range []uint16{0, 1, 2} {
						try("owner", int(b), int(pool), func(r *gameobject.Registry) { r.Owners[b] = pool })
					}
				}
			}
		}
	}
	assert.Equal(t, 1, taken)
	assert.Equal(t, 1, refused)
}
