package abm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

func begin(tb testing.TB, m Model, seed uint64) world.State {
	tb.Helper()
	c := m.Counts()
	c.Seed = seed
	s, err := world.CreateState(c)
	require.NoError(tb, err)
	s, err = m.Setup(s)
	require.NoError(tb, err)
	return s
}

// The same on every machine.
func TestDigests(t *testing.T) {
	for _, c := range []struct {
		m     Model
		step  func(world.State) world.State
		steps int
		want  uint64
	}{
		{SchellingSmall, StepSchelling, 20, 0xb9f876b1866ed49b},
		{SchellingLarge, StepSchelling, 5, 0xa537f140c4fb4cc6},
		{FlockingSmall, StepFlocking, 20, 0x85e719292fda5702},
		{FlockingLarge, StepFlocking, 5, 0x50b0cbdaa96c59fc},
		{WolfSheepSmall, StepWolfSheep, 100, 0x887b64882df5d0e9},
		{WolfSheepLarge, StepWolfSheep, 20, 0x9e71d5e1e805c60c},
	} {
		s := begin(t, c.m, 1)
		for range c.steps {
			s = c.step(s)
		}
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, c.want, world.Digest(s), "%+v", c.m)
		world.Close(s)
	}
}

func TestOneAgentPerPlace(t *testing.T) {
	s := begin(t, SchellingSmall, 3)
	for range 21 {
		homes, tenants := world.View(s, place), world.View(s, tenant)
		taken := 0
		for p, who := range tenants {
			if who != 0 {
				require.Equal(t, uint32(p), homes[who-1])
				taken++
			}
		}
		require.Len(t, homes, 1000)
		require.Equal(t, 1000, taken)
		for _, p := range world.View(s, free)[:600] {
			require.Zero(t, tenants[p])
		}
		s = StepSchelling(s)
	}
	assert.Greater(t, Happy(s)[0], 970.)
	ones := 0
	for _, g := range world.View(s, group) {
		ones += int(g)
	}
	assert.Equal(t, 500, ones)
	world.Close(s)
}

// A bird sees those that are near, and no other, wherever the borders are.
func TestBirdsSeeAsDeclared(t *testing.T) {
	for _, p := range []Flocking{FlockingSmall, FlockingLarge} {
		s := begin(t, p, 4)
		for range 5 {
			f := flockOf(s)
			for i := range f.at {
				want := seen(f, &p, i)
				before := f.flight[i]
				f.turn(uint32(i))
				for k := range want {
					require.InDelta(t, want[k], f.flight[i][k], 1e-9)
				}
				f.flight[i] = before
			}
			s = StepFlocking(f.touched(s))
		}
		for _, v := range world.View(s, flight) {
			require.InDelta(t, 1, length(v), 1e-12)
		}
		for _, v := range world.View(s, at) {
			require.True(t, v[0] >= 0 && v[0] < p.Extent && v[1] >= 0 && v[1] < p.Extent, "%v", v)
		}
		world.Close(s)
	}
}

// seen is the declared rule, over all birds.
func seen(f *flock, p *Flocking, i int) vector {
	var cohere, separate, match vector
	n := 0.0
	for j, q := range f.at {
		var h vector
		for k := range h {
			h[k] = math.Remainder(q[k]-f.at[i][k], p.Extent)
		}
		if far := math.Hypot(h[0], h[1]); j != i && far <= p.Sight {
			n++
			for k := range h {
				cohere[k] += h[k]
				match[k] += f.flight[j][k]
				if far < p.Separation {
					separate[k] -= h[k]
				}
			}
		}
	}
	v := f.flight[i]
	for k := range v {
		v[k] += (cohere[k]*p.Cohere + separate[k]*p.Separate + match[k]*p.Match) / max(n, 1)
	}
	return vector{v[0] / math.Hypot(v[0], v[1]), v[1] / math.Hypot(v[0], v[1])}
}

// The list of each field holds the sheep that are in it, and none else.
func TestSheepAreWhereTheyAre(t *testing.T) {
	s := begin(t, WolfSheepSmall, 5)
	for range 60 {
		h, listed := herdOf(s), 0
		for field, i := range h.head {
			last := uint32(0)
			for ; i != 0; i = h.next[i-1] {
				require.Equal(t, uint32(field), h.at[i-1])
				require.Equal(t, last, h.last[i-1])
				_, alive := world.ObjectOf(s, sheep, layout.Row(i-1))
				require.True(t, alive)
				last = i
				listed++
			}
		}
		require.Equal(t, tool.Mounted(s, sheep), listed)
		s = StepWolfSheep(s)
	}
	world.Close(s)
}
