package network_test

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/network"
)

// degrees returns the number of links of each of n nodes, and looks that no pair comes twice.
func degrees(t *testing.T, n int, pairs []network.Pair) []int {
	t.Helper()
	all, seen := make([]int, n), map[network.Pair]bool{}
	for _, p := range pairs {
		require.NotEqual(t, p.From, p.To)
		require.False(t, seen[p] || seen[network.Pair{From: p.To, To: p.From}], "%v", p)
		seen[p] = true
		all[p.From]++
		all[p.To]++
	}
	return all
}

func TestRings(t *testing.T) {
	assert.Equal(t, []network.Pair{{0, 1}, {1, 2}, {2, 0}}, network.Ring(3, 1))
	assert.Empty(t, network.Ring(0, 0))
	for _, n := range degrees(t, 50, network.Ring(50, 7)) {
		assert.Equal(t, 14, n)
	}
	require.Panics(t, func() { network.Ring(4, 2) })
	require.Panics(t, func() { network.Ring(-1, 0) })
	require.Panics(t, func() { network.Ring(math.MaxInt, math.MaxInt/2) })
}

func TestRandomNetworks(t *testing.T) {
	r := systems.NewStream(1, 2)
	assert.Empty(t, network.Random(100, 0, &r))
	assert.Len(t, network.Random(100, 1, &r), 4950)
	pairs := network.Random(400, .1, &r)
	degrees(t, 400, pairs)
	assert.InDelta(t, 7980, len(pairs), 340) // four standard deviations
	require.Panics(t, func() { network.Random(5, math.NaN(), &r) })
	require.Panics(t, func() { network.Random(math.MaxInt, .5, &r) })
}

func TestSmallWorlds(t *testing.T) {
	r := systems.NewStream(3, 4)
	assert.Equal(t, network.Ring(20, 3), network.SmallWorld(20, 3, 0, &r))
	for _, n := range []int{7, 8, 9, 300} { // a node may be linked to all others
		ring, pairs := network.Ring(n, 3), network.SmallWorld(n, 3, .5, &r)
		degrees(t, n, pairs)
		moved := 0
		for i := range pairs {
			require.Equal(t, ring[i].From, pairs[i].From)
			if ring[i] != pairs[i] {
				moved++
			}
		}
		if n == 300 {
			assert.InDelta(t, 450, moved, 60)
		}
	}
}

// Few nodes have many links: more than chance would give any.
func TestPreferentialNetworks(t *testing.T) {
	r := systems.NewStream(5, 6)
	pairs := network.Preferential(2000, 3, &r)
	all, most, few := degrees(t, 2000, pairs), 0, 0
	for _, n := range all {
		require.GreaterOrEqual(t, n, 3)
		if most = max(most, n); n == 3 {
			few++
		}
	}
	assert.Len(t, pairs, 6+3*1996)
	assert.Greater(t, most, 60)
	assert.InDelta(t, 800, few, 80) // 2 / (3 + 2) of them
	assert.Len(t, network.Preferential(5, 4, &r), 10)
	require.Panics(t, func() { network.Preferential(3, 3, &r) })
	require.Panics(t, func() { network.Preferential(3, 0, &r) })
}

// The same on every machine.
func TestPairsAreGolden(t *testing.T) {
	r, h := systems.NewStream(7, 8), fnv.New64a()
	for _, pairs := range [][]network.Pair{
		network.Random(100, .1, &r), network.SmallWorld(100, 3, .3, &r),
		network.Preferential(100, 2, &r),
	} {
		for _, p := range pairs {
			_, _ = h.Write([]byte{byte(p.From), byte(p.To)})
		}
	}
	assert.Equal(t, uint64(0x9e4759fc20764c91), h.Sum64())
}
