package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

const (
	within    = 30   // world units
	questions = 4096 // of each way in a round
)

// A quiz asks which point is nearest to a place, if one is within reach.
type quiz[T ~[2]float32 | ~[3]float32] struct {
	view   space.View[T]
	places []T
	square func(a, b *T) float64
	found  [2]int // sums of entries, of both ways
}

// byNearest asks View.Nearest.
func (q *quiz[T]) byNearest() {
	var hits [1]space.Hit
	sum := 0
	for _, at := range q.places {
		for _, hit := range q.view.Nearest(hits[:], at, within) {
			sum += hit.Entry + 1
		}
	}
	q.found[0] = sum
}

// byNear searches all that View.Near returns.
func (q *quiz[T]) byNear() {
	points, sum := q.view.Points(), 0
	for i := range q.places {
		best, least := -1, float64(within*within)
		near := q.view.Near(q.places[i], within)
		for near.Next() {
			for j := near.First; j < near.End; j++ {
				if d := q.square(&points[j], &q.places[i]); d < least || d == least && best < 0 {
					best, least = j, d
				}
			}
		}
		sum += best + 1
	}
	q.found[1] = sum
}

// newQuiz returns a quiz about n points that are spread evenly in a cube of side edge.
func newQuiz[T ~[2]float32 | ~[3]float32](
	f layout.Field[T], n int, edge, size float64, place func(r *rand.Rand) T,
	square func(a, b *T) float64,
) *quiz[T] {
	placed := world.NewRecipe("placed", f)
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(f.Count(n)), Recipes: []world.Recipe{placed},
	}))
	r := rand.New(rand.NewPCG(1, 2))
	s = world.Must(world.SpawnN(s, placed, n, func(b world.Batch) {
		points := world.Column(b, f)
		for i := range points {
			points[i] = place(r)
		}
	}))
	high := make([]float64, len(f.Axes()))
	for i := range high {
		high[i] = edge
	}
	cells := world.Must(space.NewCells(s, f, space.Options{
		Size: size, Low: make([]float64, len(high)), High: high,
	}))
	s = cells.Build(s, nil)
	q := &quiz[T]{view: cells.In(s), square: square}
	for range questions {
		q.places = append(q.places, place(r))
	}
	return q
}

// A line of the table of compareNearest.
type line struct {
	dims, objects int
	edge, size    float64
}

// lines are worlds with 1, 10 and 100 points within reach on average, as far as they go.
var lines = []line{
	{2, 354, 1000, 30},
	{2, 3_540, 1000, 30},
	{2, 35_400, 1000, 30},
	{2, 35_400, 1000, 5},
	{3, 239, 300, 30},
	{3, 2_390, 300, 30},
	{3, 23_900, 300, 30},
	{3, 23_900, 300, 5},
}

var (
	flatPlace = layout.NewComponent[[2]float32]("flat place")
	deepPlace = layout.NewComponent[[3]float32]("deep place")
)

// ways returns the two ways to answer the questions of a line, and whether they agree.
func (l line) ways() (nearest, near func(), agree func() bool) {
	at := func(r *rand.Rand) float32 { return float32(r.Float64() * l.edge) }
	if l.dims == 2 {
		q := newQuiz(flatPlace, l.objects, l.edge, l.size, func(r *rand.Rand) [2]float32 {
			return [2]float32{at(r), at(r)}
		}, func(a, b *[2]float32) float64 {
			x, y := float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1])
			return float64(x*x) + float64(y*y)
		})
		return q.byNearest, q.byNear, func() bool { return q.found[0] == q.found[1] }
	}
	q := newQuiz(deepPlace, l.objects, l.edge, l.size, func(r *rand.Rand) [3]float32 {
		return [3]float32{at(r), at(r), at(r)}
	}, func(a, b *[3]float32) float64 {
		x, y := float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1])
		z := float64(a[2]) - float64(b[2])
		return float64(x*x) + float64(y*y) + float64(z*z)
	})
	return q.byNearest, q.byNear, func() bool { return q.found[0] == q.found[1] }
}

// compareNearest compares View.Nearest with a search over View.Near of the same radius.
func compareNearest(w io.Writer, rounds int) error {
	fmt.Fprintf(w, "Least of %d rounds, ns per question\n\n", rounds)
	fmt.Fprintln(w, "| axes | points | edge of a cell | within 30 | Near | Nearest "+
		"| Nearest ÷ Near |")
	fmt.Fprintln(w, "|---:|---:|---:|---:|---:|---:|---:|")
	for _, l := range lines {
		nearest, near, agree := l.ways()
		var a, b []float64
		for range rounds {
			a, b = append(a, took(nearest)), append(b, took(near))
		}
		if !agree() {
			return fmt.Errorf("%d points on %d axes: the ways find different points",
				l.objects, l.dims)
		}
		least, other := slices.Min(a)*1e6/questions, slices.Min(b)*1e6/questions
		fmt.Fprintf(w, "| %d | %d | %v | %.0f | %.0f | %.0f | %.2f |\n",
			l.dims, l.objects, l.size, l.inReach(), other, least, least/other)
	}
	return nil
}

// inReach returns how many points are within reach on average, away from the borders.
func (l line) inReach() float64 {
	if l.dims == 2 {
		return float64(l.objects) * math.Pi * within * within / (l.edge * l.edge)
	}
	ball := math.Pi * 4 / 3 * within * within * within
	return float64(l.objects) * ball / (l.edge * l.edge * l.edge)
}
