package space_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/space"
)

// Positions of every kind of field: alone, amid others, of both widths.
type body struct {
	Owner world.GameObject
	Pos   [3]float64
	Mass  float32
	Team  uint32
}

var (
	flat2  = layout.NewComponent[[2]float32]("flat2")
	solid3 = layout.NewComponent[[3]float32]("solid3")
	deep3  = layout.NewComponent[[3]float64]("deep3")
	mixed  = layout.NewComponent[body]("mixed")
	number = layout.NewComponent[uint32]("number")
	ghost  = layout.NewMark("ghost")
)

// A shape is one way to have positions.
type shape[T any] struct {
	name  string
	field layout.Field[T]
	axes  []string
	at    func([3]float64) T
	dims  int
}

var (
	plane = shape[[2]float32]{"float32 × 2", flat2, nil, func(p [3]float64) [2]float32 {
		return [2]float32{float32(p[0]), float32(p[1])}
	}, 2}
	room  = shape[[3]float64]{"float64 × 3", deep3, nil, func(p [3]float64) [3]float64 { return p }, 3}
	solid = shape[[3]float32]{"float32 × 3", solid3, nil, func(p [3]float64) [3]float32 {
		return [3]float32{float32(p[0]), float32(p[1]), float32(p[2])}
	}, 3}
	floor = shape[[3]float32]{
		"two of three float32", solid3,
		[]string{"[2]", "[0]"},
		func(p [3]float64) [3]float32 {
			return [3]float32{float32(p[1]), float32(math.NaN()), float32(p[0])}
		}, 2,
	}
	side = shape[body]{"two of a struct", mixed, []string{"Pos[0]", "Pos[2]"}, func(p [3]float64) body {
		return body{Pos: [3]float64{p[0], math.NaN(), p[1]}}
	}, 2}
)

// clouds are positions as programs and enemies have them, in a box from -8 to 24.
var clouds = []struct {
	name string
	at   func(r *rand.Rand, i int) [3]float64
}{
	{"random", func(r *rand.Rand, _ int) [3]float64 { return anywhere(r) }},
	{"clustered", func(r *rand.Rand, i int) [3]float64 {
		p := [3]float64{float64(i % 3), 5, -7.9}
		for axis := range p {
			p[axis] += r.NormFloat64() / 4
		}
		return p
	}},
	{"collinear", func(_ *rand.Rand, i int) [3]float64 {
		return [3]float64{-8 + float64(i%128)/4, 2, 2}
	}},
	{"along the other axis", func(_ *rand.Rand, i int) [3]float64 {
		return [3]float64{2, -8 + float64(i%128)/4, 2}
	}},
	{"one in each cell", func(_ *rand.Rand, i int) [3]float64 {
		return [3]float64{float64(i%9)*2 + .1, float64(i/9)*2 + .2, 5}
	}},
	{"identical", func(*rand.Rand, int) [3]float64 { return [3]float64{3, 4, 5} }},
	{"on borders of cells", func(r *rand.Rand, _ int) [3]float64 {
		return [3]float64{float64(r.IntN(33) - 8), float64(r.IntN(33) - 8), float64(r.IntN(33) - 8)}
	}},
	{"hostile", func(r *rand.Rand, _ int) [3]float64 {
		p := anywhere(r)
		p[r.IntN(3)] = hostile[r.IntN(len(hostile))]
		return p
	}},
}

var hostile = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 1e30, -1e30, 1e9, -1e9, math.MaxFloat32, -math.MaxFloat32,
	0, math.Copysign(0, -1), 1e-40, -8, 24, 24.000001, -8.000001, math.Nextafter(24, 0),
}

func anywhere(r *rand.Rand) (p [3]float64) {
	for axis := range p {
		p[axis] = -8 + 32*r.Float64()
	}
	return p
}

// boxes are the ways in which space can be bounded.
func boxes(dims int) map[string]space.Options {
	low, high := []float64{-8, -8, -8}[:dims], []float64{24, 24, 24}[:dims]
	return map[string]space.Options{
		"box":      {Size: 2, Low: low, High: high},
		"torus":    {Size: 3, Low: low, High: high, Wrap: true},
		"one cell": {Size: 100, Low: low, High: high, Wrap: true},
		"hashed":   {Size: 2},
	}
}

var radii = []float64{0, .3, 1, 2, 7.5, 15.9, 16, 17, 40, 1e10, 1e300, math.Inf(1)}

func TestSearchesFindWhatBruteForceFinds(t *testing.T) {
	worldtest.OneGoroutine(t)
	everywhere(t, solid)
	everywhere(t, floor)
	everywhere(t, room)
	everywhere(t, side)
}

func everywhere[T any](t *testing.T, s shape[T]) {
	t.Helper()
	n := 0
	for name, o := range boxes(s.dims) {
		for _, cloud := range clouds {
			if n++; testing.Short() && n%3 != 0 {
				continue // the boxes come in any order: others each time
			}
			t.Run(s.name+" "+name+" "+cloud.name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 2))
				o.Axes, o.Carry = s.axes, []space.Carried{space.Carry(number)}
				o.Parts = 1 + r.IntN(3)
				m := modelOf(t, s, o, 80, func(i int) [3]float64 { return cloud.at(r, i) })
				var points []T
				for i := range 30 {
					points = append(points, m.at(anywhere(r)), m.at(cloud.at(r, i)))
				}
				points = append(points, m.view.Points()...)
				for _, radius := range radii {
					m.checkNearEach(t, points, radius)
					m.checkPairs(t, radius)
					for range 6 {
						m.checkNear(t, cloud.at(r, 0), radius)
						m.checkNear(t, anywhere(r), radius)
					}
				}
				for range 40 {
					m.checkRect(t, anywhere(r), anywhere(r))
					radius := radii[r.IntN(len(radii))]
					m.checkNearest(t, cloud.at(r, 0), 1+r.IntN(200), radius)
					m.checkNearest(t, cloud.at(r, 0), 1+r.IntN(2), radius)
					m.checkNearest(t, anywhere(r), 1+r.IntN(2), radius)
				}
			})
		}
	}
}

// A model is cells, and the positions in a list.
type model[T any] struct {
	shape[T]
	axis   []layout.Axis[T]
	wrap   bool
	view   space.View[T]
	points []T // of the objects that have a place, in their order
	ids    []world.GameObject
}

func modelOf[T any](
	tb testing.TB, s shape[T], o space.Options, n int, at func(i int) [3]float64,
) *model[T] {
	tb.Helper()
	state := world.Must(world.CreateState(world.Counts{
		GameObjects: 5 * n, // there is room for more
		Kinds:       layout.Kinds(s.field.Count(5*n), number.Count(n), ghost),
	}))
	m := &model[T]{shape: s, wrap: o.Wrap}
	if s.axes == nil {
		s.axes = s.field.Axes()
	}
	for _, name := range s.axes {
		m.axis = append(m.axis, s.field.Axis(name))
	}
	for i := range n {
		var id world.GameObject
		state, id = world.Must2(world.CreateWith(state, s.field, number))
		point := s.at(at(i))
		state = world.Must(world.Set(state, id, s.field, point))
		state = world.Must(world.Set(state, id, number, uint32(i)))
		if finite(m.coordinates(point)) {
			m.points, m.ids = append(m.points, point), append(m.ids, id)
		}
	}
	cells := world.Must(space.NewCells(state, s.field, o))
	state = world.Advance(state)
	before := world.Digest(state)
	state = cells.Build(state, nil)
	assert.Equal(tb, before, world.Digest(state), "building changes nothing")
	m.view = cells.In(state)
	require.ElementsMatch(tb, m.ids, m.view.IDs())
	numbers := space.Column(m.view, number)
	for i, id := range m.view.IDs() {
		require.Equal(tb, id, m.view.ID(i))
		value := world.Must(world.Get(state, id, s.field))
		require.Equal(tb, fmt.Sprint(value), fmt.Sprint(m.view.Points()[i]))
		require.Equal(tb, world.Must(world.Get(state, id, number)), numbers[i])
	}
	return m
}

func (m *model[T]) coordinates(v T) (p [3]float64) {
	for i, axis := range m.axis {
		p[i] = axis.Of(&v)
	}
	return p
}

// square is the square of a distance, by the book: on a torus, that of the nearest image.
func (m *model[T]) square(a, b T) float64 {
	p, q := m.coordinates(a), m.coordinates(b)
	sum := 0.0
	for axis := range m.dims {
		d := q[axis] - p[axis]
		if m.wrap {
			d = wrap(q[axis]) - wrap(p[axis])
			d = min(math.Abs(d), math.Abs(d-32), math.Abs(d+32))
		}
		sum += float64(d * d)
	}
	return sum
}

func finite(p [3]float64) bool { return p[0]-p[0]+p[1]-p[1]+p[2]-p[2] == 0 }

// wrap returns a coordinate on the torus: from 0 to 32.
func wrap(x float64) float64 {
	if x += 8; x >= 0 && x < 32 {
		return x
	}
	x -= float64(math.Floor(x/32) * 32)
	return x
}

// entries returns which entries are in seq, none twice.
func (m *model[T]) entries(t *testing.T, seq iter.Seq[int]) []bool {
	t.Helper()
	found := make([]bool, m.view.Len())
	for i := range seq {
		if found[i] {
			t.Fatalf("entry %d twice", i)
		}
		found[i] = true
	}
	return found
}

// checkNearEach compares a search around many points with one around each.
func (m *model[T]) checkNearEach(t *testing.T, points []T, radius float64) {
	t.Helper()
	type pair struct {
		point int
		space.Hit
	}
	var found, want []pair
	for i, point := range points {
		for _, hit := range m.view.AppendNear(nil, point, radius) {
			want = append(want, pair{i, hit})
		}
	}
	for i, hit := range m.view.NearEach(points, radius) {
		found = append(found, pair{i, hit})
	}
	if !slices.Equal(want, found) {
		t.Fatalf("radius %v: %v instead of %v", radius, found, want)
	}
}

func (m *model[T]) checkNear(t *testing.T, at [3]float64, radius float64) {
	t.Helper()
	point := m.at(at)
	found, there := m.entries(t, m.view.Near(point, radius)), finite(m.coordinates(point))
	var entries []int
	for _, hit := range m.view.AppendNear(nil, point, radius) {
		d := m.view.Between(point, m.view.Points()[hit.Entry])
		require.Equal(t, float64(d[0]*d[0])+float64(d[1]*d[1])+float64(d[2]*d[2]), hit.Square)
		entries = append(entries, hit.Entry)
	}
	require.Equal(t, slices.Collect(m.view.Near(point, radius)), entries)
	for i, q := range m.view.Points() {
		near := there && m.square(point, q) <= float64(radius*radius)
		if near != found[i] {
			t.Fatalf("%v and %v, radius %v: %t", point, q, radius, near)
		}
	}
}

func (m *model[T]) checkRect(t *testing.T, a, b [3]float64) {
	t.Helper()
	for axis := range a {
		a[axis], b[axis] = min(a[axis], b[axis]), max(a[axis], b[axis])
	}
	p, q := m.coordinates(m.at(a)), m.coordinates(m.at(b))
	found := m.entries(t, m.view.Rect(m.at(a), m.at(b)))
	for i, v := range m.view.Points() {
		x, inside := m.coordinates(v), true
		for axis := range m.dims {
			if m.wrap {
				x[axis] = wrap(x[axis]) - 8
			}
			inside = inside && p[axis] <= x[axis] && x[axis] <= q[axis]
		}
		if inside != found[i] {
			t.Fatalf("%v is from %v to %v: %t", v, p, q, inside)
		}
	}
}

func (m *model[T]) checkPairs(t *testing.T, radius float64) {
	t.Helper()
	points, n := m.view.Points(), m.view.Len()
	found, last := make([]bool, n*n), -1
	shares := []iter.Seq2[int, int]{m.view.Pairs(radius)}
	if cut := n / 3; n%2 == 1 {
		shares = []iter.Seq2[int, int]{
			m.view.PairsOf(0, cut, radius), m.view.PairsOf(cut, n, radius),
		}
	}
	for _, share := range shares {
		for a, b := range share {
			if a >= b || a < last || found[a*n+b] {
				t.Fatalf("pair %d, %d is out of order, or comes twice", a, b)
			}
			found[a*n+b], last = true, a
		}
	}
	for a := range points {
		for b := a + 1; b < n; b++ {
			if near := m.square(points[a], points[b]) <= float64(radius*radius); near != found[a*n+b] {
				t.Fatalf("%v and %v, radius %v: %t", points[a], points[b], radius, near)
			}
		}
	}
}

func TestTheOrderDoesNotDependOnWorkersAndParts(t *testing.T) {
	for name, o := range boxes(2) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			n := 5000
			state := world.Must(world.CreateState(world.Counts{
				GameObjects: n, Kinds: layout.Kinds(flat2.Count(n), ghost),
			}))
			for range n {
				var id world.GameObject
				state, id = world.Must2(world.CreateWith(state, flat2))
				state = world.Must(world.Set(state, id, flat2, plane.at(anywhere(r))))
				if r.IntN(3) == 0 {
					state = world.Must(world.Add(state, id, ghost))
				}
				if r.IntN(7) == 0 {
					state = world.Must(world.Dispose(state, id))
				}
			}
			var want []world.GameObject
			for _, parts := range []int{1, 2, 3, 16, 64} {
				o.Parts, o.Query = parts, world.NewQuery(world.With(flat2), world.Without(ghost))
				cells := world.Must(space.NewCells(state, flat2, o))
				for _, workers := range []int{1, 2, 16} {
					w := systems.NewWorkers(workers)
					state = cells.Build(state, w)
					w.Close()
					if want == nil {
						want = slices.Clone(cells.In(state).IDs())
						require.Len(t, want, world.NewQuery(world.With(flat2), world.Without(ghost)).Count(state))
					}
					require.Equal(t, want, cells.In(state).IDs(), "%d parts, %d workers", parts, workers)
				}
			}
		})
	}
}
