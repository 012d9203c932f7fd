package peers

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A sparseWorld has objects that have a few of many kinds, each of two float64, at random.
type sparseWorld interface {
	// add gives an object a component of a kind, and sets its x.
	add(object, kind int, x float64)
	// dispose disposes an object, with all that it has.
	dispose(object int)
	// walk returns how many components of a kind there are, and the sum of their x.
	walk(kind int) Result
	close()
}

// sparseKinds is how many kinds there are; a hundredth of the objects have each.
const sparseKinds = 300

// newSparse makes a world with n objects.
func newSparse(who string, n int) sparseWorld {
	if isOurs(who) {
		return newFlatSparse(n)
	}
	w := &mapped{}
	for kind := range w.rows {
		w.rows[kind] = map[int]int{}
	}
	return w
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

// A flatSparse is a sparse world of this library.
type flatSparse struct {
	state systems.State
	ids   []systems.GameObject
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

func newFlatSparse(n int) sparseWorld {
	counts := systems.Counts{GameObjects: n}
	for _, field := range sparseForm().fields {
		counts.Kinds = append(counts.Kinds, field.Count(n/50+64))
	}
	state, err := systems.CreateState(counts)
	check(err)
	f := &flatSparse{state: state}
	for range n {
		var id systems.GameObject
		f.state, id, err = systems.CreateGameObject(f.state)
		check(err)
		f.ids = append(f.ids, id)
	}
	return f
}

func (f *flatSparse) add(object, kind int, x float64) {
	field := sparseForm().fields[kind]
	s, row, err := systems.Ensure(f.state, f.ids[object], field)
	check(err)
	f.state = systems.SetRow(s, field, row, Pair{X: x})
}

func (f *flatSparse) dispose(object int) {
	var err error
	f.state, err = systems.DisposeGameObject(f.state, f.ids[object])
	check(err)
}

func (f *flatSparse) walk(kind int) (r Result) {
	form := sparseForm()
	for b := range form.queries[kind].In(f.state) {
		for _, pair := range systems.Column(b, form.fields[kind]) {
			r.Count, r.Sum = r.Count+1, r.Sum+pair.X
		}
	}
	return r
}

func (f *flatSparse) close() { systems.Close(f.state) }

// A mapped is a sparse world without any library.
type mapped struct {
	rows   [sparseKinds]map[int]int // of each object
	owners [sparseKinds][]int
	values [sparseKinds][]Pair
}

func (m *mapped) add(object, kind int, x float64) {
	m.rows[kind][object] = len(m.values[kind])
	m.owners[kind] = append(m.owners[kind], object)
	m.values[kind] = append(m.values[kind], Pair{X: x})
}

func (m *mapped) dispose(object int) {
	for kind, rows := range m.rows {
		row, ok := rows[object]
		if !ok {
			continue
		}
		last := len(m.values[kind]) - 1
		owner := m.owners[kind][last]
		m.values[kind][row], m.owners[kind][row] = m.values[kind][last], owner
		rows[owner] = row
		m.values[kind], m.owners[kind] = m.values[kind][:last], m.owners[kind][:last]
		delete(rows, object)
	}
}

func (m *mapped) walk(kind int) (r Result) {
	for _, pair := range m.values[kind] {
		r.Count, r.Sum = r.Count+1, r.Sum+pair.X
	}
	return r
}

func (m *mapped) close() {}
