package shard_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

var (
	diary   = layout.NewList[uint32]("diary")
	friends = layout.NewList[world.GameObject]("friends")
	writing = world.NewQuery(world.Read(seen), world.Write(diary), world.Without(shard.Ghost))
	news    = layout.NewListField[uint64]("news")
	daily   = world.NewResource("daily", news)
)

// diaries is a scene in which everybody has a list, and one of itself.
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
