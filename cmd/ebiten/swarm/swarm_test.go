package swarm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/ebiten/swarm"
	"github.com/flatecs/flatecs/world"
)

// places returns where all heroes are.
func places(s world.State) (all [][2]float32) {
	for _, q := range []world.Query{swarm.Normals, swarm.Supers} {
		for b := range q.In(s) {
			all = append(all, world.Column(b, swarm.Place)...)
		}
	}
	return all
}

// spread returns how far the heroes are from a place, on average, along the axis that counts more.
func spread(s world.State, from [2]float32) float32 {
	sum := float32(0)
	all := places(s)
	for _, p := range all {
		sum += max(p[0]-from[0], from[0]-p[0], p[1]-from[1], from[1]-p[1])
	}
	return sum / float32(len(all))
}

func TestHeroesStayInTheWorld(t *testing.T) {
	s := world.Must(swarm.New(900, 100))
	defer func() { world.Close(s) }()
	require.Len(t, places(s), 1_000)
	before := places(s)
	for range 1_000 {
		s = swarm.Step(s, .02, swarm.Input{})
	}
	after := places(s)
	moved := 0
	for i, p := range after {
		if p != before[i] {
			moved++
		}
		for _, at := range p {
			assert.InDelta(t, 0, at, swarm.Reach+2, "a step beyond the edge at most")
		}
	}
	assert.Equal(t, 1_000, moved)
}

func TestHeroesComeWhereThePlayerPresses(t *testing.T) {
	s := world.Must(swarm.New(500, 0))
	defer func() { world.Close(s) }()
	corner := [2]float32{80, -60}
	before := spread(s, corner)
	for range 75 { // a quarter of a swing there and back
		s = swarm.Step(s, .02, swarm.Input{Pressed: true, At: corner})
	}
	assert.Less(t, spread(s, corner), before/2)
}

func TestMoreHeroes(t *testing.T) {
	s := world.Must(swarm.New(10, 1))
	defer func() { world.Close(s) }()
	s = world.Must(swarm.More(s, 1_000))
	assert.Equal(t, 1_010, swarm.Normals.Count(s))
	assert.Equal(t, 1, swarm.Supers.Count(s))

	room := len(world.Bytes(s))
	s, err := swarm.More(s, 1<<20)
	require.ErrorIs(t, err, world.ErrTooMany)
	assert.Equal(t, 1_010, swarm.Normals.Count(s), "all of them or none")
	assert.Len(t, world.Bytes(s), room)
}

func TestTheSameStepsLeadToTheSameWorld(t *testing.T) {
	digests := make([]uint64, 2)
	for n := range digests {
		s := world.Must(swarm.New(100, 10))
		for step := range 50 {
			s = swarm.Step(s, .02, swarm.Input{Pressed: step > 20, At: [2]float32{1, 2}})
		}
		digests[n] = world.Digest(s)
		world.Close(s)
	}
	assert.Equal(t, digests[0], digests[1])
}
