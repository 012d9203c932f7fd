package systems

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A twin is a world that two hands lead the same life: in one changes may stay pending, in the
// other each is looked at before the next.
type twin struct {
	hasty, patient State
	ids            []GameObject
	waited         map[change]int // changes that joined others
}

// do does the same to both.
func (w *twin) do(f func(s State) (State, string, error)) error {
	before := w.hasty.job.pending.objects
	s, a, errA := f(w.hasty)
	w.hasty = s
	if p := s.job.pending; p.objects != before && p.objects&(p.objects-1) != 0 {
		w.waited[p.change]++
	}
	s, b, errB := f(w.patient)
	w.patient = s
	Size(w.patient) // any look
	if a != b || fmt.Sprint(errA) != fmt.Sprint(errB) {
		return fmt.Errorf("got %s, %w; want %s, %w", a, errA, b, errB)
	}
	return nil
}

// streak does the same change to some objects one after the other.
func (w *twin) streak(r *rand.Rand) error {
	k := tried[r.IntN(len(tried))]
	recipe := []Recipe{recipeAC, recipeAB}[r.IntN(2)]
	steps := []func(id GameObject) func(s State) (State, string, error){
		func(GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				s, id, err := Spawn(s, recipe)
				w.made(s, id)
				return s, fmt.Sprint(id), err
			}
		},
		func(GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				s, id, err := CreateGameObject(s)
				w.made(s, id)
				return s, fmt.Sprint(id), err
			}
		},
		func(id GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				s, err := DisposeGameObject(s, id)
				return s, "", err
			}
		},
		func(id GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				s, row, err := Add(s, id, k)
				return s, fmt.Sprint(row), err
			}
		},
		func(id GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				s, err := Remove(s, id, k)
				return s, "", err
			}
		},
		func(id GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				if k == kindC { // may be packed
					return s, "", nil
				}
				s, err := Suspend(s, id, k)
				return s, "", err
			}
		},
		func(id GameObject) func(s State) (State, string, error) {
			return func(s State) (State, string, error) {
				return s, fmt.Sprint(Has(s, id, k), Alive(s, id), Live(s)), nil
			}
		},
	}
	step := steps[r.IntN(len(steps))]
	from, n := r.IntN(len(w.ids)), 1+r.IntN(100)
	back := r.IntN(4) == 0
	for i := range n {
		if back {
			i = n - 1 - i
		}
		if err := w.do(step(w.ids[(from+i)%len(w.ids)])); err != nil {
			return err
		}
	}
	return nil
}

// made notes an object that the hasty world has made.
func (w *twin) made(s State, id GameObject) {
	if s.job == w.hasty.job && id != 0 {
		w.ids = append(w.ids, id)
	}
}

// TestPendingChangesAgainstSteps: random streaks of changes, pending or carried out one by one, must
// return the same and end in the same bytes.
func TestPendingChangesAgainstSteps(t *testing.T) {
	waited := map[change]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		counts := Counts{
			GameObjects: 300, Recipes: []Recipe{recipeAC, recipeAB}, InOrder: seed%2 == 0,
			Kinds: []layout.Count{
				kindA.Count(260), kindB.Count(200),
				{Kind: kindC, Rows: 300, Packed: seed%3 == 0},
				markX.Count(0), markY.Count(0),
			},
		}
		if seed%5 == 0 {
			counts.Watchers = []Watcher{watchAnyPending, watchBarePending}
		}
		w := &twin{ids: []GameObject{0}, waited: waited}
		var errA, errB error
		w.hasty, errA = CreateState(counts)
		w.patient, errB = CreateState(counts)
		require.NoError(t, errors.Join(errA, errB))
		for i := range 200 {
			require.NoError(t, w.streak(r), "seed %d, streak %d", seed, i)
			switch r.IntN(12) {
			case 0:
				w.hasty, w.patient = Advance(w.hasty), Advance(w.patient)
			case 1:
				slices.SortFunc(w.ids, func(a, b GameObject) int { return int(a.Index()) - int(b.Index()) })
				w.ids = slices.DeleteFunc(w.ids, func(id GameObject) bool { return id != 0 && !Alive(w.hasty, id) })
			case 2:
				require.True(t, bytes.Equal(Bytes(w.patient), Bytes(w.hasty)), "seed %d, streak %d: %s", seed, i, parting(w))
				require.NoError(t, Verify(w.hasty))
			}
		}
		require.True(t, bytes.Equal(Bytes(w.patient), Bytes(w.hasty)), "seed %d", seed)
		Close(w.hasty)
		Close(w.patient)
	}
	for c := spawning; c <= removing; c++ {
		require.Greater(t, waited[c], 1000, "change %d was pending", c)
	}
}

var (
	watchAnyPending  = NewWatcher(NewQuery(With(kindA), Without(markX)))
	watchBarePending = NewWatcher(NewQuery(Without(kindB)))
)

// parting names where the two worlds part.
func parting(w *twin) string {
	d, differ, err := FirstDifference(w.patient, w.hasty)
	return fmt.Sprint(d, differ, err)
}

// TestReadersSeePendingChanges opens a reader before changes of several objects.
func TestReadersSeePendingChanges(t *testing.T) {
	s, err := CreateState(Counts{
		GameObjects: 64, Recipes: []Recipe{recipeAB},
		Kinds: []layout.Count{kindA.Count(64), kindB.Count(64)},
	})
	require.NoError(t, err)
	reader := Open(s, fieldA)
	var ids []GameObject
	all := func(step func(id GameObject) (State, error), there bool) {
		for _, id := range ids {
			s, err = step(id)
			require.NoError(t, err)
		}
		for _, id := range ids {
			_, ok := reader.At(id)
			require.Equal(t, there, ok)
		}
	}
	for range 9 {
		var id GameObject
		s, id, err = Spawn(s, recipeAB)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	_, ok := reader.At(ids[0])
	require.True(t, ok, "spawned")
	all(func(id GameObject) (State, error) { return Remove(s, id, kindA) }, false)
	all(func(id GameObject) (State, error) {
		next, _, err := Add(s, id, kindA)
		return next, err
	}, true)
	for _, id := range ids {
		s, err = Remove(s, id, kindA)
		require.NoError(t, err)
		_, ok := reader.At(id)
		require.False(t, ok)
	}
	all(func(id GameObject) (State, error) { return DisposeGameObject(s, id) }, false)
}
