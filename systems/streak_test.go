package systems

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A twin is a world that is changed in two ways: by commands that are recorded and applied many at
// a time, and by calls one by one.
type twin struct {
	recorded, called State
	ids              []GameObject
	outcomes         map[string]int
}

// like records one change of several objects, and does the same by calls.
func (w *twin) like(r *rand.Rand) (calls []func() error) {
	k, recipe := tried[r.IntN(len(tried))], []Recipe{recipeAC, recipeAB}[r.IntN(2)]
	c, n, kind := Record(w.recorded), 1+r.IntN(100), r.IntN(5)
	from, back, x := r.IntN(len(w.ids)), r.IntN(4) == 0, r.Float32()
	for i := range n {
		if back {
			i = n - 1 - i
		}
		id := w.ids[(from+i)%len(w.ids)]
		switch kind {
		case 0:
			c.Spawn(recipe, fieldA.Value([3]float32{x, float32(i)}))
		case 1:
			c.Create()
		case 2:
			c.Dispose(id)
		case 3:
			c.Add(id, k)
		case 4:
			c.Remove(id, k)
		}
		calls = append(calls, func() error { return w.call(kind, id, k, recipe, [3]float32{x, float32(i), 0}) })
	}
	return calls
}

func (w *twin) call(kind int, id GameObject, k Kind, recipe Recipe, value [3]float32) (err error) {
	made := GameObject(0)
	switch kind {
	case 0:
		if w.called, made, err = Spawn(w.called, recipe); err == nil {
			w.called, err = Set(w.called, made, fieldA, value)
		}
	case 1:
		w.called, made, err = CreateGameObject(w.called)
	case 2:
		w.called, err = DisposeGameObject(w.called, id)
	case 3:
		w.called, _, err = Add(w.called, id, k)
	case 4:
		w.called, err = Remove(w.called, id, k)
	}
	if made != 0 && err == nil {
		w.ids = append(w.ids, made)
	}
	w.outcomes[fmt.Sprint(kind, err == nil)]++
	return err
}

// TestStreaksAgainstCalls: like commands in a row, carried out block by block, must refuse the same
// and end in the same bytes as the same calls one by one.
func TestStreaksAgainstCalls(t *testing.T) {
	outcomes, lives := map[string]int{}, uint64(20)
	if atLength() {
		lives = 60
	}
	for seed := range lives {
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
			counts.Watchers = []Watcher{watchAnyStreak, watchBareStreak}
		}
		w := &twin{
			recorded: sure(CreateState(counts)), called: sure(CreateState(counts)),
			ids: []GameObject{0}, outcomes: outcomes,
		}
		for i := range 200 {
			refused, want := 0, 0
			var calls []func() error
			for range 1 + r.IntN(3) {
				calls = append(calls, w.like(r)...)
			}
			var err error
			if w.recorded, err = Apply(w.recorded); err != nil {
				refused = len(err.(*ApplyError).Refused)
			}
			for _, call := range calls {
				if call() != nil {
					want++
				}
			}
			require.GreaterOrEqual(t, want, refused, "seed %d, round %d", seed, i) // disposed twice is no error
			require.True(t, bytes.Equal(Bytes(w.called), Bytes(w.recorded)), "seed %d, round %d: %s", seed, i, parting(w))
			require.NoError(t, ArenaOf(w.recorded).Verify())
			switch r.IntN(12) {
			case 0:
				w.recorded, w.called = Advance(w.recorded), Advance(w.called)
			case 1:
				slices.SortFunc(w.ids, func(a, b GameObject) int { return int(a.Index()) - int(b.Index()) })
				w.ids = slices.DeleteFunc(w.ids, func(id GameObject) bool { return id != 0 && !Alive(w.called, id) })
			}
		}
		Close(w.recorded)
		Close(w.called)
	}
	for kind := range 5 {
		for _, ok := range []bool{true, false} {
			require.Greater(t, outcomes[fmt.Sprint(kind, ok)], 300, "kind %d: %v", kind, ok)
		}
	}
}

var (
	watchAnyStreak  = NewWatcher(NewQuery(With(kindA), Without(markX)))
	watchBareStreak = NewWatcher(NewQuery(Without(kindB)))
)

// parting names where the two worlds part.
func parting(w *twin) string {
	d, differ, err := firstDifference(w.called, w.recorded)
	return fmt.Sprint(d, differ, err)
}
