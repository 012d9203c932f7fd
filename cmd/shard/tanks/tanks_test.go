package tanks

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

func (c Scene) options(t *testing.T, i, n, workers int) shard.Options {
	t.Helper()
	s, err := c.Schedule(workers)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return shard.Options{
		Name: "tanks", Shard: i, Partition: shard.Strips(n, 0, c.Wide()), Counts: c.Counts(),
		Position: world.Position, Schedule: s, Pipeline: Pipeline, Populate: c.Populate,
		Radius: Radius, MaxStep: MaxStep, Seen: Seen, Every: 50, Patience: 2 * time.Minute,
	}
}

// alone starts one shard that has all tanks.
func (c Scene) alone(t *testing.T, workers int) *shard.Shard {
	t.Helper()
	s, err := shard.Start(t.Context(), nil, c.options(t, 0, 1, workers))
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// together runs several shards.
func (c Scene) together(t *testing.T, n int, ticks uint64) []*shard.Shard {
	t.Helper()
	at, err := server.Start(server.Options{Dir: t.TempDir(), Ready: 2 * time.Minute})
	require.NoError(t, err)
	t.Cleanup(at.Stop)
	nc, err := shard.Connect(shard.Server{URL: at.URL()})
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	shards, errs := make([]*shard.Shard, n), make([]error, n)
	var work sync.WaitGroup
	for i := range n {
		o := c.options(t, i, n, 1)
		work.Go(func() {
			if shards[i], errs[i] = shard.Start(t.Context(), nc, o); errs[i] == nil {
				errs[i] = shards[i].Run(t.Context(), ticks)
			}
		})
	}
	work.Wait()
	for i, s := range shards {
		require.NoError(t, errs[i])
		t.Cleanup(s.Close)
	}
	return shards
}

// closeTanks meet soon: the sides are in each other's reach from the start.
var closeTanks = Scene{Tanks: 70, Seed: 3}

func TestShardsHaveTheDigestOfOneBattle(t *testing.T) {
	const ticks = 250
	one, two := closeTanks.alone(t, 1), closeTanks.alone(t, 2)
	for _, s := range []*shard.Shard{one, two} {
		require.NoError(t, s.Run(t.Context(), ticks))
	}
	want, objects, err := one.Digest()
	require.NoError(t, err)
	sum, _, err := two.Digest()
	require.NoError(t, err)
	assert.Equal(t, want, sum, "workers change nothing")

	left := 0
	sum = 0
	for _, s := range closeTanks.together(t, 3, ticks) {
		part, n, err := s.Digest()
		require.NoError(t, err)
		sum, objects, left = sum+part, objects-n, left+s.Stats().Left
		checkFamilies(t, s.State())
	}
	assert.Equal(t, want, sum)
	assert.Zero(t, objects)
	assert.Greater(t, left, 10, "few objects went from one shard to another")
}

// checkFamilies fails if a member of a tank is not where the others are.
func checkFamilies(t *testing.T, s world.State) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	for b := range driving.In(s) {
		for i := range b.Len() {
			above := b.ID(i)
			require.Equal(t, 1, family.Count(s, family.ChildOf, above))
			for top := range family.Children(s, family.ChildOf, above) {
				require.Equal(t, 2, family.Count(s, family.ChildOf, top))
			}
		}
	}
	for b := range firing.In(s) {
		for _, parent := range world.Column(b, family.ChildOf) {
			require.True(t, world.Alive(s, parent))
		}
	}
}

// A model beside the battle: targets and hits are what brute force over all pairs says.
func TestTargetsAndHitsAreThoseOfBruteForce(t *testing.T) {
	sh := closeTanks.alone(t, 1)
	kept, broken := 0, 0
	for range 250 {
		s := sh.State()
		targets, strong := map[uint64]uint64{}, map[uint64]uint8{}
		for b := range spotting.In(s) {
			for i, last := range world.Column(b, target) {
				want := modelTarget(s, b.ID(i), last)
				if targets[globalOf(s, b.ID(i))] = want; want != 0 && want == last {
					kept++
				}
			}
		}
		for b := range bearing.In(s) {
			for i, n := range world.Column(b, armour) {
				strong[globalOf(s, b.ID(i))] = n - min(n, modelHits(s, b.ID(i)))
			}
		}
		require.NoError(t, sh.Step(t.Context()))
		s = sh.State()
		for number, want := range targets {
			if id, ok := pack.ByGlobal(s, number); ok && world.Has(s, id, turret) {
				require.Equal(t, want, world.Must(world.Get(s, id, target)))
			}
		}
		for number, want := range strong {
			id, ok := pack.ByGlobal(s, number)
			require.Equal(t, want > 0, ok)
			if ok {
				require.Equal(t, want, world.Must(world.Get(s, id, armour)))
			} else {
				broken++
			}
		}
		require.Equal(t, closeTanks.Tanks, driving.Count(s), "those that broke are replaced")
	}
	assert.Greater(t, kept, 100)
	assert.Greater(t, broken, 2)
	checkFamilies(t, sh.State())
}

func globalOf(s world.State, id world.GameObject) uint64 {
	return world.Must(pack.GlobalOf(s, id))
}

// modelTarget returns the serial number of what a turret aims at next.
func modelTarget(s world.State, id world.GameObject, last uint64) (found uint64) {
	at := placeOf(s, id)
	best := float32(reach * reach)
	for b := range bearing.In(s) {
		for i := range b.Len() {
			far := square(minus(placeOf(s, b.ID(i)), at))
			number := globalOf(s, b.ID(i))
			switch {
			case !foes(s, id, b.ID(i)) || far >= reach*reach:
			case number == last:
				return last
			case found == 0 || far < best || far == best && number < found:
				found, best = number, far
			}
		}
	}
	return found
}

// modelHits returns how many shells hit a hull.
func modelHits(s world.State, id world.GameObject) (n uint8) {
	for b := range striking.In(s) {
		for i := range b.Len() {
			far := square(minus(placeOf(s, b.ID(i)), placeOf(s, id)))
			if foes(s, id, b.ID(i)) && far <= near*near {
				n++
			}
		}
	}
	return n
}

func foes(s world.State, a, b world.GameObject) bool {
	return world.Must(world.Get(s, a, side)) != world.Must(world.Get(s, b, side))
}

func placeOf(s world.State, id world.GameObject) [2]float32 {
	if world.Has(s, id, world.Position.Kind()) {
		return flat(world.Must(world.Get(s, id, world.Position)))
	}
	return world.Must(world.Get(s, id, pose.Global2)).Position
}
