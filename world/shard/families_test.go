package shard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

var (
	offset = layout.NewComponent[[2]float32]("offset") // from the parent, in world units
	holds  = layout.NewComponent[world.GameObject]("holds")
	limbs  = world.NewQuery(
		world.Write(heroes.Position), world.Read(family.ChildOf, offset), world.Without(shard.Ghost))
	arms = world.NewQuery(
		world.With(offset), world.Read(pack.Global), family.HasTarget(family.ChildOf),
		world.Without(shard.Ghost))
)

// child creates an object below another one.
func child(s world.State, parent world.GameObject, kinds ...layout.AnyKind) (world.State, world.GameObject, error) {
	s, global, err := pack.NextGlobal(s, parent)
	if err != nil {
		return s, 0, err
	}
	s, id, err := world.CreateWith(s, append(kinds, family.ChildOf)...)
	if err != nil {
		return s, 0, err
	}
	if s, err = pack.SetGlobal(s, id, global); err != nil {
		return s, 0, err
	}
	s, err = world.Set(s, id, family.ChildOf, parent)
	return s, id, err
}

// furnishFamily gives an object two arms, on both sides, with a hand each that has no position.
func furnishFamily(s world.State, id world.GameObject) (world.State, error) {
	if global := world.Must(pack.GlobalOf(s, id)); global%3 != 0 {
		return s, nil
	}
	at := world.Must(world.Get(s, id, heroes.Position))
	for _, side := range []float32{-3, 3} {
		s2, arm, err := child(s, id, heroes.Position, offset, holds)
		if err != nil {
			return s2, err
		}
		s2, hand, err := child(s2, arm, holds)
		if err != nil {
			return s2, err
		}
		s = world.Must(world.Set(s2, arm, heroes.Position, [3]float32{at[0] + side, at[1]}))
		s = world.Must(world.Set(s, arm, offset, [2]float32{side}))
		s = world.Must(world.Set(s, arm, holds, hand))
		s = world.Must(world.Set(s, hand, holds, id))
	}
	return s, nil
}

// swing moves arms with their parents, and drops one now and then.
func swing(s world.State, _ uint64) (world.State, error) {
	for b := range limbs.Down(s, family.ChildOf) {
		at, from := world.Column(b, heroes.Position), world.Column(b, offset)
		parents, refs := family.Parents(b, heroes.Position), world.Column(b, family.ChildOf)
		for i := range at {
			if refs[i] != 0 {
				at[i][0], at[i][1] = parents[i][0]+from[i][0], parents[i][1]+from[i][1]
			}
		}
	}
	var dropped []world.GameObject
	for b := range arms.In(s) {
		globals := pack.Globals(b)
		for i := range globals {
			if r := world.Random(s, globals[i], 2); r.IntN(40) == 0 {
				dropped = append(dropped, b.ID(i))
			}
		}
	}
	for _, id := range dropped {
		s = world.Must(world.Set(s, id, family.ChildOf, 0))
		hand := world.Must(world.Get(s, id, holds))
		s = world.Must(world.Set(s, hand, holds, id)) // it held the root
	}
	return s, nil
}

func families() *scene {
	return &scene{
		objects: 150, furnish: furnishFamily, change: swing,
		kinds: []layout.Countable{family.ChildOf, offset, holds},
	}
}

func TestFamiliesMoveWhole(t *testing.T) {
	const ticks = 25
	c := families()
	want := c.alone(t, ticks)
	for name, p := range map[string]shard.Partition{
		"3 strips":    shard.Strips(3, 0, side),
		"grid of 2×2": shard.Grid(2, 2, [2]float32{0, 0}, [2]float32{side, side}),
	} {
		t.Run(name, func(t *testing.T) {
			shards := c.together(t, connect(t, serve(t, server.Options{})), p, ticks, nil)
			assert.Equal(t, want, outcomeOf(t, shards...))
			abroad := 0
			for i, s := range shards {
				for b := range limbs.In(s.State()) {
					for _, at := range world.Column(b, heroes.Position) {
						if p.Of(at) != i {
							abroad++
						}
					}
				}
			}
			assert.Positive(t, abroad, "no arm is over the border")
		})
	}
}

// References that would lead to another shard, or to a ghost, are refused by name.
func TestReferencesStayInAFamily(t *testing.T) {
	strangers := world.NewQuery(world.Read(heroes.Position), world.Without(shard.Ghost))
	seenHere := world.NewQuery(world.With(shard.Ghost))
	leaveAlone := func(s world.State, keep world.GameObject) world.State {
		for b := range walking.In(s) {
			for i := range world.Column(b, heroes.Position) {
				if b.ID(i) == keep {
					world.Column(b, heroes.Position)[i] = [3]float32{side/3 + 1, 1}
				} else {
					world.Column(b, heroes.Position)[i][0] = 1
				}
			}
		}
		return s
	}
	two := func(s world.State) (ids []world.GameObject) {
		for id := range strangers.Objects(s) {
			ids = append(ids, id)
		}
		return ids[:2]
	}
	for name, change := range map[string]func(s world.State) (world.State, error){
		"from a leaver": func(s world.State) (world.State, error) {
			ids := two(s)
			return world.Set(leaveAlone(s, ids[0]), ids[0], friend, ids[1])
		},
		"to a leaver": func(s world.State) (world.State, error) {
			ids := two(s)
			return world.Set(leaveAlone(s, ids[0]), ids[1], friend, ids[0])
		},
		"by a relation": func(s world.State) (world.State, error) {
			ids := two(s)
			s, err := world.Add(leaveAlone(s, ids[0]), ids[1], likes)
			if err != nil {
				return s, err
			}
			return world.Set(s, ids[1], likes, ids[0])
		},
		"to a ghost": func(s world.State) (world.State, error) {
			ghost, ok := seenHere.First(s)
			if !ok {
				return s, nil
			}
			return world.Set(s, two(s)[0], friend, ghost)
		},
	} {
		t.Run(name, func(t *testing.T) {
			still := &scene{objects: 60, kinds: []layout.Countable{friend, likes}}
			still.furnish = func(s world.State, id world.GameObject) (world.State, error) {
				s, err := world.Add(s, id, friend)
				return s, err
			}
			moving := *still
			moving.change = func(s world.State, now uint64) (world.State, error) {
				if now < 8 { // in the third tick of the shards
					return s, nil
				}
				return change(s)
			}
			p := shard.Strips(3, 0, side)
			p.Neighbours = func(i int) []int { return [][]int{{1}, {0}, nil}[i] }
			err, _ := pair(t, moving.options(t, 0, p), still.options(t, 1, p))
			require.ErrorIs(t, err, shard.ErrReferences)
			assert.ErrorContains(t, err, "refers to")
		})
	}
}

var likes = layout.NewRelation("likes", layout.Relation{})

func TestMembersOfFamiliesNeedGlobalIDs(t *testing.T) {
	c := families()
	c.furnish = func(s world.State, id world.GameObject) (world.State, error) {
		s, limb, err := world.CreateWith(s, family.ChildOf)
		if err != nil {
			return s, err
		}
		return world.Set(s, limb, family.ChildOf, id)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := shard.Start(ctx, nil, c.options(t, 0, shard.Strips(1, 0, side)))
	assert.ErrorIs(t, err, shard.ErrGlobal)
}
