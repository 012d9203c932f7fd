package shard_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// Shards have the digest of one world, with families that move whole.
func TestShardsHaveTheDigestOfOneWorld(t *testing.T) {
	const ticks = 25
	c := families()
	want := c.alone(t, ticks)
	for name, p := range map[string]shard.Partition{
		"2 strips":    shard.Strips(2, 0, side),
		"5 strips":    shard.Strips(5, 0, side),
		"grid of 2×3": shard.Grid(2, 3, [2]float32{0, 0}, [2]float32{side, side}),
	} {
		t.Run(name, func(t *testing.T) {
			shards := c.together(t, connect(t, serve(t, server.Options{})), p, ticks, nil)
			assert.Equal(t, want, outcomeOf(t, shards...))
			abroad, left := 0, 0
			for i, s := range shards {
				left += s.Stats().Left
				for b := range limbs.In(s.State()) {
					for _, at := range world.Column(b, heroes.Position) {
						if p.Of(at) != i {
							abroad++
						}
					}
				}
			}
			assert.Positive(t, abroad, "no arm is over the border")
			assert.Greater(t, left, 50, "few objects went from one region to another")
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
		ids = slices.AppendSeq(ids, strangers.Objects(s))
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

var (
	diary   = layout.NewList[uint32]("diary")
	friends = layout.NewList[world.GameObject]("friends")
	writing = world.NewQuery(world.Read(seen), world.Write(diary), world.Without(shard.Ghost))
	news    = layout.NewListField[uint64]("news")
	daily   = world.NewResource("daily", news)
)

// diaries is a scene in which every object has a list, and one of itself.
func diaries() *scene {
	return &scene{
		objects: 200, kinds: []layout.Countable{diary, friends},
		furnish: func(s world.State, id world.GameObject) (world.State, error) {
			s = world.Must(world.Add(s, id, diary, friends))
			return list.Append(s, id, friends, id, 0, id)
		},
		change: func(s world.State, tick uint64) (world.State, error) {
			for b := range writing.In(s) {
				pages, near := list.Column(b, diary), world.Column(b, seen)
				for i := range near {
					if near[i]%7 == 0 {
						pages.Cut(i, 0)
					}
					if _, err := pages.Append(i, near[i]); err != nil {
						return s, err
					}
				}
			}
			return s, nil
		},
	}
}

func TestListsCrossBorders(t *testing.T) {
	const ticks = 25
	c := diaries()
	want := c.alone(t, ticks)
	shards := c.together(t, connect(t, serve(t, server.Options{})), shard.Strips(3, 0, side), ticks, nil)
	assert.Equal(t, want, outcomeOf(t, shards...))
	left := 0
	for _, s := range shards {
		left += s.Stats().Left
		require.NoError(t, tool.Verify(s.State()))
		for id := range writing.Objects(s.State()) {
			require.Equal(t, []world.GameObject{id, 0, id},
				world.Must(list.Of(s.State(), id, friends)))
		}
	}
	assert.Greater(t, left, 20)
}

func TestReferencesInListsStayInAFamily(t *testing.T) {
	still, moving := diaries(), diaries()
	still.objects, moving.objects = 60, 60
	moving.change = func(s world.State, now uint64) (world.State, error) {
		if now >= 8 { // in the third tick of the shards
			for id := range world.NewQuery(world.With(shard.Ghost)).Objects(s) {
				first, _ := writing.First(s)
				return list.Append(s, first, friends, id)
			}
		}
		return s, nil
	}
	p := shard.Strips(3, 0, side)
	p.Neighbours = func(i int) []int { return [][]int{{1}, {0}, nil}[i] }
	err, _ := pair(t, moving.options(t, 0, p), still.options(t, 1, p))
	require.ErrorIs(t, err, shard.ErrReferences)
	require.ErrorContains(t, err, "field friends of ")

	o := diaries().options(t, 0, shard.Strips(1, 0, side))
	o.Seen = []layout.AnyKind{friends}
	_, err = shard.Start(t.Context(), nil, o)
	require.ErrorIs(t, err, shard.ErrReferences)
}

// TestListsOfResourcesAreTheSame: their elements, wherever they lie.
func TestListsOfResourcesAreTheSame(t *testing.T) {
	for more, want := range map[uint64]error{0: nil, 1: shard.ErrDiffers} {
		var o [2]shard.Options
		for i := range o {
			c := &scene{objects: 60, change: func(s world.State, now uint64) (world.State, error) {
				s = world.Must(list.Append(s, 0, news, now+more*uint64(i)))
				if i == 1 && now == 5 {
					return list.Shrink(s, 0, news)
				}
				return s, nil
			}}
			o[i] = c.options(t, i, shard.Strips(2, 0, side))
			o[i].Counts.Resources = append(o[i].Counts.Resources, daily)
		}
		a, b := pair(t, o[0], o[1])
		if want == nil {
			require.NoError(t, errors.Join(a, b))
		} else {
			require.ErrorIs(t, errors.Join(a, b), want)
		}
	}
}
