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

// A wide is a value of a size of its own.
type wide struct {
	A [6]uint32
	B GameObject
	C [3]uint64
}

var (
	sewnByte  = layout.NewComponent[uint8]("sewn byte", 7)
	sewnHalf  = layout.NewField[[3]uint16]("sewn half")
	sewnXY    = layout.NewField[[2]float32]("sewn xy")
	sewnPair  = layout.NewKind("sewn pair", sewnHalf, sewnXY)
	sewnWide  = layout.NewComponent[wide]("sewn wide")
	sewnNext  = layout.NewComponent[GameObject]("sewn next")
	sewnLarge = NewRecipe("sewn large", sewnByte, sewnPair, sewnWide, sewnNext)
	sewnSmall = NewRecipe("sewn small", sewnPair, sewnNext).With(sewnXY.Value([2]float32{1, 2}))
	sewnChild = NewRecipe("sewn child", childOf, sewnByte, sewnNext)
)

// A sewn is a spawn that was recorded, and what Spawn and Set do instead.
type sewn struct {
	recipe Recipe
	id     GameObject
	values []layout.FieldValue
	sets   []func(State, GameObject) (State, error)
	under  []GameObject // its values of childOf
}

// A sewing records spawns in one world, in runs, and makes the same calls in another.
type sewing struct {
	t        *testing.T
	r        *rand.Rand
	recorded State
	direct   State
	workers  *Workers
	keeps    bool // at times by ApplyKeeping
	pending  []sewn
	made     map[GameObject]GameObject // what was recorded became; 0: it was refused
	ids      []GameObject
	outcomes map[string]int
}

func newSewing(t *testing.T, seed uint64, workers *Workers) *sewing {
	t.Helper()
	rows := []int{40, 300}[seed%2]
	c := Counts{
		GameObjects: rows + rows/2, InOrder: seed%3 == 0,
		Recipes: []Recipe{sewnLarge, sewnSmall, sewnChild},
		Kinds: []layout.Count{
			sewnByte.Count(rows),
			{Kind: sewnPair, Rows: rows, Packed: seed%5 == 0},
			sewnWide.Count(rows), sewnNext.Count(2 * rows), childOf.Count(rows / 2),
		},
	}
	return &sewing{
		t: t, r: rand.New(rand.NewPCG(seed, 33)), workers: workers, keeps: seed&4 == 0,
		recorded: sure(CreateState(c)), direct: sure(CreateState(c)),
		made: map[GameObject]GameObject{}, ids: []GameObject{0, 9<<32 | 3}, outcomes: map[string]int{},
	}
}

// someone returns an object, alive or dead, or what was recorded before.
func (w *sewing) someone(recorded []sewn) GameObject {
	if n := len(recorded); n > 0 && w.r.IntN(2) == 0 {
		return recorded[w.r.IntN(n)].id
	}
	return w.ids[w.r.IntN(len(w.ids))]
}

func sew[T any](s *sewn, f layout.Field[T], value T) {
	s.values = append(s.values, f.Value(value))
	s.sets = append(s.sets, setting(f, value))
}

// draw adds a random value of field number n to a spawn.
func (w *sewing) draw(s *sewn, n int, before []sewn) {
	x := w.r.Uint32()
	switch s.recipe {
	case sewnLarge:
		n %= 5
	case sewnSmall:
		n = 2 + n%3
	default:
		n = []int{0, 4, 5, 5}[n&3]
	}
	switch n {
	case 0:
		sew(s, sewnByte, uint8(x))
	case 1:
		sew(s, sewnWide, wide{A: [6]uint32{x, 4: 1}, B: w.someone(before), C: [3]uint64{2: uint64(x)}})
	case 2:
		sew(s, sewnHalf, [3]uint16{uint16(x), 2: 5})
	case 3:
		sew(s, sewnXY, [2]float32{float32(x), -1})
	case 4:
		sew(s, sewnNext, w.someone(before))
	case 5:
		if w.keeps {
			before = nil // what is kept may become a parent later
		}
		to := w.someone(before)
		s.values = append(s.values, childOf.Value(to))
		s.under = append(s.under, to)
		s.sets = append(s.sets, func(st State, id GameObject) (State, error) {
			if made, ok := w.made[to]; ok {
				to = made
			}
			return Set(st, id, childOf, to)
		})
	}
}

// plan draws runs of spawns: of one recipe with the same fields, or of any.
func (w *sewing) plan() (list []sewn) {
	for range 1 + w.r.IntN(4) {
		recipe := []Recipe{sewnLarge, sewnSmall, sewnChild}[w.r.IntN(3)]
		fields := make([]int, w.r.IntN(5))
		for i := range fields {
			fields[i] = w.r.IntN(60) // the same field twice too
		}
		mixed := w.r.IntN(3) == 0
		for range 1 + w.r.IntN([]int{3, 90}[w.r.IntN(2)]) {
			s := sewn{recipe: recipe}
			if mixed {
				s.recipe = []Recipe{sewnLarge, sewnSmall}[w.r.IntN(2)]
			}
			for _, n := range fields {
				w.draw(&s, n, w.pending)
			}
			list = append(list, s)
		}
	}
	return list
}

// record records a plan, in tasks or not.
func (w *sewing) record() {
	list := w.plan()
	spawn := func(s State, part []sewn) State {
		c := Record(s)
		for i := range part {
			part[i].id = c.Spawn(part[i].recipe, part[i].values...)
		}
		return s
	}
	if w.r.IntN(3) > 0 {
		spawn(w.recorded, list)
	} else {
		var tasks []Task
		for part := range slices.Chunk(list, 1+len(list)/3) {
			tasks = append(tasks, Task{
				Run: []func(State) State{func(s State) State { return spawn(s, part) }},
			})
		}
		w.recorded = RunTasks(w.recorded, w.workers, tasks)
	}
	w.pending = append(w.pending, list...)
}

// call makes the calls of a spawn. All is as before if one is refused.
func (w *sewing) call(s *sewn) error {
	before := taken(w.direct)
	defer before.Close()
	var id GameObject
	var err error
	if w.direct, id, err = Spawn(w.direct, s.recipe); err == nil {
		for _, set := range s.sets {
			if err == nil {
				w.direct, err = set(w.direct, id)
			}
		}
	}
	if err != nil {
		w.direct = sure(Restore(w.direct, before))
		return err
	}
	w.made[s.id] = id
	w.ids = append(w.ids, id)
	return nil
}

// apply carries out what is pending in both worlds; keeping keeps what has no room.
func (w *sewing) apply(keeping bool) {
	refused := map[int]error{}
	var kept []sewn
	for n := range w.pending {
		s := &w.pending[n]
		// What refers to the dead is refused for that, if there is room or not.
		err := w.deadParent(s)
		if err == nil {
			err = w.call(s)
		}
		if err == nil {
			w.outcomes["done"]++
			continue
		}
		refused[n] = err
		if keeping && (errors.Is(err, ErrFull) || errors.Is(err, ErrTooMany)) {
			kept = append(kept, *s)
			w.outcomes["kept"]++
		} else {
			w.made[s.id] = 0
			w.outcomes["refused"]++
		}
	}
	total := len(w.pending)
	w.resolve()
	w.pending = kept
	var err error
	if keeping {
		w.recorded, err = ApplyKeeping(w.recorded)
	} else {
		w.recorded, err = Apply(w.recorded)
	}
	w.compareErrors(err, refused, total, len(kept))
	w.recorded, w.direct = Advance(w.recorded), Advance(w.direct)
	w.compare()
}

// deadParent returns an error if a reference of a spawn, by the relation, is refused.
func (w *sewing) deadParent(s *sewn) error {
	for _, to := range s.under {
		if made, ok := w.made[to]; ok {
			if made == 0 {
				return fmt.Errorf("of what was refused: %w", ErrDead)
			}
			to = made
		}
		if to != 0 && !Alive(w.direct, to) {
			return fmt.Errorf("dead: %w", ErrDead)
		}
	}
	return nil
}

// resolve replaces recorded ids in the direct world.
func (w *sewing) resolve() {
	became := func(id GameObject) (GameObject, bool) {
		made, ok := w.made[id]
		return made, ok && id.Recorded()
	}
	for id := range GameObjects(w.direct) {
		if Has(w.direct, id, sewnNext) {
			if to, ok := became(sure(Get(w.direct, id, sewnNext))); ok {
				w.direct = sure(Set(w.direct, id, sewnNext, to))
			}
		}
		if Has(w.direct, id, sewnWide) {
			v := sure(Get(w.direct, id, sewnWide))
			if to, ok := became(v.B); ok {
				v.B = to
				w.direct = sure(Set(w.direct, id, sewnWide, v))
			}
		}
	}
}

func (w *sewing) compareErrors(err error, refused map[int]error, recorded, kept int) {
	if len(refused) == 0 {
		require.NoError(w.t, err)
		return
	}
	var all *ApplyError
	require.ErrorAs(w.t, err, &all)
	require.Equal(w.t, recorded, all.Recorded)
	require.Len(w.t, all.Refused, len(refused))
	for _, e := range all.Refused {
		require.Error(w.t, refused[e.Number], "%v", e)
		for _, is := range []error{ErrFull, ErrTooMany, ErrDead} {
			require.Equal(w.t, errors.Is(refused[e.Number], is), errors.Is(e, is), "%v", e)
		}
		if e.Kept {
			kept--
		}
	}
	require.Zero(w.t, kept)
}

func (w *sewing) compare() {
	if !bytes.Equal(Bytes(w.recorded), Bytes(w.direct)) {
		d, _, err := firstDifference(w.direct, w.recorded)
		w.t.Fatalf("the worlds differ: %v %v", d, err)
	}
	require.NoError(w.t, ArenaOf(w.recorded).Verify())
}

// dispose makes room in both worlds.
func (w *sewing) dispose() {
	for range w.r.IntN(len(w.ids)) {
		id := w.ids[w.r.IntN(len(w.ids))]
		if Alive(w.direct, id) {
			w.direct = sure(DisposeGameObject(w.direct, id))
			w.recorded = sure(DisposeGameObject(w.recorded, id))
		}
	}
	w.ids = append(w.ids[:2], slices.DeleteFunc(w.ids[2:], func(id GameObject) bool {
		return !Alive(w.direct, id) && w.r.IntN(8) > 0
	})...)
}

// TestAllocsSpawnWithValues: values that are only handed to calls take no memory, of any size.
func TestAllocsSpawnWithValues(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 100, Commands: 100, Recipes: []Recipe{sewnLarge, sewnSmall},
		Kinds: []layout.Count{
			sewnByte.Count(100), sewnPair.Count(100), sewnWide.Count(100), sewnNext.Count(100),
		},
	})))
	everything, x := NewQuery(With(sewnPair)), uint8(0)
	var err error
	require.Zero(t, testing.AllocsPerRun(10, func() {
		c := Record(s)
		for i := range 20 {
			x++
			id := c.Spawn(sewnLarge, sewnByte.Value(x), sewnWide.Value(wide{A: [6]uint32{uint32(i)}}))
			c.Spawn(sewnSmall, sewnNext.Value(id))
		}
		s, err = Apply(s)
		for range 10 {
			s, _, _ = Spawn(s, sewnLarge, sewnWide.Value(wide{C: [3]uint64{9}}), sewnByte.Value(x))
		}
		s = sure(everything.DisposeAll(s))
	}))
	require.NoError(t, err)
}

// TestRecordedSpawnsAgainstCalls records runs of spawns, of mixed recipes with any values, in tasks
// or not, in worlds that are often full, and makes the same calls in another world.
func TestRecordedSpawnsAgainstCalls(t *testing.T) {
	OneGoroutine(t)
	workers := NewWorkers(2)
	defer workers.Close()
	outcomes := map[string]int{}
	for n := range uint64(8) {
		seed := rand.Uint64N(1<<40)<<3 + n
		t.Log("seed", seed) // shown where the test fails
		w := newSewing(t, seed, workers)
		for range 20 {
			for range 1 + w.r.IntN(2) {
				w.record()
			}
			w.apply(w.keeps && w.r.IntN(4) > 0)
			w.dispose()
		}
		for name, n := range w.outcomes {
			outcomes[name] += n
		}
		Close(w.recorded)
		Close(w.direct)
	}
	for _, name := range []string{"done", "kept", "refused"} {
		require.Greater(t, outcomes[name], 100, "%s: %v", name, outcomes)
	}
}
