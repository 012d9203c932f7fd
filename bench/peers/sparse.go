package peers

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// sparsely are the contenders for worlds of many kinds. Archetypes are not suitable: nearly every
// object would have its own archetype, and Ark supports 256 kinds. Maps are a map from object to
// row for each kind, and slices of values. As README has no counts, but Add and Set by id.
var sparsely = []string{"flatecs", "flatecs as README", "maps"}

func sparse() []harness.Case {
	one := func(name, title, per string, work maker) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: per, Sizes: []int{100_000}, Make: work,
			Who: sparsely, Against: []string{"maps"},
		}
	}
	return []harness.Case{
		one("sparse_add", "Add the components of a sparse world, kind by kind", "component",
			sparseAdd),
		one("sparse_walk", "Walk the objects of one kind of a sparse world", "match", sparseWalk),
	}
}

// A sparseWorld has objects with a few random kinds of many, each of two float64.
type sparseWorld struct {
	add   func(object, kind int, x float64) // adds a component to an object, and sets its x
	walk  func(kind int) Result             // counts the components of a kind, and sums their x
	close func()
}

// sparseKinds is the number of kinds; a hundredth of the objects have each kind.
const sparseKinds = 300

// newSparse returns a world with n objects.
func newSparse(who string, n int) sparseWorld {
	if harness.Ours(who) {
		return flatSparse(n, who == "flatecs as README")
	}
	return mapSparse()
}

// fill adds all components, and returns their number.
func fill(w sparseWorld, n int) (components int) {
	r := rand.New(rand.NewPCG(5, 6))
	for kind := range sparseKinds {
		for object := range n {
			if r.IntN(100) == 0 {
				w.add(object, kind, float64(object%16))
				components++
			}
		}
	}
	return components
}

func sumOf(w sparseWorld) (r Result) {
	for kind := range sparseKinds {
		of := w.walk(kind)
		r.Count, r.Sum = r.Count+of.Count, r.Sum+of.Sum
	}
	return r
}

func sparseAdd(who string, n int) harness.Work {
	w := newSparse(who, n)
	start := harness.ThreadTime()
	components := fill(w, n)
	value := float64(harness.ThreadTime()-start) / float64(max(1, components))
	return harness.Known("ns", value, func() Result { return sumOf(w) }, w.close)
}

// sparseResident measures the resident memory of a sparse world, without the 16 bytes of each
// component.
func sparseResident(who string, n int) harness.Work {
	before := harness.Resident()
	w := newSparse(who, n)
	components := max(1, fill(w, n))
	value := (float64(harness.Resident())-float64(before))/float64(components) - 16
	return harness.Known("bytes", value, func() Result { return sumOf(w) }, w.close)
}

func sparseWalk(who string, n int) harness.Work {
	w := newSparse(who, n)
	fill(w, n)
	kind, all := 0, sumOf(w)
	return harness.Work{
		Run: func() {
			w.walk(kind)
			kind = (kind + 1) % sparseKinds
		},
		Check: func() Result { return all },
		Close: w.close,
		Of:    max(1, all.Count/sparseKinds),
	}
}

// sparseForm declares the kinds, once in a program.
var sparseForm = sync.OnceValue(func() (form struct {
	fields  []layout.Field[Pair]
	queries []world.Query
},
) {
	for i := range sparseKinds {
		field := layout.NewComponent[Pair](fmt.Sprint("sparse", i))
		form.fields = append(form.fields, field)
		form.queries = append(form.queries, world.NewQuery(world.Read(field)))
	}
	return form
})

// flatSparse returns a sparse world of this library, with or without counts.
func flatSparse(n int, free bool) sparseWorld {
	form, counts := sparseForm(), world.Counts{}
	for _, field := range form.fields {
		kind := field.Counted()
		if !free {
			kind, counts.GameObjects = field.Count(n/50+64), n
		}
		counts.Kinds = append(counts.Kinds, kind)
	}
	s := world.Must(world.CreateState(counts))
	ids := make([]world.GameObject, n)
	for i := range ids {
		s, ids[i] = world.Must2(world.Create(s))
	}
	return sparseWorld{
		add: func(object, kind int, x float64) {
			if free {
				s = world.Must(world.Add(s, ids[object], form.fields[kind]))
				s = world.Must(world.Set(s, ids[object], form.fields[kind], Pair{X: x}))
				return
			}
			now, row := world.Must2(world.Ensure(s, ids[object], form.fields[kind]))
			s = world.SetRow(now, form.fields[kind], row, Pair{X: x})
		},
		walk: func(kind int) (r Result) {
			for b := range form.queries[kind].In(s) {
				for _, pair := range world.Column(b, form.fields[kind]) {
					r.Count, r.Sum = r.Count+1, r.Sum+pair.X
				}
			}
			return r
		},
		close: func() { world.Close(s) },
	}
}

// mapSparse returns a sparse world without a library.
func mapSparse() sparseWorld {
	var rows [sparseKinds]map[int]int // per object
	var owners [sparseKinds][]int     // per row, to remove a component
	var values [sparseKinds][]Pair
	for kind := range rows {
		rows[kind] = map[int]int{}
	}
	return sparseWorld{
		add: func(object, kind int, x float64) {
			rows[kind][object] = len(values[kind])
			owners[kind] = append(owners[kind], object)
			values[kind] = append(values[kind], Pair{X: x})
		},
		walk: func(kind int) (r Result) {
			for _, pair := range values[kind] {
				r.Count, r.Sum = r.Count+1, r.Sum+pair.X
			}
			return r
		},
		close: func() {},
	}
}
