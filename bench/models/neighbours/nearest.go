package neighbours

import (
	"math/rand/v2"
	"slices"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

const (
	within    = 30   // world units
	questions = 4096 // of each way
)

// A quiz asks which point is nearest to a place, if one is within reach.
type quiz[T ~[2]float32 | ~[3]float32] struct {
	state  world.State
	view   space.View[T]
	places []T
	found  int // sum of entries
}

// byNearest asks View.Nearest.
func (q *quiz[T]) byNearest() {
	var hits [1]space.Hit
	q.found = 0
	for _, at := range q.places {
		for _, hit := range q.view.Nearest(hits[:], at, within) {
			q.found += hit.Entry + 1
		}
	}
}

// byNear searches all that View.Near yields.
func (q *quiz[T]) byNear() {
	points, sum := q.view.Points(), 0
	for i := range q.places {
		best, least := -1, float64(within*within)
		for j := range q.view.Near(q.places[i], within) {
			if d := square(&points[j], &q.places[i]); d < least || d == least && best < 0 {
				best, least = j, d
			}
		}
		sum += best + 1
	}
	q.found = sum
}

// square returns that of the distance.
func square[T ~[2]float32 | ~[3]float32](a, b *T) (sum float64) {
	for k := range len(*a) {
		d := float64((*a)[k]) - float64((*b)[k])
		sum += float64(d * d)
	}
	return sum
}

// newQuiz returns a quiz about n points that are spread evenly in a cube of side edge.
func newQuiz[T ~[2]float32 | ~[3]float32](f layout.Field[T], n int, edge, size float64) *quiz[T] {
	placed := world.NewRecipe("placed", f)
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(f.Count(n)), Recipes: []world.Recipe{placed},
	}))
	r := rand.New(rand.NewPCG(1, 2))
	place := func() (at T) {
		for k := range len(at) {
			at[k] = float32(r.Float64() * edge)
		}
		return at
	}
	s = world.Must(world.SpawnN(s, placed, n, func(b world.Batch) {
		points := world.Column(b, f)
		for i := range points {
			points[i] = place()
		}
	}))
	axes := len(f.Axes())
	cells := world.Must(space.NewCells(s, f, space.Options{
		Size: size, Low: make([]float64, axes), High: slices.Repeat([]float64{edge}, axes),
	}))
	s = cells.Build(s, nil)
	q := &quiz[T]{state: s, view: cells.In(s)}
	for range questions {
		q.places = append(q.places, place())
	}
	return q
}

var (
	flatPlace = layout.NewComponent[[2]float32]("flat place")
	deepPlace = layout.NewComponent[[3]float32]("deep place")
)

// nearest compares View.Nearest with a search over View.Near of the same radius, in worlds with 1,
// 10 and 100 points within reach on average.
func nearest() []harness.Case {
	plane, volume := []int{354, 3_540, 35_400}, []int{239, 2_390, 23_900}
	return []harness.Case{
		quizzes("nearest_2", "Find the nearest on a plane, by cells of 30", flatPlace, 1000, 30,
			plane),
		quizzes("nearest_2_small", "The same by cells of 5", flatPlace, 1000, 5, plane[2:]),
		quizzes("nearest_3", "Find the nearest in space, by cells of 30", deepPlace, 300, 30,
			volume),
		quizzes("nearest_3_small", "The same by cells of 5", deepPlace, 300, 5, volume[2:]),
	}
}

func quizzes[T ~[2]float32 | ~[3]float32](
	name, title string, f layout.Field[T], edge, size float64, sizes []int,
) harness.Case {
	return harness.Case{
		Name: name, Title: title, Per: "question", Sizes: sizes,
		Who: []string{"flatecs Nearest", "loop over Near"}, Against: []string{"loop over Near"},
		How: []string{"the nearest within 30, of n points"},
		Make: func(who string, n int) harness.Work {
			q := newQuiz(f, n, edge, size)
			run := q.byNearest
			if who != "flatecs Nearest" {
				run = q.byNear
			}
			return harness.Work{
				Run: run, Of: questions, Wall: true,
				Check: func() harness.Result { return harness.Result{Count: q.found} },
				Close: func() { world.Close(q.state) },
			}
		},
	}
}
