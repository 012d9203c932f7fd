package lab_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// warm returns a world after some steps.
func warm(t *testing.T) world.State {
	t.Helper()
	p := walk{Walkers: 40, Stride: 0.3, Width: 4}
	c := counts(p)
	c.Seed = 11
	s := world.Must(setup(world.Must(world.CreateState(c)), p))
	for range 10 {
		s = world.Must(step(s))
	}
	return s
}

func taken(t *testing.T, s world.State) *world.Snapshot {
	t.Helper()
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	t.Cleanup(p.Close)
	return p
}

func TestFork(t *testing.T) {
	s := warm(t)
	p := taken(t, s)
	world.Close(s)
	before := p.Digest()
	digests := map[uint64]int{}
	live := func(s world.State, i int) (world.State, error) {
		assert.Equal(t, uint64(11), world.Tick(s))
		for range 5 {
			s = world.Must(step(s))
		}
		digests[world.Digest(s)] = i
		return s, nil
	}
	require.NoError(t, lab.Fork(p, 20, live))
	assert.Len(t, digests, 20, "each has random numbers of its own")
	require.NoError(t, lab.Fork(p, 20, live))
	assert.Len(t, digests, 20, "which are the same again")
	assert.Equal(t, before, p.Digest())
	made := 0
	err := lab.Fork(p, 20, func(s world.State, i int) (world.State, error) {
		if made++; i == 3 {
			return world.State{}, errKilled
		}
		return step(s)
	})
	require.ErrorIs(t, err, errKilled)
	require.ErrorContains(t, err, "future 3")
	assert.Equal(t, 4, made)
}

func TestSweepFromASnapshot(t *testing.T) {
	s := warm(t)
	p := taken(t, s)
	world.Close(s)
	w := sweep(walk{Drift: true}, walk{Drift: false})
	w.Counts, w.From, w.Steps = nil, p, 5
	w.Setup = func(s world.State, p walk) (world.State, error) {
		r := world.Resource(s, ruleField)
		if p.Drift {
			r.Drift = 1
		}
		return world.SetResource(s, ruleField, r), nil
	}
	w.Workers = 1
	want := csv(t, w)
	w.Workers = 4
	assert.Equal(t, want, csv(t, w))
	var table lab.Table
	require.NoError(t, w.Run(t.Context(), &table))
	alive := table.Column("alive")
	assert.Less(t, alive[1], alive[len(alive)-1], "they drift off")
	all := map[float64]bool{}
	for _, d := range table.Where("step", 5).Column("digest") {
		all[d] = true
	}
	assert.Len(t, all, 10)
}

// Futures of a world with the seed 0 differ, as with any other seed.
func TestEverySeedHasFutures(t *testing.T) {
	futures := map[float64]bool{}
	for _, seed := range []uint64{0, 1, 2} {
		s := systems.SetSeed(warm(t), seed)
		w := sweep(walk{})
		w.Counts, w.Setup, w.From, w.Steps, w.Seeds = nil, nil, taken(t, s), 5, []uint64{0, 1, 2}
		world.Close(s)
		var table lab.Table
		require.NoError(t, w.Run(t.Context(), &table))
		for _, d := range table.Where("step", 5).Column("digest") {
			futures[d] = true
		}
	}
	assert.Len(t, futures, 9)
}

func TestTree(t *testing.T) {
	s := warm(t)
	used := int64(world.Used(s))
	tree := world.Must(lab.NewTree(s, 5*used+used/2))
	world.Close(s)
	defer tree.Close()
	grow := step
	a := world.Must(tree.Grow(tree.Root(), grow))
	b := world.Must(tree.Grow(tree.Root(), grow))
	aa := world.Must(tree.Grow(a, grow))
	ab := world.Must(tree.Grow(a, grow))
	assert.Equal(t, [][]int{nil, {0}, {1}, {0, 0}, {0, 1}},
		[][]int{tree.Root().Path, a.Path, b.Path, aa.Path, ab.Path})
	all := map[uint64]bool{}
	for _, n := range []*lab.Node{tree.Root(), a, b, aa, ab} {
		all[n.Snapshot().Digest()] = true
		require.NoError(t, tool.Verify(n.State()))
	}
	assert.Len(t, all, 5)
	d, differ := world.Must2(tool.FirstDifference(aa.State(), ab.State()))
	assert.True(t, differ)
	assert.NotEmpty(t, d.String())
	_, differ = world.Must2(tool.FirstDifference(aa.State(), aa.State()))
	assert.False(t, differ)

	_, err := tree.Grow(b, grow)
	require.ErrorIs(t, err, lab.ErrLimit)
	assert.LessOrEqual(t, tree.Bytes(), 5*used+used/2)
	tree.Drop(a)
	assert.Len(t, tree.Root().Children, 1)
	assert.Panics(t, func() { a.State() })
	assert.Panics(t, func() { aa.State() })
	c := world.Must(tree.Grow(tree.Root(), grow))
	assert.Equal(t, []int{2}, c.Path, "a number is used once")
	assert.False(t, all[c.Snapshot().Digest()])
	again := world.Must(tree.Grow(b, grow))
	_, err = tree.Grow(b, func(world.State) (world.State, error) {
		return world.State{}, errors.New("withered")
	})
	require.EqualError(t, err, "withered")
	assert.Equal(t, []int{1, 1}, world.Must(tree.Grow(b, grow)).Path, "it goes on")
	assert.Panics(t, func() { tree.Drop(tree.Root()) })
	other := world.Must(lab.NewTree(c.State(), 1<<30))
	defer other.Close()
	assert.Panics(t, func() { other.Drop(again) })
	_, err = lab.NewTree(c.State(), used/2)
	require.ErrorIs(t, err, lab.ErrLimit)
}

// A fork of a fork has the same random numbers in whichever tree it grows.
func TestPathsDecide(t *testing.T) {
	s := warm(t)
	defer world.Close(s)
	digest := func(first int) uint64 {
		tree := world.Must(lab.NewTree(s, 1<<30))
		defer tree.Close()
		grow := step
		var n *lab.Node
		for i := range 3 {
			child := world.Must(tree.Grow(tree.Root(), grow))
			if i == first { // before its siblings, or after them
				world.Must(tree.Grow(child, grow))
			}
			if i == 0 {
				n = child
			}
		}
		if len(n.Children) == 0 {
			world.Must(tree.Grow(n, grow))
		}
		return n.Children[0].Snapshot().Digest()
	}
	assert.Equal(t, digest(0), digest(2))
}

func TestActivation(t *testing.T) {
	s := crowd(t, 1, 2, 3, 4, 5, 6, 7)
	q := world.NewQuery(world.With(walker))
	a := lab.Order(nil, s, q, 1)
	require.Len(t, a, 7)
	assert.Equal(t, a, lab.Order(make([]world.GameObject, 3), s, q, 1))
	assert.NotEqual(t, a, lab.Order(nil, s, q, 2))
	assert.Equal(t, []uint32{1, 3, 0, 2, 4, 6, 5}, indexes(a), "on every machine")
	var heard []uint32
	s = lab.Activate(s, a, func(s world.State, id world.GameObject) world.State {
		if heard = append(heard, id.Index()); id == a[0] {
			s = world.Must(world.Dispose(s, a[2]))
		}
		return s
	}, func(s world.State, id world.GameObject) world.State {
		heard = append(heard, 100+id.Index())
		return s
	})
	assert.Equal(t, []uint32{1, 3, 2, 4, 6, 5, 101, 103, 102, 104, 106, 105}, heard)
	assert.Equal(t, 6, world.Len(s))
}

func indexes(ids []world.GameObject) (all []uint32) {
	for _, id := range ids {
		all = append(all, id.Index())
	}
	return all
}
