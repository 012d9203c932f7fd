package index_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
)

// An owner is an object and its value.
type owner[T any] struct {
	id    world.GameObject
	value T
}

// A naive is the model: all objects with the field, by value, then by id, found by looking at each.
type naive[T index.Value] []owner[T]

func naiveOf[T index.Value](s world.State, f layout.Field[T]) (n naive[T]) {
	for id := range world.GameObjects(s) {
		if v, err := world.Get(s, id, f); err == nil {
			n = append(n, owner[T]{id, v})
		}
	}
	slices.SortStableFunc(n, func(a, b owner[T]) int { return cmp.Compare(a.value, b.value) })
	return n
}

// between returns the objects with values from low to high.
func (n naive[T]) between(low, high T) (ids []world.GameObject) {
	for _, o := range n {
		if low <= o.value && o.value <= high {
			ids = append(ids, o.id)
		}
	}
	return ids
}

// check compares what an index says of a world with the model.
func check[T index.Value](t *testing.T, s world.State, f layout.Field[T], values ...T) {
	t.Helper()
	x, n := index.New(f), naiveOf(s, f)
	for i, v := range values {
		want := n.between(v, v)
		require.Equal(t, want, slices.Collect(x.Find(s, v)), "find %v", v)
		require.Equal(t, len(want), x.Count(s, v))
		first, ok := x.One(s, v)
		require.Equal(t, len(want) > 0, ok)
		if ok {
			require.Equal(t, want[0], first)
		}
		for _, high := range values[i:] {
			want := n.between(v, high)
			require.Equal(t, want, slices.Collect(x.Between(s, v, high)), "%v to %v", v, high)
			require.Equal(t, len(want), x.CountBetween(s, v, high))
		}
	}
	checkSorted(t, s, f, n)
}

// checkSorted compares a walk in order with the model.
func checkSorted[T index.Value](t *testing.T, s world.State, f layout.Field[T], n naive[T]) {
	t.Helper()
	var ids []world.GameObject
	var got []T
	for b := range index.New(f).Sorted(s, world.NewQuery(world.Read(f))) {
		got, ids = append(got, world.Column(b, f)...), b.AppendIDs(ids)
	}
	require.Len(t, ids, len(n))
	for i, o := range n {
		require.Equal(t, o.id, ids[i])
		require.Equal(t, o.value, got[i])
	}
}
