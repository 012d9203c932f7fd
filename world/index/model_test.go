package index_test

import (
	"cmp"
	"iter"
	"slices"
	"testing"

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

// check compares what an index says of a world with the model. It makes no message before something
// differs: there are many comparisons.
func check[T index.Value](t *testing.T, s world.State, f layout.Field[T], values ...T) {
	t.Helper()
	x, n := index.New(f), naiveOf(s, f)
	for i, v := range values {
		want := n.between(v, v)
		first, ok := x.One(s, v)
		if !same(x.Find(s, v), want) || x.Count(s, v) != len(want) || ok != (len(want) > 0) ||
			ok && first != want[0] {
			t.Fatalf("%v of value %v: %v, first %v, %d of them; want %v", x, v,
				slices.Collect(x.Find(s, v)), first, x.Count(s, v), want)
		}
		for _, high := range values[i:] {
			want := n.between(v, high)
			if !same(x.Between(s, v, high), want) || x.CountBetween(s, v, high) != len(want) {
				t.Fatalf("%v from %v to %v: %v, %d of them; want %v", x, v, high,
					slices.Collect(x.Between(s, v, high)), x.CountBetween(s, v, high), want)
			}
		}
	}
	checkSorted(t, s, f, n)
}

// same reports whether objects are those of a list.
func same(objects iter.Seq[world.GameObject], list []world.GameObject) bool {
	n := 0
	for id := range objects {
		if n == len(list) || list[n] != id {
			return false
		}
		n++
	}
	return n == len(list)
}

// checkSorted compares a walk in order with the model.
func checkSorted[T index.Value](t *testing.T, s world.State, f layout.Field[T], n naive[T]) {
	t.Helper()
	var ids []world.GameObject
	var got []T
	for b := range index.New(f).Sorted(s, world.NewQuery(world.Read(f))) {
		got, ids = append(got, world.Column(b, f)...), b.AppendIDs(ids)
	}
	if len(ids) != len(n) {
		t.Fatalf("%v sorted: %d, want %d", f, len(ids), len(n))
	}
	for i, o := range n {
		if o.id != ids[i] || o.value != got[i] {
			t.Fatalf("%v sorted: %v of %v is number %d; want %v", f, ids[i], got[i], i, o)
		}
	}
}
