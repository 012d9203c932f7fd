package network_test

import (
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var roads = network.New("roads")

func worldOf(t *testing.T, nodes, links int) (world.State, []world.GameObject) {
	t.Helper()
	counts := world.Counts{GameObjects: nodes}
	roads.AddTo(&counts, links)
	s := world.Must(world.CreateState(counts))
	all := make([]world.GameObject, nodes)
	for i := range all {
		s, all[i] = world.Must2(world.Create(s))
	}
	return s, all
}

// A link of the model of the random lives.
type road struct {
	from, to world.GameObject
	weight   float64
}

// Random lives of links and nodes, compared with a map.
func TestNetworksAreWhatTheModelIs(t *testing.T) {
	worldtest.OneGoroutine(t)
	steps := 300
	if testing.Short() {
		steps = 100
	}
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, nodes := worldOf(t, 30, 100)
		model := map[world.GameObject]road{}
		for range steps {
			switch a, b := nodes[r.IntN(len(nodes))], nodes[r.IntN(len(nodes))]; r.IntN(8) {
			case 0: // a link goes
				for link := range model {
					s = world.Must(world.Dispose(s, link))
					delete(model, link)
					break
				}
			case 1: // a node goes, and one comes
				if r.IntN(3) > 0 {
					break
				}
				i := r.IntN(len(nodes))
				s = world.Must(world.Dispose(s, nodes[i]))
				maps.DeleteFunc(model, func(_ world.GameObject, l road) bool {
					return l.from == nodes[i] || l.to == nodes[i]
				})
				s, nodes[i] = world.Must2(world.Create(s))
			default:
				if len(model) == 100 {
					continue
				}
				next, link := world.Must2(roads.Link(s, a, b, r.Float64()))
				s = next
				model[link] = road{a, b, world.Must(world.Get(s, link, roads.Weight))}
			}
			compare(t, s, nodes, model)
		}
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
}

func compare(
	t *testing.T, s world.State, nodes []world.GameObject, model map[world.GameObject]road,
) {
	t.Helper()
	for _, id := range nodes {
		var out, in, both [][2]world.GameObject
		for link, l := range model {
			if l.from == id {
				out = append(out, [2]world.GameObject{l.to, link})
			}
			if l.to == id {
				in = append(in, [2]world.GameObject{l.from, link})
			}
		}
		both = slices.Concat(out, in)
		require.ElementsMatch(t, out, collect(roads.Out(s, id)))
		require.ElementsMatch(t, in, collect(roads.In(s, id)))
		require.ElementsMatch(t, both, collect(roads.Neighbours(s, id)))
	}
	for link, l := range model {
		require.InDelta(t, l.weight, world.Must(world.Get(s, link, roads.Weight)), 0)
	}
}

func collect(
	seq func(func(other, link world.GameObject) bool),
) (all [][2]world.GameObject) {
	for other, link := range seq {
		all = append(all, [2]world.GameObject{other, link})
	}
	return all
}

func TestLinkingRefuses(t *testing.T) {
	s, nodes := worldOf(t, 3, 2)
	s = world.Must(world.Dispose(s, nodes[2]))
	before := world.Digest(s)
	_, _, err := roads.Link(s, nodes[0], nodes[2], 1)
	require.ErrorIs(t, err, world.ErrDead)
	_, err = roads.LinkAll(s, nodes, []network.Pair{{From: 0, To: 1}}, 1)
	require.ErrorIs(t, err, world.ErrDead)
	nodes = nodes[:2]
	_, err = roads.LinkAll(s, nodes, slices.Repeat([]network.Pair{{From: 0, To: 1}}, 3), 1)
	require.Error(t, err, "there is room for two")
	require.Panics(t, func() { _, _ = roads.LinkAll(s, nodes, []network.Pair{{From: 0, To: 2}}, 1) })
	assert.Equal(t, before, world.Digest(s))

	s = world.Must(roads.LinkAll(s, nodes, []network.Pair{{From: 0, To: 1}, {From: 1, To: 0}}, 3))
	for other := range roads.Neighbours(s, nodes[0]) {
		assert.Equal(t, nodes[1], other)
		break // in the middle
	}
	assert.Len(t, collect(roads.Neighbours(s, nodes[0])), 2)
	world.Close(s)
	other := world.Must(world.CreateState(world.Counts{GameObjects: 5}))
	require.Panics(t, func() { collect(roads.In(other, nodes[0])) })
	require.Panics(t, func() { (*network.Network)(nil).AddTo(&world.Counts{}, 1) })
	require.Panics(t, func() { roads.AddTo(&world.Counts{}, -1) })
	world.Close(other)
}

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
