package family_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

var (
	rank   = layout.NewField[uint32]("rank")
	ranked = layout.NewRelation("ranked", layout.Relation{
		Disposed: layout.Cascade, Tree: true, Order: rank,
	})
)

// A forest is a world of trees of several recipes, some of whose objects are disposed.
type forest struct {
	*rand.Rand
	s   world.State
	ids []world.GameObject
}

// grow adds, disposes and moves objects at random; each has a label of its own.
func (f *forest) grow(t *testing.T, recipes []world.Recipe, in layout.Field[world.GameObject]) {
	t.Helper()
	for n := uint32(0); n < 400 || len(f.ids) == 0; n++ {
		var err error
		var id world.GameObject
		if k := f.IntN(len(recipes) + 1); k < len(recipes) {
			f.s, id, err = world.Spawn(f.s, recipes[k])
		} else {
			f.s, id, err = world.CreateWith(f.s, family.ChildOf, ranked, label)
		}
		if errors.Is(err, world.ErrTooMany) || errors.Is(err, world.ErrFull) {
			return
		}
		require.NoError(t, err)
		f.ids = append(f.ids, id)
		f.s = world.Must(world.Set(f.s, id, label, n))
		f.s = world.Must(world.Set(f.s, id, rank, f.Uint32N(3)))
		if f.s, err = world.Set(f.s, id, in, f.some()); err != nil { // a ring, of a tree
			require.ErrorIs(t, err, family.ErrRing)
		}
		if some := f.some(); f.IntN(3) == 0 {
			f.s = world.Must(world.Dispose(f.s, some))
			f.prune()
		}
	}
}

func (f *forest) prune() {
	f.ids = slices.DeleteFunc(f.ids, func(id world.GameObject) bool { return !world.Alive(f.s, id) })
}

func (f *forest) some() world.GameObject { return f.ids[f.IntN(len(f.ids))] }

// shape appends the labels and numbers of children of an object and of all below it, by depth.
func (f *forest) shape(in layout.Field[world.GameObject], id world.GameObject) (shape []uint32) {
	for list, i := []world.GameObject{id}, 0; i < len(list); i++ {
		list = slices.AppendSeq(list, family.Children(f.s, in, list[i]))
		shape = append(shape, world.Must(world.Get(f.s, list[i], label)), uint32(len(list)))
	}
	return shape
}

// TestCopiesKeepTheOrderOfSiblings: at each depth, also in worlds that are nearly full.
func TestCopiesKeepTheOrderOfSiblings(t *testing.T) {
	recipes := []world.Recipe{
		world.NewRecipe("bare", family.ChildOf, ranked, label),
		world.NewRecipe("seated", family.ChildOf, ranked, label, local),
	}
	for seed := range uint64(30) {
		f := &forest{Rand: rand.New(rand.NewPCG(seed, 1))}
		f.s = world.Must(world.CreateState(world.Counts{
			GameObjects: 300 + 700*int(seed%3), Recipes: recipes, InOrder: seed%5 == 0,
			Kinds: layout.Kinds(family.ChildOf, ranked, label, local),
		}))
		in := []layout.Field[world.GameObject]{family.ChildOf, ranked}[seed%2]
		for range 20 {
			f.grow(t, recipes, in)
			id := f.some()
			want := f.shape(in, id)
			s, twin, err := family.Copy(f.s, in, id)
			f.s = s
			if errors.Is(err, world.ErrTooMany) || errors.Is(err, world.ErrFull) {
				f.s = world.Must(family.Dispose(f.s, in, f.ids[0]))
				f.prune()
				continue
			}
			require.Equal(t, want, f.shape(in, twin), "seed %d", seed)
			require.NoError(t, tool.Verify(f.s))
		}
		world.Close(f.s)
	}
}
