package peers

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A sparseWorld has objects that have a few of many kinds, each of two float64, at random.
type sparseWorld struct {
	// add gives an object a component of a kind, and sets its x.
	add func(object, kind int, x float64)
	// dispose disposes an object, with all that it has.
	dispose func(object int)
	// walk returns how many components of a kind there are, and the sum of their x.
	walk  func(kind int) Result
	close func()
}

// sparseKinds is how many kinds there are; a hundredth of the objects have each.
const sparseKinds = 300

// newSparse makes a world with n objects.
func newSparse(who string, n int) sparseWorld {
	if harness.Ours(who) {
		return flatSparse(n)
	}
	return mapSparse()
}

// fill adds all components, and returns how many.
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

// SparseResident measures the memory that a sparse world touches, beyond the 16 bytes of each
// component.
func SparseResident(who string, n int) harness.Work {
	before := harness.Resident()
	w := newSparse(who, n)
	components := max(1, fill(w, n))
	value := (float64(harness.Resident())-float64(before))/float64(components) - 16
	return harness.Known("bytes", value, func() Result { return sumOf(w) }, w.close)
}

func sparseDispose(who string, n int) harness.Work {
	w := newSparse(who, n)
	fill(w, n)
	some := randomOrder(n)[:n/10]
	start := harness.ThreadTime()
	for _, object := range some {
		w.dispose(object)
	}
	value := float64(harness.ThreadTime()-start) / float64(max(1, len(some)))
	return harness.Known("ns", value, func() Result { return sumOf(w) }, w.close)
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
	queries []systems.Query
},
) {
	for i := range sparseKinds {
		field := layout.NewComponent[Pair](fmt.Sprint("sparse", i))
		form.fields = append(form.fields, field)
		form.queries = append(form.queries, systems.NewQuery(systems.Read(field)))
	}
	return form
})

// flatSparse makes a sparse world of this library.
func flatSparse(n int) sparseWorld {
	form, counts := sparseForm(), systems.Counts{GameObjects: n}
	for _, field := range form.fields {
		counts.Kinds = append(counts.Kinds, field.Count(n/50+64))
	}
	s := world.Must(systems.CreateState(counts))
	ids := make([]systems.GameObject, n)
	for i := range ids {
		var err error
		s, ids[i], err = systems.CreateGameObject(s)
		check(err)
	}
	return sparseWorld{
		add: func(object, kind int, x float64) {
			now, row, err := systems.Ensure(s, ids[object], form.fields[kind])
			check(err)
			s = systems.SetRow(now, form.fields[kind], row, Pair{X: x})
		},
		dispose: func(object int) {
			s = world.Must(systems.DisposeGameObject(s, ids[object]))
		},
		walk: func(kind int) (r Result) {
			for b := range form.queries[kind].In(s) {
				for _, pair := range systems.Column(b, form.fields[kind]) {
					r.Count, r.Sum = r.Count+1, r.Sum+pair.X
				}
			}
			return r
		},
		close: func() { systems.Close(s) },
	}
}

// mapSparse makes a sparse world without any library.
func mapSparse() sparseWorld {
	var rows [sparseKinds]map[int]int // of each object
	var owners [sparseKinds][]int
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
		dispose: func(object int) {
			for kind, rows := range rows {
				row, ok := rows[object]
				if !ok {
					continue
				}
				last := len(values[kind]) - 1
				owner := owners[kind][last]
				values[kind][row], owners[kind][row] = values[kind][last], owner
				rows[owner] = row
				values[kind], owners[kind] = values[kind][:last], owners[kind][:last]
				delete(rows, object)
			}
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
