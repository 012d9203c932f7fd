package gameobject_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

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
	if r.Spare() >= 64 && r.Reserve(1, 64)&63 != 0 {
		return false
	}
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
	for i := range c.High {
		all = append(all, &r.Generations[i], &r.Next[i])
	}
	return all
}

// TestForgedRegistriesWorkOrAreRefused changes a number or the owner of a block, or kills or
// revives an object: Rebuild refuses it, or Verify finds no fault and all free indexes can be used.
func TestForgedRegistriesWorkOrAreRefused(t *testing.T) {
	for at, room := range map[int]int{65: 135, 128: 131, 130: 130, 100: 200} {
		for seed := range uint64(4) {
			refused := 0
			try := func(what string, forge func(r *gameobject.Registry)) {
				r := newLived(at, room, seed)
				if forge(&r); r.Rebuild(seed&1 == 1) != nil {
					refused++
					return
				}
				require.NoError(t, r.Verify(), "%d in %d, seed %d: %s", at, room, seed, what)
				require.True(t, fill(&r), "%d in %d, seed %d: %s", at, room, seed, what)
				require.NoError(t, r.Verify(), "%d in %d, seed %d: %s", at, room, seed, what)
			}
			r := newLived(at, room, seed)
			try("as it is", func(*gameobject.Registry) {})
			require.Zero(t, refused)
			for i, p := range numbers(&r) {
				for _, n := range []uint32{0, *p + 1, *p - 1, *p + 64, *p ^ 1<<31, *p + 1<<31 + 1} {
					try(fmt.Sprint("number ", i, " becomes ", n), func(r *gameobject.Registry) {
						*numbers(r)[i] = n
					})
				}
			}
			for i := range r.Count.High {
				try(fmt.Sprint("object ", i), func(r *gameobject.Registry) {
					r.Views.Alive[i/64] ^= 1 << (i % 64)
				})
				try(fmt.Sprint("the owner of ", i), func(r *gameobject.Registry) {
					r.Owners[i/64] = uint16(i % 3)
				})
			}
			require.Greater(t, refused, room)
		}
	}
}

// TestVerifyFindsDerivedNumbers changes what Rebuild derives.
func TestVerifyFindsDerivedNumbers(t *testing.T) {
	for seed := range uint64(4) {
		r := newLived(130, 200, seed)
		c, g, p := r.Count, &r.Groups[0], &r.Pools[0]
		for _, n := range []*uint32{&c.Live, &c.Retired, &c.Used, &p.Loose, &p.Slabs} {
			require.NoError(t, r.Verify())
			*n++
			require.Error(t, r.Verify(), "seed %d", seed)
			*n--
		}
		for bit := range (c.High + 63) / 64 {
			for _, x := range []*uint64{&g.Some, &g.Full} {
				*x ^= 1 << bit
				require.Error(t, r.Verify(), "seed %d, block %d", seed, bit)
				*x ^= 1 << bit
			}
		}
		lacks := r.Room[0]
		if r.Room[0] = 0; lacks != 0 {
			require.Error(t, r.Verify(), "seed %d", seed)
			r.Room[0] = lacks
			p.Lowest++
			require.Error(t, r.Verify(), "seed %d", seed)
		}
	}
}

// TestRenumber: objects and blocks of a pool belong to another one, or to none.
func TestRenumber(t *testing.T) {
	for _, to := range [][]uint16{{1}, {2}, {0}, nil} {
		r := newLived(130, 130, 2)
		r.Pools = make([]gameobject.Pool, 2)
		r.Room = make([]uint64, 2*len(r.Groups))
		before := map[uint32]int{}
		for id := range r.Each {
			before[id.Index()] = r.PoolOf(id.Index())
		}
		r.Renumber(to)
		require.NoError(t, r.Rebuild(false))
		require.NoError(t, r.Verify())
		for index, pool := range before {
			if pool == 1 {
				pool = int(slices.Concat(to, []uint16{0})[0])
			}
			require.Equal(t, pool, r.PoolOf(index), "%v: object %d", to, index)
		}
		r.Views.Alive[2] |= 1 << 2 // object 130
		r.Renumber(to)
		require.Error(t, r.Rebuild(false))
	}
}
