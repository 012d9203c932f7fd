package howto_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

// Lists in components

type Stack struct{ Sort, Count uint32 }

var (
	Bag     = layout.NewList[Stack]("bag")
	looting = world.NewQuery(world.Write(Bag))
)

// Give puts items on the stack of their sort in a bag, or on a new one.
func Give(s world.State, who world.GameObject, sort, count uint32) (world.State, error) {
	bag, err := list.Of(s, who, Bag)
	if err != nil {
		return s, err
	}
	for i := range bag {
		if bag[i].Sort == sort {
			return list.SetAt(s, who, Bag, i, Stack{sort, bag[i].Count + count})
		}
	}
	return list.Append(s, who, Bag, Stack{sort, count})
}

// Sift takes empty stacks out of all bags, in place.
func Sift(s world.State) world.State {
	for b := range looting.In(s) {
		bags := list.Column(b, Bag)
		for i := range bags.Len() {
			left := slices.DeleteFunc(bags.At(i), func(x Stack) bool { return x.Count == 0 })
			bags.Cut(i, len(left))
		}
	}
	return s
}

func TestBags(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Bag)}))
	s, who := world.Must2(world.CreateWith(s, Bag))
	for sort := range uint32(20) {
		s = world.Must(Give(s, who, sort%7, sort%2))
	}
	assert.Len(t, world.Must(list.Of(s, who, Bag)), 7)
	s = Sift(s)
	assert.Equal(t, []Stack{{0, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 1}, {5, 2}, {6, 1}},
		world.Must(list.Of(s, who, Bag)))
	s = world.Must(list.SetAt(s, who, Bag, 2, Stack{2, 0}))
	s = Sift(s)
	assert.Len(t, world.Must(list.Of(s, who, Bag)), 6)
	assert.NoError(t, tool.Verify(s))
}
