package systems

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	paceChild  = layout.NewField[GameObject]("paceChild")
	paceAge    = layout.NewField[float32]("paceAge")
	paceKind   = layout.NewKind("paced", paceChild, paceAge)
	paceMade   = NewRecipe("paceMade", paceKind)
	paceWrites = NewQuery(Write(paceKind))
)

// breed spawns a child for some objects, keeps its recorded id, and disposes those that are old. How
// old a child is, is drawn.
func breed(s State) State {
	c := Record(s)
	for b := range paceWrites.In(s) {
		children, ages := Column(b, paceChild), Column(b, paceAge)
		for i := range ages {
			ages[i]++
			switch id := b.ID(i).Index(); {
			case ages[i] > 6+float32(id%3):
				b.Dispose(i)
			case (id+uint32(ages[i]))%3 == 0:
				r := Random(s, uint64(id))
				children[i] = c.Spawn(paceMade, paceAge.Value(float32(r.IntN(4))))
			}
		}
	}
	return s
}

// paceSteps returns the bytes before and after each ApplyKeeping, and what it refused, of steps of a
// world whose tasks are offered to as many goroutines as draw says.
func paceSteps(t *testing.T, w *Workers, objects int) (all [][]byte) {
	t.Helper()
	s := sure(CreateState(Counts{
		Seed: 3, GameObjects: objects + objects/4, Commands: objects, Kinds: layout.Kinds(paceKind),
		Recipes: []Recipe{paceMade},
	}))
	defer func() { Close(s) }()
	s = sure(SpawnN(s, paceMade, objects, nil))
	var pace Pace
	for range 10 {
		s = Advance(s)
		tasks := split(s, []func(State) State{breed}, 0)
		for i := range tasks {
			tasks[i].Queries = []Query{paceWrites}
		}
		s = pace.RunTasks(s, w, tasks)
		all = append(all, bytes.Clone(Bytes(s)))
		var err error
		if s, err = ApplyKeeping(s); err != nil {
			require.True(t, errors.Is(err, ErrTooMany) || errors.Is(err, ErrFull), "%v", err)
			all = append(all, []byte(err.Error()))
		}
		all = append(all, bytes.Clone(Bytes(s)))
	}
	require.NoError(t, ToolsOf(s).Verify())
	return all
}

// TestResultsDoNotDependOnHowManyAreWoken: the number of goroutines that a set of tasks is offered to
// is drawn for each, and bytes, recorded ids, and the commands that are carried out, refused and
// kept are those of one goroutine.
func TestResultsDoNotDependOnHowManyAreWoken(t *testing.T) {
	const objects = 2_500
	want := paceSteps(t, nil, objects)
	refused := 0
	for _, x := range want {
		if bytes.Contains(x[:min(len(x), 200)], []byte("flatecs")) {
			refused++
		}
	}
	require.NotZero(t, refused, "something has to be refused")
	for _, workers := range []int{1, 2, 3, 4, 5, 8, 16} {
		w := NewWorkers(workers)
		random := rand.New(rand.NewPCG(7, uint64(workers)))
		if workers%4 != 0 {
			w.pool.Draw(func(most int) int { return 1 + random.IntN(most) })
		}
		got := paceSteps(t, w, objects)
		w.Close()
		require.Len(t, got, len(want), "%d workers", workers)
		for i := range want {
			require.True(t, bytes.Equal(want[i], got[i]), "%d workers differ at %d", workers, i)
		}
	}
}
